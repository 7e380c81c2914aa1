import { chmodSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfig, type LoadedConfig } from "../../../src/config/index.ts";
import { dataOf } from "../../support/sentences.ts";
import { folderOf, load, renderDiagnostics } from "./helpers.ts";

function loadFolder(cwd: string): Promise<LoadedConfig> {
  return loadConfig({ paths: ["."], cwd, env: {}, vars: [], varFiles: [] });
}

/** Runs as another user, because root can read every file. */
async function asUnprivileged<T>(run: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return run();
  process.seteuid?.(65534);
  try {
    return await run();
  } finally {
    process.seteuid?.(0);
  }
}

const GOOD = "driftline: 1\norganizations: { acme: { name: Acme } }\n";

describe("loadConfig rejects", () => {
  it("a file of 20 MB without parsing it", async () => {
    const cwd = folderOf({ "a.yaml": GOOD });
    truncateSync(join(cwd, "a.yaml"), 20_000_000);
    const { diagnostics } = await loadFolder(cwd);
    expect(dataOf(diagnostics)).toEqual([{ severity: "error", code: "too_large", file: "a.yaml" }]);
    expect(diagnostics[0]?.message).toMatch(/19\.1 MiB.*10 MiB/);
    expect(renderDiagnostics(diagnostics)).toMatchSnapshot();
  });

  it.each([
    ["nine levels of nine", 9, 9],
    ["six levels of ten", 6, 10],
  ])("an alias bomb of %s", async (_, levels, width) => {
    const lines = ["driftline: 1", "variables:", "  a0: &a0 [lol]"];
    for (let level = 1; level <= levels; level++) {
      lines.push(`  a${level}: &a${level} [${Array.from({ length: width }, () => `*a${level - 1}`).join(", ")}]`);
    }
    const { diagnostics } = await load(`${lines.join("\n")}\n`);
    expect(diagnostics).toMatchObject([{ code: "alias_bomb", file: "driftline.yaml", column: expect.any(Number) }]);
  });

  it("an alias bomb of merge keys", async () => {
    const keys = Array.from({ length: 2000 }, (_, index) => `k${index}: 1`).join(", ");
    const lines = ["driftline: 1", `variables: { base: &base { ${keys} },`];
    const uses = Array.from({ length: 2000 }, (_, index) => `  u${index}: { <<: *base },`);
    const { diagnostics } = await load(`${[...lines, ...uses].join("\n")}\n}\n`);
    expect(diagnostics).toMatchObject([{ code: "alias_bomb" }]);
  });

  it("a document that is nested too deeply", async () => {
    const deep = (levels: number): string =>
      `driftline: 1\nvariables: { a: ${"[".repeat(levels)}${"]".repeat(levels)} }\n`;
    expect((await load(deep(150))).diagnostics).toEqual([]);
    expect((await load(deep(300))).diagnostics).toMatchObject([{ code: "too_deep" }]);
    expect((await load(deep(20_000))).diagnostics).toMatchObject([{ code: "too_deep" }]);
  });

  it("a file that is not UTF-8", async () => {
    const cwd = folderOf({});
    writeFileSync(join(cwd, "a.yaml"), Buffer.from([0x64, 0xff, 0xfe]));
    const { diagnostics } = await loadFolder(cwd);
    expect(dataOf(diagnostics)).toEqual([{ severity: "error", code: "file_unreadable", file: "a.yaml" }]);
    expect(renderDiagnostics(diagnostics)).toMatchSnapshot();
  });

  it("an unreadable file and an unreadable folder", async () => {
    const cwd = folderOf({ "a.yaml": GOOD, "b.yaml": GOOD, "sub/c.yaml": GOOD });
    chmodSync(cwd, 0o755);
    chmodSync(join(cwd, "b.yaml"), 0);
    chmodSync(join(cwd, "sub"), 0);
    const { diagnostics } = await asUnprivileged(() => loadFolder(cwd));
    chmodSync(join(cwd, "sub"), 0o755);
    const unreadable = { severity: "error", code: "file_unreadable" };
    expect(dataOf(diagnostics)).toEqual([
      { ...unreadable, file: "b.yaml" },
      { ...unreadable, file: "sub" },
    ]);
    expect(renderDiagnostics(diagnostics)).toMatchSnapshot();
  });

  it("a link to itself and a broken link", async () => {
    const cwd = folderOf({ "a.yaml": GOOD });
    symlinkSync(join(cwd, "loop.yaml"), join(cwd, "loop.yaml"));
    symlinkSync(join(cwd, "nowhere"), join(cwd, "gone.yaml"));
    symlinkSync(join(cwd, "nowhere"), join(cwd, "gone.txt"));
    symlinkSync(join(cwd, "nowhere"), join(cwd, "people"));
    const { diagnostics } = await loadFolder(cwd);
    expect(renderDiagnostics(diagnostics)).not.toContain("Did you mean");
    expect(diagnostics).toMatchObject([
      { code: "file_not_found", file: "gone.yaml" },
      { code: "file_unreadable", file: "loop.yaml" },
      { code: "file_not_found", file: "people" },
    ]);
  });
});
