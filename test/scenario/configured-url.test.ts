/** Commands that take no paths send to the service that the configuration in the current folder names, as `plan` does. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { workspace, type Workspace } from "../support/workspace.ts";

const env = { DRIFTLINE_URL: "" };

/** A folder in which a file names the service, and nothing else does. */
async function naming(file: string, more = ""): Promise<Workspace> {
  const space = await workspace();
  await mkdir(join(space.folder, "analytics"));
  await space.configure(`driftline: 1\nservice: { url: ${space.emulator.url} }\n${more}`, file);
  return space;
}

describe("service.url", () => {
  it.each(["driftline.yaml", "service.yaml", "analytics/service.yaml"])("is read from %s", async (file) => {
    const { run, emulator } = await naming(file);
    expect(await run(["call", "organizations.list"], { env })).toMatchObject({ code: 0 });
    expect(await run(["call", "organizations.list", "--dry-run"], { env })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(emulator.url) as string,
    });
    expect(await run(["export"], { env })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Acme Inc") as string,
    });
  });

  it("is all that is read: mistakes elsewhere, and secrets that are not set, have no effect", async () => {
    const more = 'organizations: { acme: { name: "${var:UNSET}", domains: [], nonsense: 1 } }\n';
    const { run } = await naming("driftline.yaml", more);
    expect(await run(["plan"], { env })).toMatchObject({ code: 10 });
    expect(await run(["call", "organizations.list"], { env })).toMatchObject({ code: 0, stderr: "" });
  });

  it("can hold a variable with a default, and one of the environment", async () => {
    const space = await workspace();
    await space.configure(
      "driftline: 1\nvariables: { scheme: http }\nservice: { url: '${var:scheme}://${env:HOST}' }\n",
    );
    const own = { ...env, HOST: space.emulator.url.replace("http://", "") };
    expect(await space.run(["call", "organizations.list"], { env: own })).toMatchObject({ code: 0 });
  });

  it.each([["call", "organizations.list"], ["call", "organizations.list", "--dry-run"], ["export"]])(
    "is not guessed for %s %s %s if two files say two things",
    async (...args) => {
      const space = await naming("analytics/service.yaml");
      await space.configure("driftline: 1\nservice: { url: https://other.example.com }\n", "other.yaml");
      const { code, stderr } = await space.run(args, { env });
      expect(code).toBe(10);
      expect(stderr).toContain("error duplicate_field");
      expect(stderr).toContain("error no_url");
      expect(space.emulator.requests).toEqual([]);
    },
  );

  it("is not read if something else names the service", async () => {
    const space = await workspace();
    await space.configure("driftline: [\n");
    expect(await space.run(["call", "organizations.list"])).toMatchObject({ code: 0 });
    const args = ["call", "organizations.list", "--url", space.emulator.url];
    expect(await space.run(args, { env })).toMatchObject({ code: 0 });
    expect(await space.run(["call", "organizations.list"], { env })).toMatchObject({
      code: 10,
      stderr: expect.stringContaining("yaml_syntax") as string,
    });
  });
});
