import { expect, it } from "vitest";
import type { OperationName } from "../../../src/api/operations/index.ts";
import type { JsonObject } from "../../../src/model/json/json.ts";
import type { ScopePath } from "../../../src/model/live.ts";
import { createListMemo, type ListMemo } from "../../../src/world/list-memo.ts";

const PATH = { organization_id: "a" };
const CORP = { id: "d1", domain: "corp.com" };

/** A memo over these answers, one after the other, and how many it has taken. */
function memoOf(...answers: readonly (readonly JsonObject[] | Error)[]) {
  let taken = 0;
  const list = async () => {
    const answer = answers[taken++] ?? [];
    await Promise.resolve();
    if (answer instanceof Error) throw answer;
    return { rows: answer, pages: 1 };
  };
  const memo = createListMemo({ list });
  const read = async () => (await memo.list("domains.list", PATH)).rows;
  return { memo, read, taken: () => taken };
}

it("reads a list once, and takes own writes in", async () => {
  const { memo, read, taken } = memoOf([CORP]);
  expect(await Promise.all([read(), read()])).toEqual([[CORP], [CORP]]);
  memo.recordWrite("domains.create", PATH, { body: { id: "d2" } });
  memo.recordWrite("domains.delete", { ...PATH, id: "d1" }, { body: undefined });
  expect(await read()).toEqual([{ id: "d2" }]);
  expect(taken()).toBe(1);
});

it.each(["an unclear answer", "an order"])("forgets a list after %s", async (after) => {
  const { memo, read } = memoOf([CORP], []);
  await read();
  if (after === "an order") memo.forget();
  else memo.recordWrite("domains.update", { ...PATH, id: "d1" }, "unclear");
  expect(await read()).toEqual([]);
});

it("keeps a list of another scope after a write", async () => {
  const { memo, read, taken } = memoOf([CORP], []);
  await read();
  memo.recordWrite("domains.update", { organization_id: "b", id: "d1" }, "unclear");
  expect(await read()).toEqual([CORP]);
  expect(taken()).toBe(1);
});

it("reads again after a read that failed, also if a write ended meanwhile", async () => {
  const { memo, read } = memoOf(new Error("out of order"), [CORP]);
  const failed = expect(read()).rejects.toThrow("out of order");
  memo.recordWrite("domains.create", PATH, { body: { id: "d2" } });
  await failed;
  // A rejection that nobody waits for would end the process.
  await new Promise((resolve) => setImmediate(resolve));
  expect(await read()).toEqual([CORP]);
});

it("does not forget a later read when an earlier one fails", async () => {
  const { memo, read, taken } = memoOf(new Error("out of order"), [CORP]);
  const failed = expect(read()).rejects.toThrow("out of order");
  memo.forget();
  expect(await read()).toEqual([CORP]);
  await failed;
  expect(await read()).toEqual([CORP]);
  expect(taken()).toBe(2);
});

it("reads again after a read that failed", async () => {
  const { read } = memoOf(new Error("out of order"), [CORP]);
  await expect(read()).rejects.toThrow("out of order");
  expect(await read()).toEqual([CORP]);
});

type Write = Parameters<ListMemo["recordWrite"]>;
const OWN = { ...PATH, id: "d1" };
const PLUGINS = "pipeline_destinations.list";
const IN_PROJECT = "project_batch_exports.list";

it.each<[string, OperationName, ScopePath, Write, "kept" | "read again" | readonly JsonObject[]]>([
  ["a write of another kind", "domains.list", PATH, ["members.update", OWN, "unclear"], "kept"],
  ["an unclear removal", "domains.list", PATH, ["domains.delete", OWN, "unclear"], "read again"],
  ["a write without an answer", "domains.list", PATH, ["domains.verify", OWN, { body: undefined }], "read again"],
  ["an answer that is no row", "domains.list", PATH, ["domains.verify", OWN, { body: {} }], "read again"],
  ["an answer", "domains.list", PATH, ["domains.update", OWN, { body: { id: "d1" } }], [{ id: "d1" }]],
  ["a new row", "domains.list", PATH, ["domains.create", PATH, { body: { id: "d2" } }], [CORP, { id: "d2" }]],
  ["a write of a sibling", PLUGINS, PATH, ["pipeline_import_apps.update", OWN, { body: { id: "x" } }], "read again"],
  ["a new sibling", PLUGINS, PATH, ["pipeline_import_apps.create", PATH, { body: { id: "x" } }], "kept"],
  [
    "a new object of the same kind in the scope around it",
    IN_PROJECT,
    { project_id: "2" },
    ["batch_exports.create", PATH, { body: { id: "x" } }],
    "read again",
  ],
])("after %s, %s has what the service shows", async (_name, operation, path, write, expected) => {
  const { memo, taken } = memoOf([CORP], []);
  await memo.list(operation, path);
  memo.recordWrite(...write);
  const { rows } = await memo.list(operation, path);
  expect(rows).toEqual(expected === "kept" ? [CORP] : expected === "read again" ? [] : expected);
  expect(taken()).toBe(expected === "read again" ? 2 : 1);
});
