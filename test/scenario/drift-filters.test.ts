import { describe, expect, it } from "vitest";
import { linesWith } from "../support/normalized.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const NOW = Date.parse("2026-03-10T12:00:00Z");
const QUERY = { kind: "TrendsQuery", series: [{ event: "signed up" }] };

/** Insights that were changed on the service, by `by` at `at`. */
async function changed(insights: Readonly<Record<string, { readonly by: string | null; readonly at: string }>>) {
  const names = Object.keys(insights);
  const organization = {
    id: "0190aa11-0000-4000-8000-00000000000a",
    name: "Acme Inc",
    members: ["ada@acme.com", "bob@acme.com"].map((email) => ({ email, level: 8 })),
    projects: [
      {
        id: 2,
        name: "Web",
        insights: names.map((name, index) => ({ id: index + 1, name, tags: ["old"], query: QUERY })),
      },
    ],
  };
  const space = await workspace({ seed: { organizations: [organization] }, dialect: "document" });
  const declared = Object.fromEntries(
    names.map((name, index) => [name, { id: index + 1, name, tags: ["old"], query: QUERY }]),
  );
  await space.configure({
    driftline: 1,
    organizations: { acme: { name: "Acme Inc", projects: { web: { id: "2", insights: declared } } } },
  });
  for (const [index, name] of names.entries())
    space.emulator.edit("insight", index + 1, {
      tags: ["new"],
      last_modified_by: insights[name]?.by ?? null,
      last_modified_at: insights[name]?.at ?? "",
      updated_at: insights[name]?.at ?? "",
    });
  return space;
}

const EDITS = {
  a: { by: "ada@acme.com", at: "2026-03-09T12:00:00Z" },
  b: { by: "bob@acme.com", at: "2026-03-01T12:00:00Z" },
  c: { by: "bob@acme.com", at: "2026-03-09T13:00:00Z" },
};

async function drift(space: Workspace, ...args: readonly string[]) {
  const clock = { now: () => NOW, sleep: () => Promise.resolve(), random: () => 0 };
  const { code, stdout } = await space.run(["drift", "--format", "json", ...args], { runtime: { clock } });
  const { changes, diagnostics } = JSON.parse(stdout) as {
    readonly changes: readonly { readonly address: string; readonly action: string }[];
    readonly diagnostics: readonly { readonly code: string }[];
  };
  const shown = changes.filter(({ action }) => action !== "no_op").map(({ address }) => address.at(-1));
  return { code, shown: shown.join(""), warned: diagnostics.some((one) => one.code === "filtered") };
}

describe("drift --since and --by", () => {
  it.each<[readonly string[], string]>([
    [[], "abc"],
    [["--since", "2d"], "ac"],
    [["--since", "24h"], "ac"],
    [["--since", "23h"], "c"],
    [["--since", "1400m"], "c"],
    [["--since", "2w"], "abc"],
    [["--since", "1y"], "abc"],
    [["--since", "2026-03-09"], "ac"],
    [["--by", "Bob@acme.com"], "bc"],
    [["--by", "bob@acme.com", "--since", "2d"], "c"],
  ])("%j shows %j", async (args, expected) => {
    const { code, shown, warned } = await drift(await changed(EDITS), ...args);
    expect(shown).toBe(expected);
    expect(code).toBe(expected === "" ? 0 : 2);
    expect(warned).toBe(expected !== "abc");
  });

  it("accepts only what is shown", async () => {
    const space = await changed(EDITS);
    const { code } = await space.run(["drift", "--accept", "--yes", "--by", "ada@acme.com"]);
    expect(code).toBe(0);
    expect((await drift(space)).shown).toBe("bc");
  });

  it("leaves out what the service names nobody for, by its address, and is done without it", async () => {
    const space = await changed({ ...EDITS, d: { by: null, at: "2026-03-09T12:00:00Z" } });
    space.emulator.edit("insight", 2, { deleted: true });
    const { code, stderr } = await space.run(["drift", "--accept", "--yes", "--by", "ada@acme.com"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/filtered.*2 resources.*insights\/b, .*insights\/d/u);
    expect((await drift(space)).shown).toBe("bcd");
    expect(await drift(space, "--by", "ada@acme.com")).toMatchObject({ code: 0, shown: "", warned: true });
    const { stdout } = await space.run(["drift", "--since", "2026-06-01"]);
    expect(stdout).not.toMatch(/Nothing differs: all/u);
    expect(stdout).toMatch(/Nothing differs.*left out/u);
  });

  it("knows nobody of a misspelt name", async () => {
    const space = await changed(EDITS);
    for (const name of ["bbo@acme.com", "eve@acme.com"]) {
      const { code, stderr } = await space.run(["drift", "--by", name]);
      expect([code, linesWith(stderr, "unknown_author")]).toMatchSnapshot();
    }
  });

  it("suggests commands with the same limits", async () => {
    const space = await changed(EDITS);
    const { stdout } = await space.run(["drift", "--by", "ada@acme.com", "--since", "30d"], {
      runtime: { clock: { now: () => NOW, sleep: () => Promise.resolve(), random: () => 0 } },
    });
    expect(stdout).toContain("--since 30d --by ada@acme.com");
  });

  it.each(["yesterday", "7", "-1d", "2026-13-45"])("refuses --since %s", async (text) => {
    const space = await changed(EDITS);
    expect((await space.run(["drift", "--since", text])).code).toBe(10);
    expect(space.emulator.requests).toEqual([]);
  });
});
