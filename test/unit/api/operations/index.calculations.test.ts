import { describe, expect, it } from "vitest";
import { operations, type OperationName } from "../../../../src/api/operations/index.ts";
import { complaint, connect, failureOf, ID, json, ORGANIZATION, serve } from "../support.ts";

const PATH = { organization_id: ORGANIZATION, id: ID, project_id: "2", user__uuid: ID, insight_id: "7" };
const CALCULATION = { path: { project_id: "2" }, body: { query: {} } };

describe("in calculate mode", () => {
  it("only GET and calculations are sent, for every operation", async () => {
    const server = await serve((_seen, response) => json(response, 200, { id: "x" }));
    const client = connect(server.url, { mode: "calculate" });
    const refused: string[] = [];
    for (const name of Object.keys(operations) as OperationName[]) {
      const path = { ...PATH, ...(name.startsWith("pipeline") ? { id: "7" } : {}) };
      const isSent = await client.request(name, { path, body: {} }).then(
        () => true,
        () => false,
      );
      if (!isSent) refused.push(name);
    }
    const writes = Object.values(operations).filter(({ effect }) => effect !== "read");
    expect(refused).toEqual(writes.map(({ name }) => name));
    const calculations = /\/(query|insights\/(trend|funnel|funnel\/correlation|path|retention))\/$/u;
    expect(server.seen.every(({ method, path }) => method === "GET" || calculations.test(path))).toBe(true);
  });
});

describe("a request", () => {
  it.each([429, 500, 503])("with one attempt is sent once, also after %d", async (status) => {
    const server = await serve((_seen, response) => json(response, status, complaint("x"), { "retry-after": "1" }));
    const client = connect(server.url, { mode: "calculate" });
    await failureOf(client.request("queries.run", { ...CALCULATION, attempts: 1 }));
    expect(server.seen).toHaveLength(1);
  });

  it("ends with its signal while the service is silent", async () => {
    const controller = new AbortController();
    const server = await serve(() => controller.abort());
    const client = connect(server.url, { mode: "calculate" });
    const request = client.request("queries.run", { ...CALCULATION, attempts: 1, signal: controller.signal });
    expect(await failureOf(request)).toMatchObject({ code: "DRIFTLINE_ENDED", tookEffect: "maybe" });
  });
});
