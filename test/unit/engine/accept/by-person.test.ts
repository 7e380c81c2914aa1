import { describe, expect, it } from "vitest";
import { Acceptance } from "../../../../src/engine/accept/acceptance.ts";
import type { AcceptEdit } from "../../../../src/engine/accept/accept-edit.ts";
import { byPerson, type PersonsPart } from "../../../../src/engine/accept/by-person.ts";
import { driftOf } from "./support.ts";

const declare = (...names: readonly string[]): string => {
  const insights = names.map((name) => `${name}: { name: ${name}, description: a }`).join(", ");
  return `driftline: 1\norganizations: { acme: { projects: { web: { id: "2", insights: { ${insights} } } } } }\n`;
};

/** Insights with the description `b`, each of a person and a time. */
async function partsOf(
  files: Readonly<Record<string, string>>,
  changed: Readonly<Record<string, readonly [by: string | null, at: string | null]>>,
) {
  const rows = Object.entries(changed).map(([name, [by, at]], index) => ({
    id: index,
    short_id: `short${String(index)}`,
    name,
    description: "b",
    last_modified_by: by === null ? null : { email: by },
    last_modified_at: at,
  }));
  const organization = "driftline: 1\norganizations: { acme: { name: Acme Inc } }\n";
  const run = await driftOf({ "org.yaml": organization, ...files }, { "insights.list": rows });
  const acceptance = await Acceptance.prepare(run, run.input.config.root, {});
  return { run, acceptance, parts: await byPerson(run, acceptance, run.input.config.root) };
}

describe("the part of each person", () => {
  it("comes in the order of their first changes, with the time of the last", async () => {
    const { parts } = await partsOf(
      { "a.yaml": declare("one", "two", "three", "four") },
      {
        one: ["bob", "2026-03-03"],
        two: ["ada", "2026-03-02"],
        three: ["bob", "2026-03-01"],
        four: ["ada", "2026-03-04"],
      },
    );
    expect(
      parts.map(({ by, at, edits }) => [by, at, edits.map(({ source }) => source.address.split("/").at(-1))]),
    ).toEqual([
      ["bob", "2026-03-03", ["one", "three"]],
      ["ada", "2026-03-04", ["four", "two"]],
    ]);
  });

  it("has the files as they are after it, so that the last one has everything", async () => {
    const { parts, acceptance } = await partsOf(
      { "a.yaml": declare("one", "two"), "b.yaml": declare("three") },
      { one: ["bob", "2026-03-01"], two: ["ada", "2026-03-02"], three: ["eve", "2026-03-03"] },
    );
    const accepted = (text = ""): readonly string[] => text.match(/\w+(?=: \{ name: \w+, description: b)/gu) ?? [];
    expect(parts.map(({ files }) => files.map(({ file, after }) => [file, ...accepted(after)]))).toEqual([
      [["a.yaml", "one"]],
      [["a.yaml", "one", "two"]],
      [
        ["a.yaml", "one", "two"],
        ["b.yaml", "three"],
      ],
    ]);
    expect(parts.at(-1)?.files).toBe(acceptance.files);
  });

  it("has a new file with what this person and those before have made", async () => {
    const { acceptance, run } = await partsOf(
      { "a.yaml": declare("one", "two", "three") },
      { one: ["bob", "2026-03-01"], two: ["ada", "2026-03-02"], three: ["eve", "2026-03-03"] },
    );
    const [known] = acceptance.files;
    if (known === undefined) throw new Error("nothing is accepted");
    // As if two of the three were new objects.
    const own = ({ source }: AcceptEdit): boolean => source.address.endsWith("/one");
    const files = [
      { ...known, edits: known.edits.filter(own) },
      {
        ...known,
        file: "new.yaml",
        textWith: (some: readonly unknown[]) => String(some.length),
        edits: known.edits.filter((edit) => !own(edit)),
      },
    ];
    const parts = await byPerson(run, { files }, run.input.config.root);
    const texts = (all: PersonsPart["files"]): readonly string[] =>
      all.map(({ file, after, textWith }) => (textWith === undefined ? file : `${file} ${after}`));
    expect(parts.slice(0, -1).map((part) => [part.by, texts(part.files)])).toEqual([
      ["bob", ["a.yaml"]],
      ["ada", ["a.yaml", "new.yaml 1"]],
    ]);
    expect(parts.at(-1)?.files).toBe(files);
  });

  it("is one for all of whom the service does not say who they are, and the last without a time", async () => {
    const { parts } = await partsOf(
      { "a.yaml": declare("one", "two", "three", "four") },
      { one: ["eve", null], two: [null, "2026-03-02"], three: [null, null], four: ["ada", "2026-03-01"] },
    );
    expect(parts.map(({ by, at, edits }) => [by, at, edits.length])).toEqual([
      ["ada", "2026-03-01", 1],
      [undefined, "2026-03-02", 2],
      ["eve", undefined, 1],
    ]);
  });

  it("does not exist if nothing is accepted", async () => {
    const { parts } = await partsOf({ "a.yaml": declare("one") }, {});
    expect(parts).toEqual([]);
  });
});
