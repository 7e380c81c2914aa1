/** The files of a partial export, and the summary at its end. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Seed } from "../../src/emulator/index.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const ACME = "0190aa11-0000-4000-8000-00000000000a";
const BETA = "0190aa11-0000-4000-8000-00000000000b";
const INSIGHT = { name: "Signups", saved: true };
const SINK = {
  name: "Sink",
  interval: "hour",
  destination: { type: "HTTP", config: { url: "https://x.io", token: "t" } },
};

const seed: Seed = {
  organizations: [
    {
      id: ACME,
      name: "Acme Inc",
      domains: [{ domain: "acme.com" }],
      invites: [{ target_email: "eve@acme.com", level: 1, created_at: "2020-01-01T00:00:00Z" }],
      projects: [
        { id: 2, name: "Web", insights: [INSIGHT], batch_exports: [SINK] },
        { id: 3, name: "Mobile", insights: [INSIGHT] },
      ],
    },
    { id: BETA, name: "Beta", projects: [{ id: 4, name: "Web", insights: [INSIGHT] }] },
  ],
};

const exported = (): Promise<Workspace> => workspace({ seed, dialect: "deployed" });

/** The files below `live`, sorted. */
async function filesOf({ folder }: Workspace): Promise<readonly string[]> {
  const entries = await readdir(join(folder, "live"), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((file) => join(file.parentPath, file.name).slice(join(folder, "live/").length)).toSorted();
}

describe("export of a part", () => {
  it.each([
    [
      ["--organization", "Beta"],
      ["beta/organization.yaml", "beta/projects/web.yaml"],
    ],
    [
      ["--organization", BETA.toUpperCase()],
      ["beta/organization.yaml", "beta/projects/web.yaml"],
    ],
    [["--project", "Mobile"], ["acme-inc/projects/mobile.yaml"]],
    [
      ["--project", "4", "Mobile"],
      ["acme-inc/projects/mobile.yaml", "beta/projects/web.yaml"],
    ],
    [["--organization", "Acme Inc", "--project", "Web"], ["acme-inc/projects/web.yaml"]],
    [["--project", "2", "--single-file"], ["driftline.yaml"]],
  ])("%j writes %j, and a plan of it is empty", async (args, files) => {
    const space = await exported();
    const { code } = await space.run(["export", "--out", "live", ...args]);
    expect([code, await filesOf(space)]).toEqual([0, files]);
    expect(await space.run(["plan", "live", "--detailed-exitcode"])).toMatchObject({ code: 0, stderr: "" });
  });

  it("names the lists that are not read because only organizations have them", async () => {
    const space = await exported();
    const { code, stderr } = await space.run(["export", "--project", "2", "--profile", "document"]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("route_missing") as string]);
  });

  it.each([
    ["a name that several projects have", ["--project", "Web"], "ambiguous_name"],
    ["a name that is almost right", ["--organization", "acme inc"], "not_found"],
    ["a project of another organization", ["--organization", "Beta", "--project", "Mobile"], "not_found"],
  ])("is refused for %s, and the message lists the existing ones", async (_name, args, code) => {
    const space = await exported();
    const result = await space.run(["export", ...args]);
    expect(result).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(`error ${code}`) as string });
    expect(result.stderr).toMatchSnapshot();
  });
});

describe("the end of an export", () => {
  it("has counts, missing parts, secrets, and a command that works", async () => {
    const space = await exported();
    const { stderr } = await space.run(["export", "--out", "live files", "--url", space.emulator.url]);
    expect(stderr.replaceAll(space.emulator.url, "URL")).toMatchSnapshot();
    const command = /^Next: driftline (.*)$/mu.exec(stderr)?.[1] ?? "";
    const words = [...command.matchAll(/'([^']*)'|(\S+)/gu)].map(([, quoted, word]) => quoted ?? word ?? "");
    expect(await space.run(words, { env: { DRIFTLINE_URL: "" } })).toMatchObject({ code: 0 });
  });

  it("is JSON if progress is", async () => {
    const space = await exported();
    const { stderr } = await space.run(["export", "--out", "live", "--progress", "json"]);
    for (const line of stderr.trim().split("\n"))
      expect(JSON.parse(line)).toMatchObject({ type: "driftline.progress" });
  });

  it("an existing file is not overwritten, and nothing is written beside it", async () => {
    const space = await exported();
    await space.run(["export", "--out", "live", "--organization", "Beta"]);
    const { code } = await space.run(["export", "--out", "live"]);
    expect([code, await filesOf(space)]).toEqual([10, ["beta/organization.yaml", "beta/projects/web.yaml"]]);
  });
});
