/** A configuration in JSON stays JSON, whatever is written into it, and a byte order mark counts in no position. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editAt } from "../edit-at.ts";
import type { Edit } from "../../../../src/edit/edit.ts";
import { editYaml } from "../../../../src/edit/yaml/edit-yaml.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../../src/model/json/json.ts";
import { budget } from "../../../support/budget.ts";

const TEXT = `{
    "acme": {
        "name": "Acme",
        "domains": {
            "corp": { "domain": "acme.com" },
            "old": { "domain": "acme.de" }
        }
    }
}
`;
/** An edit of the resource `acme`. */
const acme = (edit: Omit<Edit, "at" | "source">): Edit => editAt(2, 5, edit);

describe("an edit of a JSON file", () => {
  it.each<readonly [string, Edit, string]>([
    [
      "adds an id before the other keys",
      acme({ path: "", value: { id: "7" }, first: true, add: true }),
      TEXT.replace('"name"', '"id": "7",\n        "name"'),
    ],
    [
      "adds a resource behind the others",
      acme({ path: "/domains", value: { young: { domain: "acme.fr", tags: [] } }, add: true }),
      TEXT.replace('"acme.de" }', '"acme.de" },\n            "young": { "domain": "acme.fr", "tags": [] }'),
    ],
    [
      "writes no comment",
      (() => {
        const value = { domain: "acme.fr" };
        const comments = new Map([[value, "no comment"]]);
        return acme({ path: "/domains", value: { young: value }, add: true, comments });
      })(),
      TEXT.replace('"acme.de" }', '"acme.de" },\n            "young": { "domain": "acme.fr" }'),
    ],
    [
      "removes the last resource with the comma before it",
      editAt(6, 13, { path: "", value: undefined }),
      TEXT.replace(',\n            "old": { "domain": "acme.de" }', ""),
    ],
    [
      "escapes what is invisible",
      acme({ path: "/name", declared: "Acme", value: "A\u200B\u{E0041}" }),
      TEXT.replace('"Acme"', String.raw`"A\u200b\udb40\udc41"`),
    ],
  ])("%s", (_name, edit, expected) => {
    expect(editYaml(TEXT, [edit])).toEqual({ text: expected, refused: [] });
    expect(editYaml(`\uFEFF${TEXT}`, [edit])).toEqual({ text: `\uFEFF${expected}`, refused: [] });
  });

  it("writes any value into any JSON, which stays JSON", () => {
    const keys = fc.constantFrom("a", "b", "c", "key: x", "true", "7", "é");
    const { object } = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constantFrom(null, "x # y", "# no", "${a}", "yes")),
        fc.array(tie("value"), { maxLength: 3 }),
        tie("object"),
      ),
      object: fc.dictionary(keys, tie("value"), { maxKeys: 4, noNullPrototype: true }),
    }));
    const property = fc.property(object, object, fc.constantFrom(0, 2, 4), (before, after, indent) => {
      const text = JSON.stringify({ web: before }, null, indent);
      const place = { line: indent === 0 ? 1 : 2, column: indent === 0 ? 2 : indent + 1 };
      const { text: result, refused } = editYaml(text, [
        editAt(place.line, place.column, { path: "", declared: before, value: after }),
      ]);
      const isRefused = refused.length > 0;
      // What looks like an expression comes from somewhere else.
      if (isRefused) expect(text).toContain("${");
      const written = JSON.parse(result) as Json;
      // A value that is not changed is not written, so what looks like an expression stays one.
      const isKept = text.includes("${") && JSON.stringify(after).includes("${");
      if (!isKept) expect(written).toEqual({ web: isRefused ? before : escaped(after) });
    });
    fc.assert(property, { numRuns: budget(2000) });
  });
});

/** What a configuration says to mean a value: a literal `${` begins with another dollar. */
function escaped(value: Json): Json {
  if (typeof value === "string") return value.replaceAll("${", () => "$${");
  if (Array.isArray(value)) return value.map((item: Json) => escaped(item));
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, escaped(item)]))
    : value;
}
