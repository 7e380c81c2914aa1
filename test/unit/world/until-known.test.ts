import { expect, it } from "vitest";
import {
  listIn,
  type ListRead,
  type Read,
  type RowsRead,
  rowsIn,
  wholeList,
  type World,
  worldOf,
} from "../../../src/kinds/world.ts";
import { MAX_ROUNDS, untilKnown } from "../../../src/world/until-known.ts";
import { apiError } from "../apply/support.ts";
import { type Answers, denied, serviceOf } from "../engine/world.ts";
import { ACME, live } from "../plan/world.ts";

const DOMAINS = wholeList(live(), { scope: "acme", kind: "domain" });
const row = (id: string): RowsRead => ({ what: "row", operation: "domains.get", path: { id } });
const INVITES: RowsRead = { what: "rows", operation: "invites.list", path: {} };

/** Plans that need some reads in each round, and the world that they end with. */
async function roundsOf(answers: Answers, needs: (round: number, world: World) => readonly Read[]) {
  const { client, asked } = serviceOf(answers);
  let round = 0;
  const made = await untilKnown(client, worldOf(live()), (world) => ({ needs: needs(round++, world), world }));
  return { asked, rounds: round, world: made.world };
}

it("plans once if nothing has to be read", async () => {
  expect(await roundsOf({}, () => [])).toMatchObject({ asked: [], rounds: 1 });
});

it("reads what a plan needs, each once, until nothing is missing", async () => {
  const answers = { "domains.list": [{ id: "d" }], "domains.get": { id: "d" }, "invites.list": [{ id: "i" }] };
  const { asked, rounds, world } = await roundsOf(answers, (round) =>
    round === 0 ? [...DOMAINS, ...DOMAINS, row("d")] : [...DOMAINS, row("d"), INVITES],
  );
  expect({ asked: asked.toSorted(), rounds }).toEqual({
    asked: ["domains.get d", "domains.list", "invites.list"],
    rounds: 3,
  });
  expect(DOMAINS.map((read) => listIn(world, read)?.objects.map(({ id }) => id))).toEqual([["d"]]);
  expect(rowsIn(world, row("d"))).toEqual({ status: "known", rows: [{ id: "d" }] });
  expect(rowsIn(world, INVITES)).toEqual({ status: "known", rows: [{ id: "i" }] });
});

it("takes any answer for the end of a need, and nothing that was not read for one", async () => {
  const answers = {
    "domains.list": denied("domains.list"),
    "domains.get": denied("domains.get"),
    "invites.list": denied("invites.list"),
  };
  const { rounds, world } = await roundsOf(answers, () => [...DOMAINS, row("d"), INVITES]);
  expect(rounds).toBe(2);
  expect(DOMAINS.map((read) => listIn(world, read)?.status)).toEqual(["unknown"]);
  expect([row("d"), INVITES].map((read) => rowsIn(world, read)?.status)).toEqual(["unknown", "unknown"]);
  expect(rowsIn(world, row("e"))).toBeUndefined();
});

it.each<[string, RowsRead, string]>([
  ["a row that the service does not have is absent", row("x"), "absent"],
  ["a list that it does not have is unknown", INVITES, "unknown"],
])("%s", async (_name, read, status) => {
  const missing = apiError(read.operation, { kind: "not_found", status: 404, tookEffect: "no" });
  const { world } = await roundsOf({ "invites.list": missing, "domains.get": missing }, () => [read]);
  expect(rowsIn(world, read)?.status).toBe(status);
});

it("takes needs that never end for a defect", async () => {
  const endless = roundsOf({ "domains.get": { id: "d" } }, (round) =>
    Array.from({ length: round + 1 }, (_, id) => row(String(id))),
  );
  await expect(endless).rejects.toThrow(`more than ${String(MAX_ROUNDS)} rounds`);
});

it("reads the organizations of the key, and those that are pinned where their list is refused", async () => {
  const pins = [{ field: "id", value: ACME.id }];
  const all: ListRead = { what: "objects", kind: "organization", scope: "", path: {}, isFull: false, pins };
  const found = async (answers: Answers, read: ListRead) => {
    const { world, asked } = await roundsOf(answers, () => [read]);
    const list = listIn(world, read);
    const problem = list?.status === "unknown" && list.problem !== undefined;
    return { asked, ids: list?.objects.map(({ id }) => id), problem, reads: world.answers.stats.length };
  };
  expect(await found({}, { ...all, pins: undefined })).toMatchObject({
    asked: ["organizations.list"],
    ids: [ACME.id],
    reads: 1,
  });
  const refused = { "organizations.list": denied("organizations.list"), "organizations.get": ACME };
  expect(await found(refused, all)).toMatchObject({
    asked: ["organizations.list", `organizations.get ${ACME.id}`],
    ids: [ACME.id],
    problem: false,
  });
  expect(await found(refused, { ...all, needsList: true })).toMatchObject({ ids: [ACME.id], problem: true });
});

it("asks for a row with its query, and knows nothing if the answer is none", async () => {
  const read: RowsRead = { ...row("d"), query: { basic: true } };
  const { client } = serviceOf({ "domains.get": [] });
  const queries: unknown[] = [];
  const recording = {
    ...client,
    request: (...[operation, options]: Parameters<typeof client.request>) => {
      queries.push(options?.query);
      return client.request(operation, options);
    },
  };
  const { answered } = await untilKnown(recording, worldOf(live()), () => ({ needs: [read, row("d")] }));
  expect(queries).toEqual([{ basic: true }, undefined]);
  expect(rowsIn(answered, read)).toEqual({ status: "unknown", reason: "the answer is no object" });
});

it("lets a defect end the run", async () => {
  await expect(roundsOf({ "domains.get": new Error("defect") }, () => [row("d")])).rejects.toThrow("defect");
});
