/** The replace of an object that is created before the old one is removed, killed in between: the next run finishes it. */
import { createHash } from "node:crypto";
import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { StoredObject } from "../../src/emulator/index.ts";
import { spawnCli } from "../support/cli.ts";
import { DIALECTS } from "../support/dialects.ts";
import { WAYS } from "../support/ways.ts";
import { SEED, workspace, type Workspace } from "../support/workspace.ts";
import type { OutcomesDocument } from "../../src/model/outcome.ts";
import type { PlanDocument } from "../../src/model/plan.ts";
import { ACME, configOf } from "./support.ts";

const ADDRESS = "acme/projects/web/batch_exports/e";
const NOOP = { type: "NoOp", config: {} };
const HTTP = { type: "HTTP", config: { url: "https://a.com", token: "t" } };
const [SEEDED] = SEED.organizations;

const config = (destination: object, more: object = {}): object =>
  configOf({
    acme: {
      id: ACME,
      ...more,
      projects: { web: { id: "2", batch_exports: { e: { name: "E", interval: "hour", destination } } } },
    },
  });

const live = ({ emulator }: Workspace): readonly StoredObject[] => emulator.find("batch_export");

/** An export whose apply was killed while the removal of the old object was in flight. */
async function killedAtRemoval(dialect: (typeof DIALECTS)[number], more: object = {}): Promise<Workspace> {
  const space = await workspace({ dialect, seed: { organizations: [SEEDED] } as never });
  space.emulator.insert("batch_export", { project: 2 }, { name: "E", interval: "hour", destination: NOOP });
  await space.configure(config(HTTP, more));
  const { child, result } = spawnCli(["apply", "--yes"], { cwd: space.folder, env: space.env });
  const kill = {
    catch: async () => {
      child.kill("SIGKILL");
      await result;
    },
  };
  const rule = { method: "DELETE", path: "/batch_exports", nth: 1 };
  space.emulator.faults.add({ ...rule, fault: { type: "delay-before", until: kill as unknown as Promise<unknown> } });
  space.emulator.faults.add({ ...rule, fault: { type: "drop-before" } });
  await result;
  space.emulator.faults.clear();
  expect(live(space).map((object) => object["paused"])).toEqual([false, true]);
  space.emulator.clearRequests();
  return space;
}

/** Every file of a folder with its content and the time of its last change. */
async function contents(folder: string): Promise<object> {
  const names = await readdir(folder, { recursive: true });
  const files = names.toSorted().map(async (name) => {
    const path = join(folder, name);
    const info = await stat(path);
    const text = info.isFile()
      ? createHash("sha256")
          .update(await readFile(path))
          .digest("hex")
      : "";
    return [name, info.mtimeMs, text];
  });
  return Promise.all(files);
}

async function journalOf({ env }: Workspace): Promise<string> {
  const folder = env["DRIFTLINE_STATE_DIR"] ?? "";
  const name = (await readdir(folder)).find((one) => one.endsWith(".journal"));
  return join(folder, name ?? "none");
}

const actionIn = ({ changes }: PlanDocument): string | undefined =>
  changes.find(({ address }) => address === ADDRESS)?.action;

const changesOf = ({ changes }: OutcomesDocument): readonly object[] =>
  changes.filter(({ action }) => action !== "no_op");

const CASES = DIALECTS.flatMap((dialect) => WAYS.map((way) => ({ dialect, way, name: way.name })));

describe.each(CASES)(
  "a replace that was killed before it removed the old object ($name, $dialect)",
  ({ dialect, way }) => {
    it("is a replace to the next plan and drift, which send GET only and touch no file", async () => {
      const space = await killedAtRemoval(dialect);
      const before = await contents(space.folder);
      for (const type of ["driftline.plan", "driftline.drift"] as const) {
        const document = await way.plan(space, type);
        expect(actionIn(document)).toBe("replace");
        expect(document.unmanaged).toEqual([]);
      }
      expect(space.emulator.requests.every(({ method }) => method === "GET")).toBe(true);
      expect(await contents(space.folder)).toEqual(before);
    });

    it("is finished by the next apply: one export, of the new type and running", async () => {
      const space = await killedAtRemoval(dialect);
      const created = String(live(space)[1]?.["id"]);
      const again = await way.apply(space);
      expect(changesOf(again)).toMatchObject([{ address: ADDRESS, action: "replace", status: "applied", id: created }]);
      expect(live(space)).toMatchObject([{ id: created, paused: false, destination: { type: "HTTP" } }]);
      expect(
        space.emulator.requests.filter(({ method, path }) => method === "POST" && path.endsWith("exports/")),
      ).toEqual([]);
      expect(changesOf(await way.apply(space))).toEqual([]);
    });

    it("is not finished if the export is no longer declared: both objects exist, and a pin has to select one", async () => {
      const space = await killedAtRemoval(dialect);
      await space.configure(config(NOOP));
      const document = await way.plan(space);
      expect(actionIn(document)).toBe("unknown");
      expect(document.diagnostics).toMatchObject([{ code: "ambiguous" }]);
    });

    it("does not have its new object pruned", async () => {
      const space = await killedAtRemoval(dialect, { exclusive: ["batch_exports"] });
      const result = await space.run(["plan", "--prune", "--format", "json"]);
      expect((JSON.parse(result.stdout) as PlanDocument).changes.map(({ action }) => action)).toEqual([
        "no_op",
        "replace",
      ]);
    });

    it.each([
      ["missing", (path: string) => writeFile(path, "")],
      ["damaged", async (path: string) => writeFile(path, (await readFile(path, "utf8")).replaceAll("begin", "begun"))],
      [
        "unreadable",
        async (path: string) => (process.getuid?.() === 0 ? writeFile(path, "\u0000") : chmod(path, 0o000)),
      ],
    ])("leaves two objects if the journal is %s", async (_name, damage) => {
      const space = await killedAtRemoval(dialect);
      await damage(await journalOf(space));
      expect(actionIn(await way.plan(space))).toBe("unknown");
    });
  },
);
