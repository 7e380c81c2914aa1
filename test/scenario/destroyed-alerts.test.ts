/** A removal that destroys alerts says so in every format, and needs a permission like any other loss. */
import { describe, expect, it } from "vitest";
import { applyJson, changeOf, one, outcomeOf, planJson, QUERY, seedOf, web, writes } from "../support/acme.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const ADDRESS = "acme/projects/web/insights/i";
const ABSENT = { name: "I", lifecycle: { state: "absent" } };
const BOARDS = seedOf({}, { dashboards: [7, 8, 9] });
const FUNNEL = { kind: "InsightVizNode", source: { ...QUERY.source, kind: "FunnelsQuery" } };

const declare = (space: Workspace, values: object): Promise<void> => space.configure(web({ insights: { i: values } }));

/** An insight on three dashboards, with so many alerts. */
async function withAlerts(alerts: number, declared: object): Promise<Workspace> {
  const space = await workspace({ dialect: "current", seed: BOARDS });
  space.emulator.insert(
    "insight",
    { project: 2 },
    { id: 5, name: "I", saved: true, query: QUERY, dashboards: [7, 8, 9] },
  );
  for (let number = 1; number <= alerts; number += 1) addAlert(space);
  await declare(space, declared);
  return space;
}

function addAlert({ emulator }: Workspace): void {
  emulator.insert("alert", { project: 2 }, { insight: 5, name: "Low" });
}

const planned = async (space: Workspace) => changeOf(await planJson(space), ADDRESS);
const ids = ({ emulator }: Workspace): readonly unknown[] => emulator.find("alert").map(({ id }) => id);

describe("a delete of an insight", () => {
  it.each(["text", "json", "markdown", "html"])("says what it destroys and leaves, in %s", async (format) => {
    const space = await withAlerts(2, ABSENT);
    const { code, stdout } = await space.run(["plan", "--format", format]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("deletes 2 alerts for good, leaves 3 dashboards")]);
    expect(stdout).toContain("destroys_more");
    expect(stdout).toContain("--allow-loss");
  });

  it("is made with --allow-loss and its address only", async () => {
    const space = await withAlerts(2, ABSENT);
    expect(await planned(space)).toMatchObject({ action: "delete", blocked: { rule: "destroys_more" } });
    expect((await planned(space)).reason).toMatchSnapshot();
    await space.apply([], 13);
    expect(writes(space)).toEqual([]);
    await space.apply(["--allow-loss", ADDRESS]);
    expect([one(space.emulator.find("insight"))["deleted"], ids(space)]).toEqual([true, []]);
  });

  it("is stale if an alert was added since the plan", async () => {
    const space = await withAlerts(1, ABSENT);
    expect((await space.run(["plan", "--out", "plan.json"])).code).toBe(0);
    addAlert(space);
    expect((await space.run(["apply", "--yes", "--plan", "plan.json", "--allow-loss", ADDRESS])).code).toBe(12);
    expect(ids(space)).toHaveLength(2);
  });

  it("is skipped if an alert was added between the plan of the apply and the write", async () => {
    const space = await withAlerts(0, ABSENT);
    const headers = { authorization: `Bearer ${space.emulator.key}` };
    const shown = await fetch(`${space.emulator.url}/api/projects/2/insights/5/`, { headers });
    const text = JSON.stringify({ ...((await shown.json()) as object), alerts: [{ id: "x" }] });
    // The plan of the apply reads it first.
    space.emulator.faults.add({
      method: "GET",
      path: /insights\/5/,
      nth: 2,
      fault: { type: "answer", status: 200, text },
    });
    expect(outcomeOf(await applyJson(space), ADDRESS)).toMatchObject({ status: "skipped", error: { code: "stale" } });
    expect(one(space.emulator.find("insight"))["deleted"]).toBe(false);
  });
});

describe("a change of an insight", () => {
  it("to a query of another kind may destroy its alerts", async () => {
    const space = await withAlerts(2, { name: "I", query: FUNNEL });
    const { action, blocked, reason } = await planned(space);
    expect([action, blocked?.rule, reason]).toMatchSnapshot();
    await space.apply([], 13);
    expect(ids(space)).toHaveLength(2);
    await space.apply(["--allow-loss", ADDRESS]);
    expect(ids(space)).toEqual([]);
  });
});
