import { expect, test } from "vitest";
import { idOf, start } from "../harness.ts";

const PB = "/api/projects/2/batch_exports/";
const BODY = { name: "Nightly", interval: "day", destination: { type: "NoOp", config: {} } };

// Fact 235: the list and a read by id show the query's text in `schema`, in a normalised form.
test.each([
  ["a query", "select  event\n from events ;", "SELECT event FROM events"],
  [
    "texts and names as they are",
    "select `from`, properties.in from events where event = 'a  and b'",
    "SELECT `from`, properties.in FROM events WHERE event = 'a  and b'",
  ],
])("235 create, read and list show %s", async (_case, query, shown) => {
  const { send } = await start({ dialect: "deployed", keys: [{ key: "k", scopes: ["*"] }] });
  const created = await send("POST", PB, { ...BODY, hogql_query: query });
  const read = await send("GET", `${PB}${idOf(created.json)}/`);
  const list = await send("GET", PB);
  const rows = [created.json, read.json, list.json["results"]?.[0]];
  expect(rows.map((row) => row?.["schema"])).toEqual(rows.map(() => ({ fields: [], values: {}, hogql_query: shown })));
});

test("235 the schema is null without a query, and when the query was taken away", async () => {
  const { send } = await start({ dialect: "deployed", keys: [{ key: "k", scopes: ["*"] }] });
  const without = await send("POST", PB, BODY);
  const { json } = await send("POST", PB, { ...BODY, hogql_query: "SELECT event FROM events" });
  const emptied = await send("PATCH", `${PB}${idOf(json)}/`, { hogql_query: null });
  expect([without.json["schema"], emptied.json["schema"]]).toEqual([null, null]);
});
