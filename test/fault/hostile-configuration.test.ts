/**
 * Hostile content of a configuration, the command line and the environment: nothing is requested, the exit code
 * is 10, a message says where and why. Anchors, depth and size of one file have tests of their own in test/unit/config/load.limits.test.ts,
 * the wording of many mistakes in test/golden/config.
 */
import { link, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { against, expectSober } from "./hostile.ts";
import { ACME } from "./support.ts";

const GOOD = "driftline: 1\norganizations: { acme: { name: Acme Inc } }\n";
const COMMANDS: readonly (readonly string[])[] = [
  ["validate"],
  ["plan"],
  ["drift", "--accept", "--yes"],
  ["apply", "--yes"],
];

/** Every command that reads a configuration refuses it, and sends nothing. */
async function expectRefused(
  text: string,
  message: RegExp,
  prepare?: (folder: string) => Promise<void>,
): Promise<void> {
  const { run, service, folder } = await against(() => undefined, text);
  await prepare?.(folder);
  for (const args of COMMANDS) {
    const result = await run(args);
    expectSober(result, 10);
    expect(result.stderr).toMatch(message);
  }
  expect(service.heard).toEqual([]);
}

/** A file that the configuration must not read. */
async function outside(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "driftline-outside-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "secret.txt"), "hunter2");
  return folder;
}

describe("a ${file:} that leads out of the folder is refused without a word about its content", () => {
  const naming = (path: string): string =>
    `driftline: 1\norganizations: { acme: { name: ${JSON.stringify(`\${file:${path}}`)} } }\n`;

  it.each([
    "../secret.txt",
    "sub/../../secret.txt",
    "./../secret.txt",
    "/etc/passwd",
    "//etc/passwd",
    "/proc/self/environ",
    "..",
    ".",
    "/",
  ])("%s", async (path) => {
    await expectRefused(naming(path), /file_outside|file_unreadable/);
  });

  it.each([
    "%2e%2e/secret.txt",
    "..%2fsecret.txt",
    "file:///etc/passwd",
    "~/x",
    "a\u0000b",
    "\u202etxt.x",
    "sub",
    "x".repeat(5_000),
    "..\\secret.txt",
  ])("%j is an ordinary name of a missing file", async (path) => {
    await expectRefused(naming(path), /file_unreadable|file_outside/, (folder) => mkdir(join(folder, "sub")));
  });

  it("if it is a link to a file, through a folder, to a device, or in a circle", async () => {
    const elsewhere = await outside();
    const links: readonly (readonly [string, string])[] = [
      ["link.txt", join(elsewhere, "secret.txt")],
      ["folder", elsewhere],
      ["zero", "/dev/zero"],
      ["circle", "circle"],
      ["again", "folder"],
    ];
    for (const path of ["link.txt", "folder/secret.txt", "zero", "circle", "again/secret.txt"]) {
      await expectRefused(naming(path), /file_outside|file_unreadable/, async (folder) => {
        for (const [name, target] of links) await symlink(target, join(folder, name));
      });
    }
  });

  it("without saying whether the file exists", async () => {
    const elsewhere = await outside();
    const { run, configure } = await against(() => undefined, undefined);
    const said = [];
    for (const name of ["secret.txt", "nothing.txt"]) {
      await configure(naming(join(elsewhere, name)));
      said.push((await run(["validate"])).stderr.replaceAll(name, "NAME"));
    }
    expect(said[0]).toBe(said[1]);
    expect(said[0]).not.toContain("hunter2");
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    [".env", {}],
    [".git/config", {}],
    ["sub/.npmrc", {}],
    ["sub/.a/b/c.txt", {}],
    ["./sub/../.env", {}],
    ["...env", {}],
    ["seen.txt", { "seen.txt": ".env" }],
    ["seen/config", { seen: ".git" }],
    [".shown", { ".shown": "plain.txt" }],
  ])("or to a hidden file: %s %o", async (path, links) => {
    const prepare = async (folder: string): Promise<void> => {
      for (const name of [".env", ".git/config", "sub/.npmrc", "sub/.a/b/c.txt", "plain.txt", "...env"]) {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await writeFile(join(folder, name), "hunter2");
      }
      for (const [name, target] of Object.entries(links)) await symlink(target, join(folder, name));
    };
    await expectRefused(naming(path), /file_outside/, prepare);
  });

  it("but not if only the folder of the configuration is hidden, nor what Kubernetes has mounted", async () => {
    const { run, folder } = await against(() => undefined, undefined);
    await mkdir(join(folder, ".analytics/..data"), { recursive: true });
    await writeFile(join(folder, ".analytics/..data/a.txt"), "Acme Inc");
    await writeFile(join(folder, ".analytics/..data/driftline.yaml"), naming("a.txt"));
    await symlink("..data/a.txt", join(folder, ".analytics/a.txt"));
    await symlink("..data/driftline.yaml", join(folder, ".analytics/driftline.yaml"));
    expectSober(await run(["validate", ".analytics"]), 0);
    expectSober(await run(["validate", ".analytics/driftline.yaml"]), 0);
  });

  it("but not if it is a link within the folder, or a second name of a file in it", async () => {
    const { run, folder } = await against(() => undefined, naming("a.txt"));
    await writeFile(join(folder, "b.txt"), "Acme Inc");
    await symlink("b.txt", join(folder, "a.txt"));
    expectSober(await run(["validate"]), 0);
    await rm(join(folder, "a.txt"));
    await link(join(folder, "b.txt"), join(folder, "a.txt"));
    expectSober(await run(["validate"]), 0);
  });
});

describe("a link that leads out of the folder is neither read nor written", () => {
  it.each<[string, string, string, readonly string[]]>([
    ["a file that is named", "driftline.yaml", "outside.yaml", ["driftline.yaml"]],
    ["the default file", "driftline.yaml", "outside.yaml", []],
    ["a file of a folder", "conf/a.yaml", "outside.yaml", ["conf"]],
    ["a file beside the folder that is given", "conf/a.yaml", "work/beside.yaml", ["conf"]],
    ["a file out of its own folder", "conf/a.yaml", "work/beside.yaml", ["conf/a.yaml"]],
    ["a folder in a folder", "conf/people", "", ["conf"]],
    ["a folder that is given", "conf", "", ["conf"]],
    ["a file in a folder that is a link", "conf", "", ["conf/outside.yaml"]],
    ["a file of variables", "conf/vars.yaml", "outside.yaml", ["--vars", "conf/vars.yaml"]],
  ])("%s", async (_what, name, target, args) => {
    const { run, service, folder: parent } = await against(() => undefined, undefined);
    const cwd = join(parent, "work");
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    const texts = ["outside.yaml", "work/beside.yaml"].map((file) => join(parent, file));
    for (const file of texts) await writeFile(file, GOOD);
    await symlink(join(parent, target), join(cwd, name));
    for (const [command = "", ...more] of COMMANDS) {
      const result = await run([command, ...more, ...args], { runtime: { cwd } });
      expectSober(result, 10);
      expect(result.stderr).toMatch(/file_outside/);
    }
    expect(service.heard).toEqual([]);
    for (const file of texts) expect(await readFile(file, "utf8")).toBe(GOOD);
  });

  it.each([
    ["plan.json", "outside/old", ["plan", "--out", "plan.json"]],
    ["plan.json", "outside/new", ["plan", "--out", "plan.json"]],
    ["plan.md", "outside/old", ["plan", "--format", "markdown=plan.md"]],
    ["plan.md", "outside/new", ["plan", "--format", "markdown=plan.md"]],
    ["reports", "outside", ["drift", "--format", "html=reports/drift.html"]],
    ["a.json", "work/b.json", ["apply", "--yes", "--format", "json=a.json"]],
    ["tree", "outside", ["export", "--out", "tree/new"]],
  ] as const)("in the place of what a run writes: %s to %s", async (name, target, args) => {
    const { run, folder: parent } = await against(() => undefined, undefined);
    const cwd = join(parent, "work");
    await mkdir(join(parent, "outside"));
    await mkdir(cwd);
    await writeFile(join(parent, "outside/old"), GOOD);
    await writeFile(join(cwd, "driftline.yaml"), GOOD);
    await symlink(join(parent, target), join(cwd, name));
    // A link to a link.
    await symlink(join(parent, "outside/new"), join(cwd, "b.json"));
    const result = await run(args, { runtime: { cwd } });
    expect([result.code, result.stderr]).toEqual([10, expect.stringContaining("error file_outside")]);
    expect(await readdir(join(parent, "outside"))).toEqual(["old"]);
    expect(await readFile(join(parent, "outside/old"), "utf8")).toBe(GOOD);
  });

  it("but a link within the working directory is followed, and a path out of it is where it says", async () => {
    const { run, folder: parent } = await against(() => undefined, undefined);
    const cwd = join(parent, "work");
    await mkdir(join(cwd, "reports"), { recursive: true });
    await writeFile(join(cwd, "driftline.yaml"), GOOD);
    await symlink("reports/new.md", join(cwd, "plan.md"));
    const args = ["plan", "--format", "markdown=plan.md", "--out", "../plan.json"];
    expectSober(await run(args, { runtime: { cwd } }), 0);
    expect([await readdir(join(cwd, "reports")), await readdir(parent)]).toEqual([
      ["new.md"],
      expect.arrayContaining(["plan.json"]),
    ]);
  });

  it("unless the folder that it leads to is given as well", async () => {
    const { run, folder: parent } = await against(() => undefined, undefined);
    const cwd = join(parent, "work");
    await mkdir(join(cwd, "conf"), { recursive: true });
    await mkdir(join(parent, "shared"));
    await writeFile(join(parent, "shared/a.yaml"), GOOD);
    await symlink("../../shared", join(cwd, "conf/shared"));
    expectSober(await run(["validate", "conf", "../shared"], { runtime: { cwd } }), 0);
  });
});

describe("a little text that expands to a large one is refused", () => {
  const bomb = (item: (inner: string) => string, levels: number): string =>
    `${GOOD}variables:\n  a0: xxxxxxxxxx\n${Array.from({ length: levels }, (_, index) => `  a${String(index + 1)}: ${item(`\${var:a${String(index)}}`)}\n`).join("")}`;

  it.each([
    ["texts", bomb((inner) => `"${inner.repeat(10)}"`, 9), /too_large/],
    ["lists", bomb((inner) => JSON.stringify(Array.from({ length: 10 }, () => inner)), 9), /too_large/],
    [
      "mappings",
      bomb((inner) => `{ ${Array.from({ length: 10 }, (_, index) => `k${String(index)}: "${inner}"`).join(", ")} }`, 9),
      /too_large/,
    ],
    [
      "aliases",
      `${GOOD}variables:\n  a0: &a0 [lol]\n${Array.from({ length: 9 }, (_, index) => `  a${String(index + 1)}: &a${String(index + 1)} [${Array.from({ length: 9 }, () => `*a${String(index)}`).join(", ")}]\n`).join("")}`,
      /alias_bomb/,
    ],
    [
      "a chain of variables",
      `${GOOD}variables:\n${Array.from({ length: 20_000 }, (_, index) => `  v${String(index)}: "\${var:v${String(index + 1)}}"\n`).join("")}  v20000: x\n`,
      /too_deep/,
    ],
    ["a circle of variables", `${GOOD}variables: { a: "\${var:b}", b: "\${var:a}" }\n`, /cyclic_variable/],
    ["lists in lists", `${GOOD}variables: { a: ${"[".repeat(500_000)}${"]".repeat(500_000)} }\n`, /too_deep/],
    [
      "blocks in blocks",
      `${GOOD}variables:\n${Array.from({ length: 1_000 }, (_, index) => `${" ".repeat(index + 1)}k:\n`).join("")}`,
      /too_deep/,
    ],
    ["JSON in JSON", `{"driftline": 1, "variables": ${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`, /too_deep/],
  ])("%s", async (_name, text, message) => {
    const before = process.memoryUsage().heapUsed;
    await expectRefused(text, message);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(1024 * 1024 * 1024);
  });

  it("a file that is named a thousand times", async () => {
    const uses = Array.from({ length: 1_000 }, () => "${file:big.txt}").join("");
    await expectRefused(
      `driftline: 1\nvariables: { a: "${uses}" }\norganizations: { acme: { name: Acme } }\n`,
      /too_large/,
      (folder) => writeFile(join(folder, "big.txt"), "x".repeat(1_000_000)),
    );
  });

  it("a hundred megabytes, and a file without an end", async () => {
    const { run, folder, service } = await against(() => undefined, GOOD);
    await writeFile(join(folder, "huge.yaml"), "");
    const { truncate } = await import("node:fs/promises");
    await truncate(join(folder, "huge.yaml"), 100_000_000);
    for (const args of [["huge.yaml"], ["."], ["/dev/zero"], ["--vars", "/dev/zero"], ["--vars", "huge.yaml"]]) {
      const result = await run(["plan", ...args]);
      expectSober(result, 10);
      expect(result.stderr).toContain("too_large");
    }
    expect(service.heard).toEqual([]);
  });
});

describe("a number that changes when it is sent is refused", () => {
  const filters = (value: string): string =>
    `driftline: 1\norganizations: { acme: { id: ${ACME}, projects: { web: { id: "2", insights: { i: { name: I, filters: { a: ${value} } } } } } } }\n`;
  it.each([
    "9007199254740993",
    "-9007199254740993",
    "12345678901234567890",
    ".inf",
    "-.inf",
    ".nan",
    "1e400",
    "-1e999",
  ])("%s", async (value) => {
    await expectRefused(filters(value), /not_json/);
  });
  it.each(["0x20000000000001", "0o400000000000000001"])("%s, in another notation", async (value) => {
    await expectRefused(filters(value), /not_json/);
  });
  it("but sent unchanged if it is a text in quotes", async () => {
    const { run, service } = await against(() => undefined, filters('"9007199254740993"'));
    expectSober(await run(["apply", "--yes"]), 0);
    expect(service.writes()[0]?.body).toContain('"a":"9007199254740993"');
  });
  it("but halves of characters and NUL are sent as JSON escapes, and never shown", async () => {
    const { run, service } = await against(() => undefined, filters(String.raw`"\ud800 \0 \u202e"`));
    expectSober(await run(["plan"]), 0);
    expectSober(await run(["apply", "--yes"]), 0);
    expect(service.writes()[0]?.body).toContain(String.raw`"a":"\ud800 \u0000`);
    expectSober(await run(["plan", "--detailed-exitcode"]), 0);
  });
});

describe("names", () => {
  it.each(["a/b", "../x", "a b", "a\u0000b", "a\u202eb", "a\u200bb", "\ud800", "", "a\u009bb", "a\nb", "a\u2028b"])(
    "cannot be %j",
    async (name) => {
      for (const place of [
        (key: string) => `driftline: 1\norganizations: { ${key}: { name: A } }\n`,
        (key: string) => `driftline: 1\norganizations: { acme: { name: A, domains: { ${key}: { domain: a.com } } } }\n`,
        (key: string) => `driftline: 1\norganizations: { acme: { name: A, projects: { ${key}: { name: W } } } }\n`,
      ])
        await expectRefused(place(JSON.stringify(name)), /invalid_name|yaml_syntax/);
    },
  );

  it("of files are shown without control characters", async () => {
    const { run, folder } = await against(() => undefined, undefined);
    await writeFile(join(folder, "a\u001b[2J\u202e.yaml"), "driftline: 2\n");
    await mkdir(join(folder, "d\u009b31m"));
    await writeFile(join(folder, "d\u009b31m", "b.yaml"), "other: 1\n");
    for (const args of COMMANDS) expectSober(await run([...args, "--verbose"]), 10);
    expectSober(await run(["validate", "--format", "json"]), 10);
  });

  it("of unknown keys, and their values, are shown without control characters", async () => {
    const bad = String.raw`"\e[2J\u202e\x9b"`;
    await expectRefused(
      `driftline: 1\n${bad}: 1\norganizations: { acme: { name: [${bad}], ${bad}: ${bad}, enforce_2fa: ${bad} } }\n`,
      /unknown_key/,
    );
  });
});

describe("the URL and the key", () => {
  const run = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const space = await against(() => undefined, GOOD);
    const result = await space.run(args, { env });
    expect(space.service.heard).toEqual([]);
    return result;
  };

  it.each([
    "http://h/?token=hunter2",
    "http://user:hunter2@h/x#hunter2",
    "http://a\nb",
    "http://h/\u202e",
    "http://h\u001b[31m/",
    "ftp://user:hunter2@h",
    "//h",
    "http://",
    "javascript:alert(1)",
    "http://[::1",
    "http://127.0.0.1:99999",
  ])("the URL %j is refused without showing possible secrets in it", async (url) => {
    for (const command of ["plan", "drift", "doctor", "export"]) {
      const result = await run([command], { DRIFTLINE_URL: url });
      expect(result.code).toBe(10);
      if (command !== "doctor") expectSober(result, 10);
      expect(result.stdout + result.stderr).not.toContain("hunter2");
    }
    const configured = await against(() => undefined, `${GOOD}service: { url: ${JSON.stringify(url)} }\n`);
    expectSober(await configured.run(["plan"], { env: { DRIFTLINE_URL: "" } }), 10);
  });

  it("a URL may have a path; user and password in it are not sent", async () => {
    const { service, run: ran } = await against(() => undefined, GOOD);
    const url = `${service.url.replace("//", "//user:hunter2@")}/prefix/`;
    const result = await ran(["plan", "--verbose"], { env: { DRIFTLINE_URL: url } });
    expect(result.stdout + result.stderr).not.toMatch(/hunter2|user:/);
    expect(service.heard.every(({ path }) => path.startsWith("/prefix/api/"))).toBe(true);
    expect(service.heard.every(({ headers }) => headers.authorization?.startsWith("Bearer ") === true)).toBe(true);
  });

  it.each([
    "phx_hunter2\r\nX-Other: b",
    "phx_hunter2\nb",
    "phx_\u001b[31mhunter2",
    "ключ-hunter2",
    "phx hunter2",
    "phx_hunter2\u0000",
  ])("the key %j is refused and not shown", async (key) => {
    for (const args of [
      ["plan"],
      ["plan", "--format", "json"],
      ["drift"],
      ["apply", "--yes"],
      ["export"],
      ["doctor"],
      ["call", "organizations.list"],
    ]) {
      const result = await run(args, { DRIFTLINE_API_KEY: key });
      expect(result.code, result.stderr).toBe(11);
      expect(result.stdout + result.stderr).not.toContain("hunter2");
      expect(result.stdout + result.stderr).toContain("DRIFTLINE_API_KEY");
    }
  });

  it("a parameter that leads out of its path is refused", async () => {
    for (const id of ["..", ".", "a/../b", "%2e%2e", "%2E%2E%2F", "a\\b", "a\u0000", "\ud800", "x".repeat(500), ""]) {
      const result = await run(["call", "insights.get", "project_id=2", `id=${id}`]);
      expectSober(result, 10);
    }
  });
});
