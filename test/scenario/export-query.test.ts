/** The query of a batch export is compared with what the service shows of it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { NOOP, one, web } from "../support/acme.ts";
import { describeDialects } from "../support/dialects.ts";
import { planOf } from "../support/cli.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const QUERY = "select event,\n  distinct_id from events where event = 'signed up';";
const OTHER = "SELECT event FROM events WHERE event = 'signed out'";
const declared = (query: string): object =>
  web({ batch_exports: { nightly: { name: "Nightly", interval: "day", destination: NOOP, hogql_query: query } } });

async function applied(): Promise<Workspace> {
  const space = await workspace();
  await space.configure(declared(QUERY));
  await space.apply();
  return space;
}

/** Somebody else writes another query. */
async function changeLive({ emulator }: Workspace): Promise<void> {
  const { id } = one(emulator.find("batch_export"));
  const response = await fetch(`${emulator.url}/api/projects/2/batch_exports/${String(id)}/`, {
    method: "PATCH",
    headers: { Authorization: `Bearer ${emulator.key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ hogql_query: OTHER }),
  });
  expect(response.ok).toBe(true);
}

const drift = async (space: Workspace) => {
  const result = await space.run(["drift", "--format", "json"]);
  return [result.code, planOf(result).changes.flatMap(({ fields }) => fields.map(({ path }) => path))];
};

describeDialects("the query of an export", () => {
  it("is as declared after an apply, however the service prints it", async () => {
    expect(await drift(await applied())).toEqual([0, []]);
  });

  it("is put right by one apply after somebody has changed it", async () => {
    const space = await applied();
    await changeLive(space);
    expect(await drift(space)).toEqual([2, ["/hogql_query"]]);
    await space.apply();
    expect(one(space.emulator.find("batch_export"))["hogql_query"]).toBe(QUERY);
    expect(await drift(space)).toEqual([0, []]);
  });

  it("is written into the file by drift --accept", async () => {
    const space = await applied();
    await changeLive(space);
    expect((await space.run(["drift", "--accept", "--yes"])).code).toBe(0);
    expect(await readFile(join(space.folder, "driftline.yaml"), "utf8")).toContain("signed out");
    expect(await drift(space)).toEqual([0, []]);
  });
});
