import { describe, expect, test } from "vitest";
import { ORG, start } from "../harness.ts";

const DOMAINS = `/api/organizations/${ORG}/domains/`;

describe("the log of requests", () => {
  test("keeps only the last requests, in the same array", async () => {
    const { emulator: small, send: ask } = await start({ maxRequests: 3 });
    const { requests } = small;
    for (let index = 0; index < 5; index += 1) await ask("GET", `${DOMAINS}?offset=${index}`);
    expect(requests.map(({ query }) => query["offset"])).toEqual(["2", "3", "4"]);
    small.clearRequests();
    expect(requests).toEqual([]);
  });

  test("keeps fewer requests if bodies are large", async () => {
    const { emulator: big, send: ask } = await start();
    const description = "x".repeat(12 * 1024 * 1024);
    for (let index = 0; index < 3; index += 1)
      await ask("POST", "/api/projects/2/insights/", { name: `${index}`, description });
    expect(big.requests.length).toBe(2);
  });
});
