import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Edit } from "../../../../src/edit/edit.ts";
import type { ImportCandidate } from "../../../../src/engine/import/candidates.ts";
import { importEdits, prepareImport } from "../../../../src/engine/import/target-file.ts";
import type { ProjectScope } from "../../../../src/model/resource.ts";
import { loadGood } from "../../config/helpers.ts";
import { candidate } from "./candidate.ts";

const WEB = "acme/projects/web";
const NOTHING = { projects: [], comments: new Map() };
const head = "driftline: 1\norganizations:\n  acme:\n";
const fields = { id: 9 };
const insight = (name: string, scope = WEB): ImportCandidate => ({ ...candidate("insight", scope, name, "9"), fields });
const domain: ImportCandidate = { ...candidate("domain", "acme", "d", "9"), fields };
const app: ProjectScope = { address: "acme/projects/app", organization: "acme", id: "3", name: "App", position: {} };

type Files = Readonly<Record<string, string>>;

/** Where candidates are written: `FILE:LINE PATH` of each edit, and the content of each new file. */
async function targets(
  files: Files,
  candidates: readonly ImportCandidate[],
  more: { projects?: readonly ProjectScope[]; folders?: readonly string[]; beside?: readonly string[] } = {},
) {
  const config = await loadGood(files);
  for (const file of more.beside ?? []) {
    mkdirSync(dirname(join(config.root, file)), { recursive: true });
    writeFileSync(join(config.root, file), "");
  }
  const { projects = [], folders = [config.root] } = more;
  const where = { cwd: config.root, folders, schema: () => undefined };
  const { files: prepared, manual } = await prepareImport(candidates, { ...NOTHING, projects }, config, where);
  return {
    edits: prepared.flatMap(({ textWith, edits }) =>
      textWith !== undefined ? [] : edits.map(({ at, path }) => `${at.file ?? ""}:${String(at.line)} ${path}`),
    ),
    made: Object.fromEntries(
      prepared.flatMap(({ file, textWith, after }) =>
        textWith !== undefined ? [[file, (parse(after ?? "") as { organizations: unknown }).organizations]] : [],
      ),
    ),
    manual: manual.length,
  };
}

describe("an imported resource is written", () => {
  const one = `${head}    name: Acme Inc\n    projects:\n      web:\n        id: "2"\n        insights:\n          a: { name: A }\n`;

  it("beside the others of its kind", async () => {
    expect((await targets({ "a.yaml": one }, [insight("b")])).edits).toEqual(["a.yaml:6 /insights"]);
  });

  it("below its scope if nothing of its kind is declared there", async () => {
    expect((await targets({ "a.yaml": one }, [domain])).edits).toEqual(["a.yaml:3 /domains"]);
  });

  it("to the others of its kind, though its scope is declared in another file", async () => {
    const files = {
      "a.yaml": `${head}    name: Acme Inc\n    projects: { web: { id: "2" } }\n`,
      "b.yaml": `${head}    projects:\n      web:\n        insights: { a: { name: A } }\n`,
    };
    expect((await targets(files, [insight("b")])).edits).toEqual(["b.yaml:5 /insights"]);
  });

  it("below its scope if no rule says which of several files is right", async () => {
    const files = {
      "a.yaml": `${head}    name: Acme Inc\n    projects: { web: { id: "2", insights: { a: { name: A } } } }\n`,
      "b.yaml": `${head}    projects: { web: { insights: { b: { name: B } } } }\n`,
    };
    expect((await targets(files, [insight("c")])).edits).toEqual(["a.yaml:5 /insights"]);
  });

  const split = (name: string): string =>
    `${head}    projects: { web: { insights: { ${name}1: { name: ${name} } } } }\n`;
  const SPLIT = {
    "acme.yaml": `${head}    name: Acme Inc\n    projects: { web: { id: "2" } }\n`,
    "web/insights/a.yaml": split("a"),
    "web/insights/b.yaml": split("b"),
    "web/insights/ba.yaml": split("ba"),
  };

  it.each([
    ["bee", "web/insights/b.yaml:4 /insights"],
    ["Band", "web/insights/ba.yaml:4 /insights"],
  ])("to the file whose name %s begins with, the longest one", async (name, edit) => {
    expect((await targets(SPLIT, [insight(name)])).edits).toEqual([edit]);
  });

  it("to a file of its own beside the only one, if that has its own, too", async () => {
    const alone = (file: string): Record<string, string> => ({ "acme.yaml": SPLIT["acme.yaml"], [file]: split("a") });
    expect(Object.keys((await targets(alone("web/insights/a1.yaml"), [insight("b")])).made)).toEqual([
      "web/insights/b.yaml",
    ]);
    expect((await targets(alone("web/insights/board.yaml"), [insight("b")])).edits).toEqual([
      "web/insights/board.yaml:4 /insights",
    ]);
  });

  it("to a new file if no name of a file begins it", async () => {
    const { edits, made } = await targets(SPLIT, [insight("cat"), insight("cow")]);
    const insights = { cat: { id: 9 }, cow: { id: 9 } };
    expect([edits, made]).toEqual([[], { "web/insights/c.yaml": { acme: { projects: { web: { insights } } } } }]);
  });

  it("to a new file whose name begins no name of another file", async () => {
    const files = { ...SPLIT, "web/insights/ca.yaml": split("ca") };
    expect(Object.keys((await targets(files, [insight("cow")])).made)).toEqual(["web/insights/co.yaml"]);
  });

  it("to a new file that has not the name of another one, whatever is in that", async () => {
    const other = `${head}    projects: { app: { id: "3", insights: { c: { name: C } } } }\n`;
    const files = { ...SPLIT, "web/insights/c.yaml": other };
    expect(Object.keys((await targets(files, [insight("cat")])).made)).toEqual(["web/insights/ca.yaml"]);
    const beside = { beside: ["web/insights/c.yaml", "web/insights/ca.yaml"] };
    expect(Object.keys((await targets(SPLIT, [insight("cat")], beside)).made)).toEqual(["web/insights/cat.yaml"]);
  });

  it("to a new file of its own scope, if another scope has one of the same name in the folder", async () => {
    const other = (name: string, project: string): string => split(name).replace("{ web:", `{ ${project}:`);
    const files = {
      "acme.yaml": SPLIT["acme.yaml"].replace(" } }\n", ' }, app: { id: "3" } }\n'),
      "insights/a.yaml": split("a"),
      "insights/b.yaml": split("b"),
      "insights/x.yaml": other("x", "app"),
      "insights/y.yaml": other("y", "app"),
    };
    const { edits, made } = await targets(files, [insight("cat"), insight("cow", "acme/projects/app"), insight("cab")]);
    expect([edits, made]).toEqual([
      [],
      {
        "insights/c.yaml": { acme: { projects: { web: { insights: { cat: { id: 9 }, cab: { id: 9 } } } } } },
        "insights/co.yaml": { acme: { projects: { app: { insights: { cow: { id: 9 } } } } } },
      },
    ]);
  });

  it("below its scope if every name of a new file is taken, or if no folder is read", async () => {
    const beside = ["c", "ca", "cat"].map((name) => `web/insights/${name}.yaml`);
    const scope = ["acme.yaml:5 /insights"];
    expect((await targets(SPLIT, [insight("cat")], { beside })).edits).toEqual(scope);
    expect((await targets(SPLIT, [insight("cat")], { folders: [] })).edits).toEqual(scope);
  });

  it("to a new file with its whole name, although the names of others begin with it", async () => {
    const files = { ...SPLIT, "web/insights/cd.yaml": split("cd") };
    expect(Object.keys((await targets(files, [insight("c")])).made)).toEqual(["web/insights/c.yaml"]);
  });

  it("to a new file whose text can be made with some of its edits", async () => {
    const config = await loadGood(SPLIT);
    const where = { cwd: config.root, folders: [config.root], schema: () => undefined };
    const { newFiles } = importEdits([insight("cat"), insight("cow")], NOTHING, config, where);
    const [file] = newFiles;
    expect(file?.textWith?.(file.edits)).toBe(file?.after);
    expect(parse(file?.textWith?.(file.edits.slice(1)) ?? "")).toMatchObject({
      organizations: { acme: { projects: { web: { insights: { cow: { id: 9 } } } } } },
    });
    expect(file?.textWith?.(file.edits.slice(1))).not.toContain("cat:");
  });

  it("to a new file in the folder that a link leads to", async () => {
    const config = await loadGood(SPLIT);
    const link = join(config.root, "link");
    symlinkSync(config.root, link);
    const where = { cwd: link, folders: [link], schema: () => undefined };
    const { newFiles } = importEdits([insight("cat")], NOTHING, config, where);
    expect(newFiles[0]?.path).toBe(join(realpathSync(config.root), "web/insights/c.yaml"));
  });

  it("to a new file that a search will find, and that no other one is on a system without capital letters", async () => {
    expect((await targets(SPLIT, [insight(".cat")])).edits).toEqual(["acme.yaml:5 /insights"]);
    const capital = { ...SPLIT, "web/insights/C.yaml": `${head}    projects: { app: { id: "3" } }\n` };
    expect(Object.keys((await targets(capital, [insight("cat")])).made)).toEqual(["web/insights/ca.yaml"]);
    const hidden = {
      "acme.yaml": SPLIT["acme.yaml"],
      ".h/insights/a.yaml": split("a"),
      ".h/insights/b.yaml": split("b"),
    };
    const config = await loadGood(hidden, { paths: [".", ".h/insights/a.yaml", ".h/insights/b.yaml"] });
    const where = { cwd: config.root, folders: [config.root], schema: () => undefined };
    const { edits, newFiles } = importEdits([insight("cat")], NOTHING, config, where);
    expect([edits.map(({ at }) => at.file), newFiles]).toEqual([["acme.yaml"], []]);
  });

  it("to one new file, however many links lead to it", async () => {
    const files = { "acme.yaml": SPLIT["acme.yaml"].replace(" } }\n", ' }, app: { id: "3" } }\n') };
    const config = await loadGood(files);
    const real = join(config.root, "insights");
    mkdirSync(real);
    for (const link of ["l1", "l2"]) {
      mkdirSync(join(config.root, link));
      symlinkSync(real, join(config.root, link, "insights"));
    }
    const places = (link: string) =>
      ["a", "b"].map((name) => ({ file: `${link}/insights/${name}.yaml`, line: 1, column: 1 }));
    const collectionPlaces = new Map([
      [`${WEB}/insights`, places("l1")],
      ["acme/projects/app/insights", places("l2")],
    ]);
    const where = { cwd: config.root, folders: [config.root], schema: () => undefined };
    const candidates = [insight("cat"), insight("cow", "acme/projects/app")];
    const { newFiles } = importEdits(candidates, NOTHING, { ...config, collectionPlaces }, where);
    expect(newFiles.map(({ path }) => path)).toEqual(
      ["c", "co"].map((name) => join(realpathSync(real), `${name}.yaml`)),
    );
  });

  it("by a person, if it belongs into a program", async () => {
    const loaded = await loadGood(one);
    const position = { file: "a.driftline.ts" };
    const resources = loaded.graph.resources.map((resource) => ({ ...resource, position }));
    const config = { ...loaded, graph: { ...loaded.graph, resources }, collectionPlaces: new Map() };
    const where = { cwd: loaded.root, folders: [loaded.root], schema: () => undefined };
    const { files, manual } = await prepareImport([domain], NOTHING, config, where);
    expect([files, manual.map(({ edit }) => [edit.at.file, edit.path])]).toEqual([
      [],
      [["a.driftline.ts", "/domains"]],
    ]);
  });

  it("not at all into a file that was changed meanwhile", async () => {
    const config = await loadGood({ "a.yaml": one });
    writeFileSync(join(config.root, "a.yaml"), `${one}# mine\n`);
    const where = { cwd: config.root, folders: [], schema: () => undefined };
    await expect(prepareImport([insight("b")], NOTHING, config, where)).rejects.toMatchObject({ reason: "stale" });
  });

  it("each in an edit of its own, also those of a new file", async () => {
    const config = await loadGood(SPLIT);
    const where = { cwd: config.root, folders: [config.root], schema: () => undefined };
    const candidates = [insight("bee"), insight("cat"), insight("cow"), domain];
    const { edits, newFiles } = importEdits(candidates, NOTHING, config, where);
    const addresses = (some: readonly Edit[]): readonly string[] => some.map(({ source }) => source.address);
    expect(addresses(edits)).toEqual([`${WEB}/insights/bee`, "acme/domains/d"]);
    expect(newFiles.map((file) => addresses(file.edits))).toEqual([[`${WEB}/insights/cat`, `${WEB}/insights/cow`]]);
  });
});

describe("a new project is written", () => {
  const OWN = {
    "acme.yaml": `${head}    name: Acme Inc\n`,
    "projects/web.yaml": `${head}    projects: { web: { id: "2" } }\n`,
  };
  const APP = { projects: [app] };
  const a = insight("a", app.address);
  const content = { acme: { projects: { app: { id: "3", name: "App", insights: { a: { id: 9 } } } } } };

  it("below its organization, with all that it holds, if the others are there", async () => {
    const text = `${head}    name: Acme Inc\n    projects: { web: { id: "2" } }\n`;
    expect(await targets({ "a.yaml": text }, [a, insight("b", app.address)], APP)).toEqual({
      edits: ["a.yaml:3 /projects"],
      made: {},
      manual: 0,
    });
  });

  it("into a file beside those of the others", async () => {
    expect(await targets(OWN, [a], APP)).toEqual({ edits: [], made: { "projects/app.yaml": content }, manual: 0 });
  });

  it("into a file whose name is free", async () => {
    const { made } = await targets(OWN, [a], { ...APP, beside: ["projects/app.yaml", "projects/app-2.yaml"] });
    expect(made).toEqual({ "projects/app-3.yaml": content });
  });

  it("into another file than that of another new project of its name", async () => {
    const other = { ...app, address: "beta/projects/app", organization: "beta" };
    const files = {
      ...OWN,
      "beta.yaml": "driftline: 1\norganizations: { beta: { name: Beta } }\n",
      "projects/two.yaml": "driftline: 1\norganizations: { beta: { projects: { two: { id: '4' } } } }\n",
    };
    const { made } = await targets(files, [a, insight("a", other.address)], { projects: [app, other] });
    expect(Object.keys(made)).toEqual(["projects/app.yaml", "projects/app-2.yaml"]);
  });

  it("below its organization if the search leaves out a file of its name", async () => {
    const hidden = { ...app, address: "acme/projects/.app" };
    const { edits, made } = await targets(OWN, [insight("a", hidden.address)], { projects: [hidden] });
    expect([edits, made]).toEqual([["acme.yaml:3 /projects"], {}]);
  });

  it("below its organization if another project is declared in a program", async () => {
    const loaded = await loadGood(OWN);
    const projects = loaded.graph.projects.map((one) => ({ ...one, position: { file: "projects/web.driftline.ts" } }));
    const config = { ...loaded, graph: { ...loaded.graph, projects } };
    const where = { cwd: loaded.root, folders: [loaded.root], schema: () => undefined };
    const { files } = await prepareImport([a], { ...NOTHING, ...APP }, config, where);
    expect(files.map(({ file }) => file)).toEqual(["acme.yaml"]);
  });

  it("below its organization if a new file would not be read again", async () => {
    const { edits, made } = await targets(OWN, [a], { ...APP, folders: ["/elsewhere"] });
    expect([edits, made]).toEqual([["acme.yaml:3 /projects"], {}]);
  });
});
