import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { collections, kindNames } from "../src/generated/kind-names.ts";
import { schemas } from "../src/generated/schemas.ts";
import { documentedOperations } from "../src/kinds/all-operations.ts";

const SRC = new URL("../src", import.meta.url).pathname;

/** What each folder of src may import: other folders, and packages. `node` is any node built-in. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  // The list of kinds rests on nothing, so that everything else may rest on it.
  "generated/kind-names.ts": [],
  model: ["generated/kind-names.ts", "node:crypto"],
  files: ["node"],
  generated: ["model", "generated/kind-names.ts"],
  kinds: ["model", "generated", "generated/kind-names.ts", "node:url"],
  diff: ["model", "kinds", "npm:diff"],
  config: ["model", "kinds", "generated", "yaml", "jiti", "node"],
  api: ["model", "kinds", "generated", "generated/kind-names.ts", "undici", "p-retry", "node"],
  world: ["model", "kinds", "api"],
  plan: ["model", "kinds", "diff"],
  // It writes into configurations. What is written is decided by its callers.
  edit: ["model", "config", "diff", "files", "yaml", "node"],
  apply: ["model", "kinds", "diff", "api", "files", "node"],
  report: ["model", "diff", "npm:diff", "string-width", "d3-array", "d3-time", "node:util", "node:crypto"],
  // Repositories and the services that host them. What is committed is decided by the callers.
  git: ["model", "node"],
  forge: ["model", "undici"],
  export: ["model", "kinds", "generated", "diff", "edit", "pulumi/properties", "yaml"],
  emulator: ["hono", "@hono/node-server", "node"],
  engine: [
    "model",
    "kinds",
    "generated",
    "config",
    "api",
    "world",
    "diff",
    "plan",
    "apply",
    "edit",
    "export",
    "files",
    "node",
  ],
  // It prints and asks. What is planned and written is decided below the engine.
  cli: [
    "engine",
    "edit",
    "git",
    "forge",
    "model",
    "kinds",
    "generated",
    "config",
    "api",
    "report",
    "export",
    "emulator",
    "files",
    "commander",
    "supports-hyperlinks",
    "node",
  ],
  // The resources of a program open no socket: they only say what is wanted. A look-up of a program loads what does.
  "pulumi/resources": ["@pulumi/pulumi", "driftline/dynamic", "generated", "model", "pulumi/properties"],
  // What stands in a Pulumi state: pure, for the provider that keeps it and for the export that begins it.
  "pulumi/properties": ["model", "kinds", "generated"],
  // It plans and applies by `engine/one-resource` alone.
  "pulumi/provider": ["config", "engine", "model", "kinds", "diff", "api", "world", "pulumi/properties", "node"],
  // The packaged provider: one more adapter over the provider. What an import declares is what an export would write.
  "pulumi/plugin": [
    "@pulumi/pulumi",
    "api",
    "export",
    "generated",
    "kinds",
    "model",
    "pulumi/properties",
    "pulumi/provider",
    "node",
  ],
  pulumi: [
    "@pulumi/pulumi",
    "api",
    "config",
    "generated",
    "kinds",
    "model",
    "pulumi/plugin",
    "pulumi/resources",
    "pulumi/properties",
    "pulumi/provider",
    "node",
  ],
};

/** The names of fields that only a create reads, and of ids in paths that are not called `id`. */
const FIELD_WORDS: readonly string[] = [
  ...Object.values(schemas).flatMap(({ properties }) =>
    Object.keys(properties).filter((field) => properties[field]?.["x-once"] === true),
  ),
  ...Object.values(documentedOperations).flatMap(({ params }) =>
    Object.keys(params).filter((name) => !["id", "organization_id", "project_id"].includes(name)),
  ),
];

/** Everything that a kind or its collection is called, and what only its objects have. */
const KIND_WORDS: ReadonlySet<string> = new Set([...kindNames, ...Object.values(collections), ...FIELD_WORDS]);

/** Words that also name something else. */
const SCOPE_WORDS: Readonly<Record<string, string>> = {
  organization: "a type of scope, next to service and project: every other kind lies in one",
  organizations: "the key of a configuration that holds all scopes",
};

/** Files that may name kinds, and why. */
const NAMES_KINDS: Readonly<Record<string, { readonly words: readonly string[]; readonly reason: string }>> = {
  "export/people.ts": {
    words: ["membership", "invite"],
    reason: "an export writes members as memberships beside the open invites: one rule about three kinds at once",
  },
  "model/change.ts": { words: ["_create_in_folder"], reason: "the schemas of documents list it as removable" },
  "pulumi/properties/functions.ts": {
    words: ["domain", "member", "insight", "members", "insights"],
    reason: "few kinds have look-ups, each by arguments of its own",
  },
  "pulumi/resources/lookups.ts": { words: ["domain", "member", "insight"], reason: "the types of these look-ups" },
};

const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));

/** The files that the rules about kinds are for. The emulator is the service, and knows its objects by its own words. */
const handwritten = files.filter(
  (file) =>
    !/^(kinds|generated|emulator)\//.test(file) &&
    !readFileSync(join(SRC, file), "utf8").startsWith("// Generated by scripts/generate.ts"),
);

function importsOf(file: string): readonly string[] {
  const text = readFileSync(join(SRC, file), "utf8");
  const statements = /^(?:import|export)\b[^"=]*?\bfrom "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm;
  return [...text.matchAll(statements)].map((found) => found[1] ?? found[2] ?? found[3] ?? "");
}

/**
 * The files of src that a file imports, types included. In the emulator, whose resources, routes and service know each other by type,
 * only those that are there when it is loaded count.
 */
function filesImportedBy(file: string): readonly string[] {
  if (file.startsWith("emulator/")) return valueImportsOf(file);
  const inside = importsOf(file).filter((from) => from.startsWith("."));
  return inside.map((from) => relative(SRC, join(SRC, file, "..", from)));
}

/** The files of src that a file imports when it is loaded: no types, and nothing that is loaded later. */
function valueImportsOf(file: string): readonly string[] {
  const text = readFileSync(join(SRC, file), "utf8");
  const statements = [...text.matchAll(/^(?:import|export)\b([^"=]*?)\bfrom "(\.[^"]+)"|^import "(\.[^"]+)"/gm)];
  const isValue = (names = ""): boolean =>
    !/^\s*type\b/.test(names) && !/^\s*\{(?:\s*type \w+(?: as \w+)?,?)+\s*\}\s*$/.test(names);
  return statements
    .filter(([, names]) => isValue(names))
    .map(([, , from, bare]) => relative(SRC, join(SRC, file, "..", from ?? bare ?? "")));
}

/** The folder of src, or the package, that an import leads to. A package with the name of a folder is `npm:NAME`. */
function targetOf(file: string, specifier: string): string {
  if (!specifier.startsWith(".")) return specifier in ALLOWED ? `npm:${specifier}` : specifier;
  return folderOf(relative(SRC, join(SRC, file, "..", specifier)));
}

/** The row that counts for a file: that of its folder in src, or of the inner folder that has one. */
function folderOf(file: string): string {
  const [outer = "", inner = ""] = file.split("/");
  return `${outer}/${inner}` in ALLOWED ? `${outer}/${inner}` : outer;
}

function isAllowed(folder: string, target: string): boolean {
  return target === folder || permissionsFor(target).some((name) => ALLOWED[folder]?.includes(name) === true);
}

/** What a row may say to allow an import. */
function permissionsFor(target: string): readonly string[] {
  const name = target.startsWith("@") ? target.split("/").slice(0, 2).join("/") : target;
  return target.startsWith("node:") ? [name, "node"] : [name];
}

/** Inner folders that import each other. Each pair is one too many, and none may come. */
const ENTANGLED: readonly string[] = [
  "api/errors and api/http",
  // The program loads a command when it is run.
  "cli/commands and cli/program",
  "config/expressions and config/resources",
  "config/expressions and config/source",
  "config/source and config/tree",
];

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

  it("has no permission that nothing needs", () => {
    const needed = new Set(
      files.flatMap((file) =>
        importsOf(file)
          .flatMap((specifier) => permissionsFor(targetOf(file, specifier)))
          .map((name) => `${folderOf(file)}: ${name}`),
      ),
    );
    const rows = Object.entries(ALLOWED).flatMap(([folder, names]) => names.map((name) => `${folder}: ${name}`));
    expect(rows.filter((row) => !needed.has(row))).toEqual([]);
  });

  it("has unit tests only of modules, each with the path of its own", () => {
    const unit = new URL("unit", import.meta.url).pathname;
    const tests = readdirSync(unit, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".test.ts"));
    const homes = [SRC, join(SRC, ".."), import.meta.dirname];
    const wrong = tests.filter((file) => {
      const [module = ""] = basename(file).split(".");
      return !homes.some((home) => existsSync(join(home, dirname(file), `${module}.ts`)));
    });
    // Files that are no modules: the image, and what workflows run.
    expect(wrong.toSorted()).toEqual(["dockerfile.test.ts", "supply-chain.test.ts"]);
  });

  it("has no cycle of imports", () => {
    const done = new Set<string>();
    const cycleFrom = (file: string, path: readonly string[]): readonly string[] => {
      if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
      if (done.has(file)) return [];
      const cycle = filesImportedBy(file).flatMap((next) => cycleFrom(next, [...path, file]));
      done.add(file);
      return cycle;
    };
    expect(files.flatMap((file) => cycleFrom(file, []))).toEqual([]);
  });

  it("has imports between two inner folders of a folder in one direction only", () => {
    const innerOf = (file: string): string => file.split("/").slice(0, -1).slice(0, 2).join("/");
    const pairs = new Set(
      files
        .filter((file) => !file.startsWith("emulator/"))
        .flatMap((file) => filesImportedBy(file).map((to) => [innerOf(file), innerOf(to)] as const))
        .filter(([from, to]) => [from, to].every((one) => one.includes("/")) && from.split("/")[0] === to.split("/")[0])
        .map((pair) => pair.join(" and ")),
    );
    const both = [...pairs].filter((pair) => {
      const back = pair.split(" and ").toReversed().join(" and ");
      return pair < back && pairs.has(back);
    });
    expect(both.toSorted()).toEqual(ENTANGLED);
  });

  it("looks up own members only, where the key of a table may be a word from outside", () => {
    const texts = new Map(files.map((file) => [file, readFileSync(join(SRC, file), "utf8")]));
    const tablesIn = (text: string, start: string): readonly string[] =>
      [...text.matchAll(new RegExp(`^${start}const (\\w+): (?:(?:Readonly|Partial)<)*Record<string,`, "gm"))].map(
        ([, name = ""]) => name,
      );
    const exported = [...texts.values()].flatMap((text) => tablesIn(text, "export "));
    expect(exported).toContain("SERVER_QUIRKS");
    const found = [...texts].flatMap(([file, text]) => {
      // A schema's properties are a table as well, and so are the names of Pulumi's inputs.
      const tables = [...exported, ...tablesIn(text, ""), "properties", "inputs"].join("|");
      const lookUp = new RegExp(`(?<!\\w)(${tables})\\[(?!["\`\\]])`);
      return text.split("\n").flatMap((line) => {
        const [, table = ""] = lookUp.exec(line) ?? [];
        const isFine = table === "" || line.includes(`Object.hasOwn(${table}, `) || file.startsWith("generated/");
        return isFine ? [] : [`${file}: ${line.trim()}`];
      });
    });
    expect(found, "use own()").toEqual([]);
  });

  it("opens no socket in the resources of a Pulumi program, through any import", () => {
    const reached = new Set<string>(["pulumi/index.ts", "pulumi/packaged.ts"]);
    for (const file of reached) {
      for (const specifier of importsOf(file)) {
        if (specifier.startsWith(".")) reached.add(relative(SRC, join(SRC, file, "..", specifier)));
      }
    }
    expect(
      [...reached].filter(
        (file) =>
          !/^(pulumi\/(index\.ts|packaged\.ts|resources\/|properties\/(provider-text|functions))|generated\/|model\/)/.test(
            file,
          ),
      ),
    ).toEqual([]);
    const packages = new Set(
      [...reached].flatMap((file) => importsOf(file).filter((specifier) => !specifier.startsWith("."))),
    );
    expect([...packages].toSorted()).toEqual(["@pulumi/pulumi", "driftline/dynamic"]);
    const loaded = [...reached].filter((file) =>
      /from "driftline\/dynamic"/.test(readFileSync(join(SRC, file), "utf8")),
    );
    expect(loaded, "only a call may load it").toEqual([]);
  });

  it("names no kind, no collection and no field of one kind outside of src/kinds and the generated code", () => {
    const named = handwritten.flatMap((file) =>
      [...readFileSync(join(SRC, file), "utf8").matchAll(/"(\w+)"|\bkinds\.(\w+)/g)].flatMap(([, quoted, member]) => {
        const word = quoted ?? member ?? "";
        const isException = word in SCOPE_WORDS || NAMES_KINDS[file]?.words.includes(word) === true;
        return KIND_WORDS.has(word) && !isException ? [`${file}: ${word}`] : [];
      }),
    );
    expect(named).toEqual([]);
  });

  it("hands no function of src/kinds the name of a kind to ask what it is: that is a fact of the kind", () => {
    const names = kindNames.filter((name) => !(name in SCOPE_WORDS)).join("|");
    const asking = files
      .filter((file) => file.startsWith("kinds/"))
      .flatMap((file) => [
        ...readFileSync(join(SRC, file), "utf8").matchAll(
          /^export function (\w+)\(\w+: (?:KindName|string)\b[^]*?^\}/gm,
        ),
      ])
      .flatMap(([text, name = ""]) => (new RegExp(`[!=]== "(?:${names})"`).test(text) ? [name] : []));
    expect(asking).toEqual([]);
  });

  it.each(Object.entries(NAMES_KINDS))("has no exception that %s does not need any more", (file, { words }) => {
    const text = readFileSync(join(SRC, file), "utf8");
    expect(words.filter((word) => !text.includes(`"${word}"`))).toEqual([]);
  });

  it("imports the folder of a kind nowhere but in src/kinds, and that of people by its door", () => {
    const wrong = handwritten.flatMap((file) =>
      importsOf(file).filter((specifier) => /\/kinds\/(?!people\/index\.ts)[\w-]+\//.test(specifier)),
    );
    expect(wrong).toEqual([]);
  });

  it("keeps clock, randomness and sleep out of everything but the process and the clock", () => {
    const globals = /\b(Date\.now\(|new Date\(\)|Math\.random\(|setTimeout\()/;
    const found = files.filter(
      (file) =>
        !/^(emulator|api\/limits\/clock|cli\/main)/.test(file) && globals.test(readFileSync(join(SRC, file), "utf8")),
    );
    expect(found).toEqual([]);
  });

  it("spells command lines only where they are written: in the command line and in reports", () => {
    const spelled =
      /\bdriftline (?:access|apply|call|completion|doctor|drift|emulator|explain|export|import|init|plan|pin|show|validate)\b/;
    const found = handwritten
      .filter((file) => !/^(cli|report|pulumi|export\/pulumi)\//.test(file))
      .flatMap((file) => {
        const code = readFileSync(join(SRC, file), "utf8").replaceAll(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm, "");
        return code
          .split("\n")
          .filter((line) => spelled.test(line))
          .map((line) => `${file}: ${line.trim()}`);
      });
    expect(found).toEqual([]);
  });

  it("exports by name only", () => {
    const found = files.filter((file) => /^export (default|\*)/m.test(readFileSync(join(SRC, file), "utf8")));
    expect(found).toEqual([]);
  });
});
