import { beforeEach, describe, expect, test } from "vitest";
import { ORG, start, type Body, type Send } from "../harness.ts";
import type { Emulator } from "../../../../src/emulator/index.ts";

const PATH = `/api/organizations/${ORG}/domains/`;
let emulator: Emulator;
let send: Send;

beforeEach(async () => {
  ({ emulator, send } = await start());
  for (const letter of "abcde") emulator.insert("domain", { organization: ORG }, { domain: `${letter}.example` });
});

const names = (json: Body): unknown[] => (json["results"] as unknown as Body[]).map((row) => row["domain"]);

describe("pagination", () => {
  test("limit and offset select a page, and count is the total", async () => {
    const { json } = await send("GET", `${PATH}?limit=2&offset=2`);
    expect([json["count"], names(json)]).toEqual([5, ["c.example", "d.example"]]);
  });

  test("next and previous are absolute URLs with the host of the request, and keep other parameters", async () => {
    const { json } = await send("GET", `${PATH}?offset=2&limit=2&b=1`);
    expect(json["next"]).toBe(`${emulator.url}${PATH}?b=1&limit=2&offset=4`);
    expect(json["previous"]).toBe(`${emulator.url}${PATH}?b=1&limit=2`);
  });

  test("following next returns every row once and ends with null", async () => {
    const seen: unknown[] = [];
    let next: string | null = `${PATH}?limit=2`;
    while (next !== null) {
      const { json }: { json: Body } = await send("GET", next);
      seen.push(...names(json));
      next = json["next"] as unknown as string | null;
    }
    expect(seen).toEqual(["a.example", "b.example", "c.example", "d.example", "e.example"]);
  });

  test("a page that ends with the last row has no next", async () => {
    expect((await send("GET", `${PATH}?limit=2&offset=3`)).json["next"]).toBeNull();
  });

  test("the default page has 100 rows", async () => {
    for (let index = 0; index < 100; index += 1)
      emulator.insert("domain", { organization: ORG }, { domain: `z${index}` });
    const { json } = await send("GET", PATH);
    expect([json["count"], names(json).length]).toEqual([105, 100]);
  });

  test("limit 0 and parameters that are not numbers are ignored", async () => {
    const replies = [await send("GET", `${PATH}?limit=0`), await send("GET", `${PATH}?limit=abc&offset=-3`)];
    expect(replies.map(({ json }) => names(json).length)).toEqual([5, 5]);
  });

  test("a page beyond the end is empty and has a previous page", async () => {
    const { json } = await send("GET", `${PATH}?offset=999`);
    expect([names(json), json["next"]]).toEqual([[], null]);
    expect(json["previous"]).toContain("offset=899");
  });

  test("maxPageSize overrides a larger limit, and next continues after the page", async () => {
    const capped = await start({ maxPageSize: 2 });
    for (const letter of "abc")
      capped.emulator.insert("domain", { organization: ORG }, { domain: `${letter}.example` });
    const { json } = await capped.send("GET", `${PATH}?limit=50`);
    expect(names(json)).toEqual(["a.example", "b.example"]);
    expect(json["next"]).toContain("limit=2&offset=2");
  });
});
