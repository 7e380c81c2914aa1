import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../../../../src/config/index.ts";
import type { UnreadFiles } from "../../../../src/config/source/unread-files.ts";
import { budget } from "../../../support/budget.ts";
import { folderOf } from "../helpers.ts";

const ID = "0190aa11-0000-4000-8000-00000000000a";
const OTHER = "0190aa11-0000-4000-8000-00000000000b";
const URL = "https://eu.posthog.com";
const OURS = `driftline: 1\norganizations: { acme: { id: ${ID}, name: Acme Inc, exclusive: [domains] } }\n`;

/** What the run of `conf/a`, or of the file in it, does not read. */
async function unread(
  files: Readonly<Record<string, string | Uint8Array>>,
  {
    path = "conf/a",
    git = true,
    ours = OURS,
  }: { readonly path?: string; readonly git?: boolean; readonly ours?: string } = {},
): Promise<UnreadFiles> {
  const cwd = folderOf({ "conf/a/organization.yaml": ours });
  if (git) mkdirSync(join(cwd, ".git"));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), content);
  }
  const env = { KNOWN: "Acme Inc", ELSE: "Beta" };
  const { unreadFiles, diagnostics } = await loadConfig({
    paths: [path],
    cwd,
    env,
    vars: ["known=Acme Inc", "else=Beta"],
    varFiles: [],
  });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return unreadFiles(["acme"], URL);
}

const utf16 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "utf16le"));

/** What a file says, and whether it is configuration, and can mean the organization. */
const CONTENTS: readonly (readonly [text: string | Uint8Array, isOurs: boolean, canMean: boolean])[] = [
  ["a: 1\n", false, false],
  ["", false, false],
  ["# driftline: 1\n", false, false],
  ["note: driftline\n", false, false],
  ["driftline: 1\nservice: { self: a@b.co }\n", true, false],
  ["driftline: 1\norganizations: [", true, true],
  ['{"x-a": 1, "driftline": 1, "organizations": {"acme": {"domains": {}}}}', true, true],
  [utf16("driftline: 1\n"), true, false],
  [new Uint8Array([0x64, 0xff, 0xfe]), true, false],
  ...[
    ["beta: { domains: { b: { domain: b.com } } }", true],
    ["acme:", true],
    ["acme: { projects: { web: { id: 2 } } }", true],
    ["acme: { name: Acme Inc }", true],
    [`beta: { id: ${ID} }`, true],
    [`beta: { id: ${ID.toUpperCase()}, name: Beta }`, true],
    ["acme: { name: Acme }", false],
    [`acme: { id: ${OTHER} }`, false],
    [`acme: { id: ${OTHER}, name: Beta }`, false],
    ["acme: { name: Beta }, beta: {}", true],
    ['acme: { name: "${var:known}" }', true],
    ['acme: { name: "${var:else}" }', false],
    ['acme: { name: "${var:unknown}" }', true],
    ['acme: { name: "${env:KNOWN}" }', true],
    ['acme: { name: "${env:ELSE}" }', false],
    ['acme: { name: "A ${env:UNSET}" }', true],
    ['acme: { name: "${secret:KNOWN}" }', true],
    ['acme: { id: "${var:unknown}", name: Beta }', true],
    ['acme: { name: "${var:inside}" }', false],
    ['acme: "${var:inside}"', true],
  ].flatMap(([organization = "", canMean]): (readonly [string, boolean, boolean])[] => {
    const text = `driftline: 1\nvariables: { inside: Beta }\norganizations: { ${String(organization)} }\n`;
    return [
      [text, true, canMean === true],
      [`${text}service: { url: "${URL}/" }\n`, true, canMean === true],
      [`${text}service: { url: "\${var:unknown}" }\n`, true, canMean === true],
      [`${text}service: { url: https://us.posthog.com }\n`, true, false],
    ];
  }),
];

const PLACES = [
  ...(["", "sub/", "Sub.d/deep/"] as const).map((folder) => ({ folder: `conf/a/${folder}`, zone: "given" as const })),
  ...["conf/b/", "conf/", "", "conf/other/deep/er/", "conf/a-b/"].map((folder) => ({
    folder,
    zone: "beside" as const,
  })),
  ...["conf/a/.hidden/", ".hidden/b/", "conf/node_modules/x/", "else/", "else/a/", "conf/a/node_modules/"].map(
    (folder) => ({ folder, zone: "never" as const }),
  ),
];
const DATA_ENDINGS = ["yaml", "yml", "json"];
const PROGRAM_ENDINGS = ["ts", "mts", "cts", "js", "mjs", "cjs"].map((end) => `driftline.${end}`);
const FOREIGN_ENDINGS = ["txt", "ts", "yaml.bak", "yaml5", "driftline.tsx"];

const CASED = (endings: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...endings), fc.infiniteStream(fc.boolean()))
    .map(([end, ups]) =>
      [...end].map((letter) => (ups.next().value === true ? letter.toUpperCase() : letter)).join(""),
    );

const FILE = fc.record({
  place: fc.constantFrom(...PLACES),
  ending: fc.oneof(
    CASED(DATA_ENDINGS).map((text) => ({ text, type: "data" as const })),
    CASED(PROGRAM_ENDINGS).map((text) => ({ text, type: "program" as const })),
    CASED(FOREIGN_ENDINGS).map((text) => ({ text, type: "foreign" as const })),
  ),
  content: fc.constantFrom(...CONTENTS),
});

describe("the files that a run does not read", () => {
  it("count by their place, their ending and what they say", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(FILE, { minLength: 1, maxLength: 6 }), fc.boolean(), async (files, git) => {
        const named = files
          .map((file, index) => ({ ...file, name: `${file.place.folder}f${String(index)}.${file.ending.text}` }))
          // Those are read, and may be refused for what they say.
          .filter(({ place, ending }) => place.zone !== "given" || !/^(?:ya?ml|driftline\.m?ts)$/u.test(ending.text));
        const found = await unread(Object.fromEntries(named.map(({ name, content: [text] }) => [name, text])), { git });
        const namesOf = (chosen: readonly { readonly name: string }[]): string[] =>
          chosen.map(({ name }) => name).toSorted();
        const counted = named.filter(({ place: { zone }, ending: { type }, content: [, isOurs, canMean] }) =>
          zone === "given"
            ? type === "program" || (type === "data" && isOurs)
            : zone === "beside" && git && type === "data" && canMean,
        );
        const programs = named.filter(
          ({ place: { zone }, ending: { type } }) => zone === "beside" && git && type === "program",
        );
        expect({ ...found, files: found.files.toSorted(), programs: found.programs.toSorted() }).toEqual({
          files: namesOf(counted),
          programs: namesOf(programs),
          isCut: false,
        });
      }),
      { numRuns: budget(500) },
    );
  });

  const B = "driftline: 1\norganizations: { acme: { domains: { b: { domain: b.com } } } }\n";

  it("are also those that have the name where the run has only the id, or the id where it has only the name", async () => {
    const [byId, byName] = [`id: ${ID}`, "name: Acme Inc"];
    const fileOf = (said: string): string =>
      `driftline: 1\norganizations: { acme: { ${said}, exclusive: [domains] } }\n`;
    for (const [ours, theirs, isFound] of [
      [byId, byName, true],
      [byName, byId, true],
      [byId, `id: ${OTHER}`, false],
      [byName, "name: Beta", false],
      [byId, "name: Beta", true],
    ] as const)
      expect((await unread({ "conf/b/b.yaml": fileOf(theirs) }, { ours: fileOf(ours) })).files, ours + theirs).toEqual(
        isFound ? ["conf/b/b.yaml"] : [],
      );
  });

  it("are also YAML in UTF-16 without a mark, which the run has skipped", async () => {
    expect((await unread({ "conf/a/b.yaml": utf16(B) })).files).toEqual(["conf/a/b.yaml"]);
    expect((await unread({ "conf/b/b.yaml": utf16(B) })).files).toEqual([]);
  });

  it("are not those that a program has read", async () => {
    const program = 'import more from "./x.driftline.js";\nexport default more;\n';
    const more = "export default { driftline: 1, organizations: { acme: { domains: {} } } };\n";
    const files = { "conf/a/b.driftline.ts": program, "conf/a/x.driftline.js": more };
    expect(await unread(files)).toEqual({ files: [], programs: [], isCut: false });
  });

  it("are looked for beside a file that is given, without a git work tree only below its folder", async () => {
    const files = {
      "conf/a/b.yaml": B,
      "conf/a/deep/c.json": "{driftline: 1}{",
      "conf/a/d.driftline.ts": "",
      "conf/b.yaml": B,
    };
    const path = "conf/a/organization.yaml";
    expect((await unread(files, { path, git: false })).files).toEqual([
      "conf/a/b.yaml",
      "conf/a/d.driftline.ts",
      "conf/a/deep/c.json",
    ]);
    expect((await unread({ ...files, "conf/a/deep/e.driftline.ts": "" }, { path })).files).toEqual([
      "conf/a/b.yaml",
      "conf/a/d.driftline.ts",
      "conf/a/deep/c.json",
      "conf/b.yaml",
    ]);
  });

  it("end at the root of the work tree, and at 10,000 files, nearest first", async () => {
    const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`conf/x/${String(index)}.txt`, ""]));
    const found = await unread({ ...many, "conf/b.yaml": B, "conf/x/y/z.yaml": B });
    expect(found).toEqual({ files: ["conf/b.yaml"], programs: [], isCut: true });
    const outside = await unread({ "conf/.git": "", "b.yaml": B, "conf/b.yaml": B });
    expect(outside.files).toEqual(["conf/b.yaml"]);
  });

  it("may be reached by a link in a given folder, and links elsewhere end nowhere", async () => {
    const cwd = folderOf({ "conf/a/organization.yaml": OURS, "else/b.YML": B, ".git/HEAD": "" });
    symlinkSync(join(cwd, "else"), join(cwd, "conf/a/link"));
    symlinkSync(cwd, join(cwd, "conf/loop"));
    const { unreadFiles } = await loadConfig({ paths: ["conf/a"], cwd, env: {}, vars: [], varFiles: [] });
    expect(unreadFiles(["acme"], URL).files).toEqual(["conf/a/link/b.YML"]);
  });
});
