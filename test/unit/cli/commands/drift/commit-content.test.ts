import { expect, it } from "vitest";
import { createRedactor, type Redactor } from "../../../../../src/api/redact/redact.ts";
import { contentOf } from "../../../../../src/cli/commands/drift/commit-content.ts";

const messageOf = (by: string, redactor: Redactor) =>
  contentOf({ by, at: undefined, edits: [], files: [] }, { nameOf: (path) => path, redactor });

it("a commit holds no secret", () => {
  const redactor = createRedactor();
  redactor.add("hunter22");
  expect(messageOf("hunter22", redactor).message).not.toContain("hunter22");
});

it.each([
  ["root@localhost", true],
  ["ada@bücher.example", true],
  ["Ada", false],
  ["Ada <ada@acme.com>", false],
])("a commit of what %s changed names a co-author: %s", (by, isNamed) => {
  const { message } = messageOf(by, createRedactor());
  expect(message.includes(`Co-authored-by: ${by} <${by}>`)).toBe(isNamed);
});
