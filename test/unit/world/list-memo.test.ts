import { expect, it } from "vitest";
import type { JsonObject } from "../../../src/model/json/json.ts";
import { createListMemo } from "../../../src/world/list-memo.ts";

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
