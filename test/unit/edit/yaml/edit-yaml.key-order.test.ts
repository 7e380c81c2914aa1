/** A new key of a resource goes behind the nearest one that is before it in an order. What is there stays where it is. */
import { describe, expect, it } from "vitest";
import { editAt } from "../edit-at.ts";
import { editYaml } from "../../../../src/edit/yaml/edit-yaml.ts";

const order = ["id", "name", "description", "tags", "filters", "query"];
const NEW = { "/tags": ["b"], "/description": "D" };

function edited(text: string, values: Readonly<Record<string, string | readonly string[]>> = NEW): string {
  const edits = Object.entries(values).map(([path, value]) => editAt(1, 1, { path, value, order }));
  const { text: result, refused } = editYaml(text, edits);
  expect(refused).toEqual([]);
  return result;
}

describe("new keys of a resource", () => {
  it.each([
    [
      "go above a query, and its comment stays with it",
      "a:\n  id: 1 # page\n  name: A # why\n\n  # of the query\n  query: { kind: Q }\n  lifecycle: {}\n",
      "a:\n  id: 1 # page\n  name: A # why\n  description: D\n  tags: [b]\n\n  # of the query\n  query: { kind: Q }\n  lifecycle: {}\n",
    ],
    [
      "go above the first one, and its comment stays with it",
      "a:\n  # of the query\n  query: { kind: Q }\n",
      "a:\n  description: D\n  tags: [b]\n  # of the query\n  query: { kind: Q }\n",
    ],
    [
      "leave the others in the order of their author",
      "a:\n  query: { kind: Q }\n  ours: 1\n  name: A\n  id: 1\n",
      "a:\n  query: { kind: Q }\n  ours: 1\n  name: A\n  description: D\n  tags: [b]\n  id: 1\n",
    ],
    [
      "go to their places between braces",
      "a: { id: 1, name: A, query: { kind: Q } }\n",
      "a: { id: 1, name: A, description: D, tags: [b], query: { kind: Q } }\n",
    ],
  ])("%s", (_name, before, after) => {
    expect(edited(before)).toBe(after);
  });

  it("take the place of one that goes", () => {
    const exchange = { path: "", declared: { filters: {} }, value: { query: "Q" }, order };
    const { text } = editYaml("a:\n  name: A\n  filters: {}\n  lifecycle: {}\n", [editAt(1, 1, exchange)]);
    expect(text).toBe("a:\n  name: A\n  query: Q\n  lifecycle: {}\n");
  });

  it("go to their places beside an edit of the same mapping that has no order", () => {
    const edits = [
      editAt(1, 1, { path: "/id", value: "1", first: true }),
      editAt(1, 1, { path: "/description", value: "D", order }),
    ];
    expect(editYaml("a:\n  name: A\n  query: Q\n", edits).text).toBe(
      'a:\n  id: "1"\n  name: A\n  description: D\n  query: Q\n',
    );
  });
});
