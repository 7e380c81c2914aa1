import { describe, expect, it } from "vitest";
import { withLastModifiedBy, MAX_READS } from "../../../../src/engine/plan/last-modified.ts";
import type { JsonObject } from "../../../../src/model/json.ts";
import { worldOf } from "../../../../src/kinds/world.ts";
import { untilKnown } from "../../../../src/world/until-known.ts";
import { apiError } from "../../apply/support.ts";
import { declare, live, plan } from "../../plan/world.ts";
import { type Answers, serviceOf } from "../world.ts";

const AT = "2026-03-02T12:00:00Z";
const ADA = { last_modified_at: AT, last_modified_by: { email: "ada@acme.com" } };

/** By whom changed insights were changed last: `listed` is what the list shows of them, `read` what a read by id answers. */
async function peopleOf(listed: readonly JsonObject[], read?: Answers[string]) {
  const rows = listed.map((row, id) => ({
    id,
    short_id: `short${String(id)}`,
    name: `i${String(id)}`,
    description: "b",
    ...row,
  }));
  const snapshot = live({}, { "insights.list": rows });
  const resources = rows.map(({ name }) => declare(`acme/projects/web/insights/${name}`, { name, description: "a" }));
  const { client, asked } = serviceOf(read === undefined ? {} : { "insights.get": read });
  const made = plan(resources, snapshot);
  const { changes } = (await untilKnown(client, worldOf(snapshot), (world) => withLastModifiedBy(world, made))).plan;
  return { people: changes.map(({ work }) => work?.live?.modified?.by), asked };
}

describe("who changed an object last", () => {
  it("is read by its id if the list shows only when", async () => {
    const { people, asked } = await peopleOf([{ last_modified_at: AT }, ADA], ({ id = "" }) => ({ id, ...ADA }));
    expect([people, asked]).toEqual([["ada@acme.com", "ada@acme.com"], ["insights.get 0"]]);
  });

  it.each<[string, Answers[string] | undefined]>([
    ["cannot be read", apiError("insights.get", {})],
    ["does not say it either", { id: 0 }],
  ])("stays unknown if the object %s", async (_name, read) => {
    expect((await peopleOf([{ last_modified_at: AT }], read)).people).toEqual([null]);
  });

  it.each<[string, JsonObject]>([
    ["the object is as declared", { last_modified_at: AT, description: "a" }],
    ["the list does not even say when", {}],
  ])("is not asked for if %s", async (_name, row) => {
    expect((await peopleOf([row], ADA)).asked).toEqual([]);
  });

  it("is not asked for thousands of objects", async () => {
    const many = Array.from({ length: MAX_READS + 2 }, () => ({ last_modified_at: AT }));
    expect((await peopleOf(many, ADA)).asked).toHaveLength(MAX_READS);
  });

  it("is not asked for of a kind that has no such field", async () => {
    const exported = { id: "b", name: "E", interval: "hour", last_updated_at: AT };
    const snapshot = live({}, { "project_batch_exports.list": [exported] });
    const made = plan([declare("acme/projects/web/batch_exports/e", { name: "E", interval: "day" })], snapshot);
    expect(made.changes[0]?.work?.live?.modified).toEqual({ at: AT, by: null });
    expect(withLastModifiedBy(worldOf(snapshot), made)).toEqual({ plan: made, needs: [] });
  });
});
