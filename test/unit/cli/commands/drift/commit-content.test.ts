import { expect, it } from "vitest";
import { contentOf } from "../../../../../src/cli/commands/drift/commit-content.ts";

it.each([
  ["root@localhost", true],
  ["ada@bücher.example", true],
  ["Ada", false],
  ["Ada <ada@acme.com>", false],
])("a commit of what %s changed names a co-author: %s", (by, isNamed) => {
  const { message } = contentOf({ by, at: undefined, edits: [], files: [] }, (path) => path);
  expect(message.includes(`Co-authored-by: ${by} <${by}>`)).toBe(isNamed);
});
