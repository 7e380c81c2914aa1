/** The surroundings of a run: empty variables, files that cannot be written, options that contradict each other. */
import { existsSync } from "node:fs";
import { mkdir, open, readdir, readFile, writeFile } from "node:fs/promises";
import { spawn } from "node:child_process";
import { dirname, join, resolve } from "node:path";
import { expect, it } from "vitest";
import { spawnCli } from "../support/cli.ts";
import { commandFile } from "../support/command.ts";
import { DEFECT, linesWith } from "../support/normalized.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

function acme(fields: object = { enforce_2fa: true }): object {
  return { driftline: 1, organizations: { acme: { name: "Acme Inc", ...fields } } };
}

async function configured(fields?: object): Promise<Workspace> {
  const space = await workspace();
  await space.configure(acme(fields));
  return space;
}

it("an empty DRIFTLINE_URL does not count: the configuration's does", async () => {
  const space = await workspace();
  await space.configure({ ...acme(), service: { url: space.emulator.url } });
  for (const command of ["plan", "doctor"])
    expect(await space.run([command], { env: { DRIFTLINE_URL: "" } }), command).toMatchObject({ code: 0 });
});

it("empty variables for folders do not count: nothing is kept beside the configuration", async () => {
  const space = await configured();
  const state = join(space.folder, "home");
  const env = { DRIFTLINE_STATE_DIR: "", XDG_STATE_HOME: "", HOME: state };
  expect(await space.run(["apply", "--yes"], { env })).toMatchObject({ code: 0 });
  expect((await readdir(space.folder)).toSorted()).toEqual(["driftline.yaml", "home"]);
  expect(existsSync(join(state, ".local", "state", "driftline"))).toBe(true);
});

it("a file that cannot be written is reported as such, and not as a defect of driftline", async () => {
  const space = await configured();
  await writeFile(join(space.folder, "taken"), "");
  const lines = ["plan --out no/such/folder.json", "plan --out .", "export --out taken", "export --pulumi taken/in"];
  for (const line of lines) {
    const { code, stderr } = await space.run(line.split(" "));
    expect({ line, code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("cannot_write") as string,
    });
    expect(stderr).not.toContain(DEFECT);
  }
});

it.runIf(existsSync("/dev/full"))(
  "a result that could not be written completely is an error in every format",
  async () => {
    const space = await configured();
    const codeOf = async (format: string): Promise<unknown> => {
      const full = await open("/dev/full", "w");
      const env = { PATH: process.env["PATH"] ?? "", ...space.env };
      const child = spawn(process.execPath, [commandFile(), "plan", "--format", format], {
        cwd: space.folder,
        env,
        stdio: ["ignore", full.fd, "ignore"],
      });
      const code = await new Promise((done) => child.on("close", done));
      await full.close();
      return code;
    };
    expect(await Promise.all(["text", "json"].map(codeOf))).toEqual([1, 1]);
  },
);

it("an empty path, as from a variable that is not set, is not the current folder", async () => {
  const space = await configured();
  const lines = [
    ["validate"],
    ["plan"],
    ["apply", "--yes"],
    ["plan", "--out"],
    ["export", "--out"],
    ["export", "--pulumi"],
  ];
  const reported = new Set<string>();
  for (const line of lines) {
    const { code, stderr } = await space.run([...line, ""]);
    expect(code, line.join(" ")).toBe(10);
    reported.add(linesWith(stderr, "error usage"));
  }
  expect([...reported].join("\n")).toMatchSnapshot();
  expect(space.emulator.requests).toEqual([]);
  expect(await readdir(space.folder)).toEqual(["driftline.yaml"]);
});

it("export refuses a project that the key does not see", async () => {
  const space = await workspace();
  const { code, stdout, stderr } = await space.run(["export", "--project", "2", "99"]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(linesWith(stderr, "error not_found")).toMatchSnapshot();
  expect(await space.run(["export", "--project", "2"])).toMatchObject({ code: 0 });
});

it("export, init and its examples name the schema by a path or a URL that resolves, and never by the names of other folders", async () => {
  const space = await workspace();
  const elsewhere = await workspace();
  const schema = "node_modules/driftline/schemas/config.schema.json";
  await mkdir(join(space.folder, dirname(schema)), { recursive: true });
  await writeFile(join(space.folder, schema), "{}");
  const named = async (file: string): Promise<string | undefined> =>
    /^# yaml-language-server: \$schema=(.*)/u.exec(await readFile(file, "utf8"))?.[1];
  for (const folder of [".", "live", "live/2026/", join(elsewhere.folder, "live")]) {
    const { stdout } = await space.run(["export", "--out", folder]);
    expect(stdout.trim().split("\n")).toHaveLength(2);
  }
  await space.run(["init", "live/new.yaml"]);
  await space.run(["init", "first.yaml"]);
  await space.run(["init", "--example", "teams", "live/copy"]);
  const written = [
    "acme-inc/organization.yaml",
    "live/acme-inc/projects/web.yaml",
    "live/2026/acme-inc/organization.yaml",
    "live/new.yaml",
    "first.yaml",
    "live/copy/staging/organization.yaml",
  ];
  for (const file of written) {
    const path = await named(join(space.folder, file));
    expect(path).toMatch(/^\.{1,2}\/(?:\.\.\/)*node_modules\//u);
    expect(resolve(space.folder, dirname(file), path ?? "")).toBe(join(space.folder, schema));
  }
  // Nothing is installed there, another machine has other folders, and only a release has an address.
  expect(await named(join(elsewhere.folder, "live/acme-inc/organization.yaml"))).toBeUndefined();
});

it("export warns of a configuration in its folder, which the next plan would read as well", async () => {
  const space = await workspace();
  expect((await space.run(["export", "--out", "empty"])).stderr).not.toContain("beside_configuration");
  await writeFile(join(space.folder, "other.yaml"), "services: {}\n");
  await space.run(["init"]);
  const { code, stderr } = await space.run(["export", "--out", "."]);
  expect(code).toBe(0);
  expect(linesWith(stderr, "warning beside_configuration")).toMatchSnapshot();
});

it("export reports an organization that does not list its projects", async () => {
  const space = await workspace();
  space.emulator.faults.add({ method: "GET", path: "/organizations/", fault: { type: "drop-field", field: "teams" } });
  const { code, stderr } = await space.run(["export"]);
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("projects_not_listed") as string });
});

it.each([
  ["posthog", ["basic", "limit", "offset", "order"]],
  ["document", ["limit", "offset"]],
])("export sends with the profile %s only the parameters %s", async (profile, allowed) => {
  const space = await workspace();
  expect(await space.run(["export", "--profile", profile])).toMatchObject({ code: 0 });
  const asked = new Set(space.emulator.requests.flatMap(({ query }) => Object.keys(query)));
  expect([...asked].toSorted()).toEqual(allowed);
});

it("init writes a valid program if its file is one", async () => {
  const space = await workspace();
  expect(await space.run(["init", "acme.driftline.ts"])).toMatchObject({ code: 0 });
  expect(await readFile(join(space.folder, "acme.driftline.ts"), "utf8")).toContain("defineConfig({");
  expect(await space.run(["validate", "."])).toMatchObject({ code: 0 });
});

it("the output of a program of the configuration is not part of the result", async () => {
  const space = await workspace();
  const program = `console.log("hello"); console.info("there"); export default ${JSON.stringify(acme())}`;
  await space.configure(program, "acme.driftline.ts");
  const { result } = spawnCli(["plan", "--format", "json"], { cwd: space.folder, env: space.env });
  const { code, stdout, stderr } = await result;
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("hello\nthere\n") as string });
  expect(JSON.parse(stdout)).toMatchObject({ type: "driftline.plan" });
});

it.each(["SIGINT", "SIGTERM"] as const)(
  "an emulator that is stopped by %s says nothing about requests",
  async (signal) => {
    const { folder } = await workspace();
    const { child, result } = spawnCli(["emulator"], { cwd: folder, env: {} });
    child.stdout?.once("data", () => child.kill(signal));
    expect(await result).toMatchObject({ code: 0, stderr: "\n" });
  },
);

it("an impossible port is a usage error", async () => {
  const space = await workspace();
  expect(await space.run(["emulator", "--port", "65536"])).toMatchObject({ code: 10 });
});

it.each([
  ["ends the process", "process.exit(0);"],
  ["waits forever", "await new Promise(() => undefined);"],
])("a configuration that %s is a failure", async (_, line) => {
  const space = await workspace();
  await space.configure(`${line}\nexport default { driftline: 1, organizations: {} };\n`, "driftline.ts");
  const options = { cwd: space.folder, env: space.env };
  // It would end this process, or never let it end.
  const started = ["validate", "drift"].map((command) => spawnCli([command, "driftline.ts"], options).result);
  for (const { code, stderr } of await Promise.all(started)) {
    expect(code).toBe(1);
    expect(linesWith(stderr, "error: ")).toMatchSnapshot();
  }
  expect(space.emulator.requests).toEqual([]);
});
