import { expect, it } from "vitest";
import type { Client } from "../../../../src/api/client.ts";
import { readPages } from "../../../../src/api/lists/stream-pages.ts";
import { sentencesOf } from "../../../support/sentences.ts";

/** Reads a list whose first page has all rows but one. The second page has a row with this id. */
async function read(size: number, id: number): Promise<number> {
  const request: Client["request"] = async (_name, input) => {
    await Promise.resolve();
    const first = Array.from({ length: size - 1 }, (_, index) => ({ id: index }));
    return { status: 200, body: { count: size, results: input?.query?.["offset"] === 0 ? first : [{ id }] } };
  };
  let rows = 0;
  const client = { profile: "document", request } as Client;
  for await (const page of readPages(client, "insights.list", { project_id: "2" })) rows += page.length;
  return rows;
}

it("remembers at most 100,000 ids of a list, so that memory does not grow with it", async () => {
  const many = 100_000;
  const twice: unknown = await read(many + 2, many - 1).catch((thrown: unknown) => thrown);
  expect(twice).toMatchObject({ kind: "incomplete", message: expect.stringContaining(String(many - 1)) as string });
  expect(sentencesOf(twice)).toMatchSnapshot();
  await expect(read(many + 2, many)).resolves.toBe(many + 2);
});
