/** A deleted insight is in no list, and deployed servers restore it by its number only. */
import { liftInJson } from "../support/lift.ts";
import { describe, expect, it } from "vitest";
import { applyJson, changeOf, one, planJson, seedOf, web, writes } from "../support/acme.ts";
import { planOf } from "../support/cli.ts";
import { WAYS } from "../support/ways.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const ADDRESS = "acme/projects/web/insights/signups";

/** An insight that somebody deletes. */
async function deleted(): Promise<{ readonly space: Workspace; readonly shortId: string; readonly id: number }> {
  const space = await workspace({ dialect: "deployed", seed: seedOf() });
  await space.configure(web({ insights: { signups: { name: "Signups" } } }));
  await space.apply();
  const { id, short_id } = one(space.emulator.find("insight"));
  await space.configure(web({ insights: { signups: { name: "Signups", lifecycle: { state: "absent" } } } }));
  await space.apply();
  space.emulator.clearRequests();
  return { space, shortId: String(short_id), id: Number(id) };
}

describe.each(WAYS)("a deleted insight that is pinned by its short_id, by $name", ({ plan }) => {
  it("is not restored: the plan asks for its number before anything is sent", async () => {
    const { space, shortId } = await deleted();
    await space.configure(web({ insights: { signups: { short_id: shortId, name: "Signups" } } }));
    const document = await plan(space);
    expect(document.changes.find(({ address }) => address === ADDRESS)).toMatchObject({
      action: "create",
      blocked: { rule: "pin_missing" },
    });
    expect((await applyJson(space)).code).toBe(13);
    expect(writes(space)).toEqual([]);
  });
});

it("the operation in the hint shows that number, which restores it", async () => {
  const { space, shortId, id } = await deleted();
  await space.configure(web({ insights: { signups: { short_id: shortId, name: "Signups" } } }));
  const { blocked } = changeOf(await planJson(space), ADDRESS);
  const [operation = ""] = /insights\.\w+/.exec(liftInJson(blocked) ?? "") ?? [];
  const { code, stdout } = await space.run(["call", operation, "project_id=2"]);
  expect([code, stdout]).toEqual([0, expect.stringMatching(new RegExp(`"item_id": "?${String(id)}\\b`))]);
  expect(stdout).toContain(shortId);
  await space.configure(web({ insights: { signups: { id, name: "Signups" } } }));
  expect(changeOf(await planJson(space), ADDRESS)).toMatchObject({ action: "restore", id: String(id) });
  await space.apply();
  expect(one(space.emulator.find("insight"))).toMatchObject({ id, deleted: false });
});

it("an export pins the number", async () => {
  const space = await workspace({ dialect: "deployed", seed: seedOf({}, { insights: [{ id: 7, name: "Signups" }] }) });
  const { code, stdout } = await space.run(["export", "--out", "live"]);
  expect([code, stdout]).toEqual([0, expect.any(String)]);
  space.emulator.edit("insight", 7, { deleted: true });
  const { changes } = planOf(await space.run(["plan", "live", "--format", "json"]));
  expect(changes.find(({ kind }) => kind === "insight")).toMatchObject({ action: "restore", id: "7" });
});
