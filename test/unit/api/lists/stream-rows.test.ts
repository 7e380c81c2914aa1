import { describe, expect, it } from "vitest";
import type { Client } from "../../../../src/api/client.ts";
import { streamRows } from "../../../../src/api/lists/stream-rows.ts";
import type { Json } from "../../../../src/model/json/json.ts";

const PATH = { project_id: "2", id: "0190aa11-0000-4000-8000-000000000001" };

/** Reads a list by cursor. Returns the ids, the queries, and the code of the error if there was one. */
async function read(pages: readonly Json[]) {
  const queries: unknown[] = [];
  const request: Client["request"] = async (_name, input) => {
    await Promise.resolve();
    const body = pages[queries.push(input?.query) - 1];
    if (body === undefined) throw new Error("it asks for more");
    return { status: 200, body };
  };
  const client = { profile: "posthog", request } as Client;
  const ids: unknown[] = [];
  let problem: unknown;
  try {
    const rows = streamRows(client, "project_batch_exports.runs", PATH, { status: "Failed" });
    for await (const page of rows) ids.push(...page.map(({ id }) => id));
  } catch (error) {
    problem = error;
  }
  return { ids, queries, problem };
}

const page = (ids: readonly number[], next: Json = null): Json => ({
  next,
  previous: null,
  results: ids.map((id) => ({ id })),
});
const NEXT = "https://elsewhere.example/api/?status=Failed&cursor=cD0x%3D";

describe("a list that is read by cursor", () => {
  it("goes on with the cursor of the next page, and with nothing else of its address", async () => {
    const { ids, queries, problem } = await read([page([1, 2], NEXT), page([], `${NEXT}2`), page([3])]);
    expect([ids, problem]).toEqual([[1, 2, 3], undefined]);
    expect(queries).toEqual([
      { status: "Failed" },
      { status: "Failed", cursor: "cD0x=" },
      { status: "Failed", cursor: "cD0x=2" },
    ]);
  });

  it.each<[string, Json, string]>([
    ["no rows", { next: null }, "protocol"],
    ["a row that is no object", { next: null, results: [1] }, "protocol"],
    ["a next page without a cursor", page([1], "https://a.example/?page=2"), "protocol"],
    ["a next page that is no address", page([1], 2), "protocol"],
  ])("ends with an error after %s", async (_name, body, kind) => {
    expect((await read([body])).problem).toMatchObject({ kind });
  });

  it("ends with an error if a page names itself, after its rows", async () => {
    const { ids, problem } = await read([page([1], NEXT), page([2], NEXT)]);
    expect([ids, problem]).toEqual([[1, 2], expect.objectContaining({ kind: "incomplete" })]);
  });
});
