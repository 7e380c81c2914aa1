import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const SRC = new URL("../src", import.meta.url).pathname;

/** What each folder of src may import: other folders, and packages. `node` is any node built-in. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  // The list of kinds rests on nothing, so that everything else may rest on it.
  "generated/kind-names.ts": [],
  model: ["generated/kind-names.ts"],
  generated: ["model", "generated/kind-names.ts"],
  kinds: ["model", "generated", "generated/kind-names.ts"],
  diff: ["model", "kinds", "node:crypto"],
  config: ["model", "kinds", "generated", "yaml", "jiti", "node"],
  api: ["model", "kinds", "generated", "generated/kind-names.ts", "undici", "p-retry", "node"],
  snapshot: ["model", "kinds", "api"],
  plan: ["model", "kinds", "diff"],
  apply: ["model", "kinds", "diff", "api", "node"],
  report: ["model"],
  export: ["model", "kinds", "generated", "pulumi/properties", "yaml"],
  emulator: ["generated", "hono", "@hono/node-server", "node"],
  engine: [
    "model",
    "kinds",
    "generated",
    "config",
    "api",
    "snapshot",
    "diff",
    "plan",
    "apply",
    "report",
    "export",
    "cli",
    "node",
  ],
  cli: [
    "engine",
    "model",
    "kinds",
    "generated",
    "config",
    "api",
    "snapshot",
    "plan",
    "apply",
    "report",
    "export",
    "emulator",
    "commander",
    "node",
  ],
  // The resources of a program open no socket: they only say what is wanted.
  "pulumi/resources": ["@pulumi/pulumi", "generated", "model", "pulumi/properties"],
  // What stands in a Pulumi state: pure, for the provider that keeps it and for the export that begins it.
  "pulumi/properties": ["model", "kinds", "generated"],
  "pulumi/provider": [
    "engine",
    "model",
    "kinds",
    "generated",
    "diff",
    "api",
    "snapshot",
    "plan",
    "apply",
    "pulumi/properties",
    "node",
  ],
  pulumi: ["@pulumi/pulumi", "config", "generated", "kinds", "model", "pulumi/resources", "pulumi/provider", "node"],
};

/** Files that are data or made by a script may be long. */
const LONG = /^(generated\/|kinds\/\w[\w-]*\/operations)/;

const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));

function importsOf(file: string): readonly string[] {
  const text = readFileSync(join(SRC, file), "utf8");
  const statements = /^(?:import|export)\b[^"=]*?\bfrom "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm;
  return [...text.matchAll(statements)].map((found) => found[1] ?? found[2] ?? found[3] ?? "");
}

/** The folder of src, or the package, that an import leads to. */
function targetOf(file: string, specifier: string): string {
  if (!specifier.startsWith(".")) return specifier;
  return folderOf(relative(SRC, join(SRC, file, "..", specifier)));
}

/** The row that counts for a file: that of its folder in src, or of the inner folder that has one. */
function folderOf(file: string): string {
  const [outer = "", inner = ""] = file.split("/");
  return `${outer}/${inner}` in ALLOWED ? `${outer}/${inner}` : outer;
}

function isAllowed(folder: string, target: string): boolean {
  const allowed = ALLOWED[folder] ?? [];
  const name = target.startsWith("@") ? target.split("/").slice(0, 2).join("/") : target;
  return target === folder || allowed.includes(name) || (target.startsWith("node:") && allowed.includes("node"));
}

describe("architecture", () => {
  it("knows every folder of src", () => {
    const folders = new Set(files.flatMap((file) => (file.includes("/") ? [folderOf(file)] : [])));
    expect([...folders].toSorted()).toEqual(Object.keys(ALLOWED).toSorted());
  });

  it.each(files.filter((file) => file.includes("/")))("%s imports only what its folder may", (file) => {
    const folder = folderOf(file);
    const wrong = importsOf(file).filter((specifier) => !isAllowed(folder, targetOf(file, specifier)));
    expect(wrong).toEqual([]);
  });

  it("opens no socket in the resources of a Pulumi program, whatever they import", () => {
    const reached = new Set<string>(["pulumi/index.ts"]);
    for (const file of reached) {
      for (const specifier of importsOf(file)) {
        if (specifier.startsWith(".")) reached.add(relative(SRC, join(SRC, file, "..", specifier)));
      }
    }
    expect(
      [...reached].filter(
        (file) => !/^(pulumi\/(index\.ts|resources\/|properties\/provider-text)|generated\/|model\/)/.test(file),
      ),
    ).toEqual([]);
    const packages = new Set(
      [...reached].flatMap((file) => importsOf(file).filter((specifier) => !specifier.startsWith("."))),
    );
    expect([...packages]).toEqual(["@pulumi/pulumi"]);
  });

  it("keeps files short", () => {
    const long = files.filter(
      (file) => !LONG.test(file) && readFileSync(join(SRC, file), "utf8").split("\n").length > 400,
    );
    expect(long).toEqual([]);
  });

  it("names no kind outside of its file, the registry and the generated code", () => {
    const branches = files
      .filter((file) => !/^(kinds|generated|emulator)\//.test(file))
      .flatMap((file) => {
        const text = readFileSync(join(SRC, file), "utf8");
        return [
          ...text.matchAll(/(?:===|!==|case)\s*"(domain|invite|member|membership|batch_export|pipeline_\w+|insight)"/g),
        ].map((found) => `${file}: ${found[0]}`);
      });
    expect(branches).toEqual([]);
  });

  it("keeps clock, randomness and sleep out of everything but the process and the clock", () => {
    const globals = /\b(Date\.now\(|new Date\(\)|Math\.random\(|setTimeout\()/;
    const found = files.filter(
      (file) =>
        !/^(emulator|api\/limits\/clock|cli\/main)/.test(file) && globals.test(readFileSync(join(SRC, file), "utf8")),
    );
    expect(found).toEqual([]);
  });

  it("exports by name only", () => {
    const found = files.filter((file) => /^export (default|\*)/m.test(readFileSync(join(SRC, file), "utf8")));
    expect(found).toEqual([]);
  });
});
