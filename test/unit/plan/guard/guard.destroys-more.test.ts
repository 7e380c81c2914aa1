/** What changes destroy beside their own object is shown, and blocks them. */
import { describe, expect, it } from "vitest";
import { destroyedAlerts } from "../../../../src/kinds/insight/destroyed-alerts.ts";
import { readKey, type RowsAnswer, type World, worldOf } from "../../../../src/kinds/world.ts";
import type { Blocked, Change } from "../../../../src/model/change.ts";
import { PLAN_HASH } from "../../../../src/model/command.ts";
import type { Json } from "../../../../src/model/json/json.ts";
import type { Attached } from "../../../../src/model/live.ts";
import { applyOverrides } from "../../../../src/plan/guard/override.ts";
import { removalLimit } from "../../../../src/plan/guard/delete-limit.ts";
import { sentencesOf } from "../../../support/sentences.ts";
import { changeOf, checked, declare, live, plan } from "../world.ts";

const ABSENT = { lifecycle: { state: "absent" } } as const;
const ADDRESS = "acme/projects/web/insights/s";
const ROW = { id: 7, short_id: "abcdefgh", name: "Signups", query: { kind: "TrendsQuery", interval: "day" } };

function planned(values: Parameters<typeof declare>[1], state?: "absent"): Change {
  const resource = declare(ADDRESS, { name: "Signups", ...values }, state ? { lifecycle: { state } } : {});
  return changeOf(plan([resource], live({}, { "insights.list": [ROW] })), ADDRESS);
}

const removed = () => planned({}, "absent");
const otherKind = () => planned({ query: { kind: "FunnelsQuery" } });
const sameKind = () => planned({ query: { kind: "TrendsQuery", interval: "week" } });
const DESTROYS: Attached = { destroyed: ["9", "10"], left: [] };
const HARMLESS: Attached = { destroyed: [], left: ["9"] };

const SNAPSHOT = live({}, { "insights.list": [ROW] });

function check(change: Change, world: World) {
  const made = { ...plan([], SNAPSHOT), changes: [change] };
  return checked(made, [destroyedAlerts, removalLimit], world);
}

function hasToRead(change: Change): boolean {
  return check(change, worldOf(SNAPSHOT)).needs.length > 0;
}

/** The change where a read of its object shows what hangs on it; undefined if it cannot be read. */
function shown(
  change: Change,
  found: Attached | undefined,
  alerts: Json = found?.destroyed.toReversed().map((id) => ({ id })) ?? [],
): Change {
  const world = worldOf(SNAPSHOT);
  const answer: RowsAnswer =
    found === undefined
      ? { status: "unknown", reason: "GET answered 500" }
      : { status: "known", rows: [{ ...ROW, alerts, dashboards: found.left }] };
  const rows = new Map(check(change, world).needs.map((read) => [readKey(read), answer]));
  return changeOf(check(change, { ...world, answers: { ...world.answers, rows } }).plan, ADDRESS);
}

const blockedBy = (rule: Blocked["rule"], change = removed()): Change => ({ ...change, blocked: { rule, lift: "x" } });

describe("what hangs on an object", () => {
  it("has to be read before a removal, and before an update of the kind of a query", () => {
    expect([removed(), otherKind(), sameKind(), planned({ description: "x" })].map(hasToRead)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it("is not read before an object is restored, because it was lost with the removal", () => {
    const resource = declare(ADDRESS, { query: { kind: "FunnelsQuery" } }, { pin: { field: "id", value: "7" } });
    const restored = changeOf(plan([resource], live({}, { "insights.list": [{ ...ROW, deleted: true }] })), ADDRESS);
    expect([restored.action, hasToRead(restored)]).toEqual(["restore", false]);
  });

  it("is not read for what does not exist yet, or where its project is not known", () => {
    const made = plan([declare(ADDRESS, { name: "New" })], SNAPSHOT);
    expect([changeOf(made, ADDRESS).action, hasToRead(changeOf(made, ADDRESS))]).toEqual(["create", false]);
    const { needs, plan: unread } = check(removed(), { ...worldOf(SNAPSHOT), scopes: new Map() });
    expect([needs, changeOf(unread, ADDRESS).blocked?.rule]).toEqual([[], "destroys_more"]);
  });

  it("is not read for a removal that waits for --prune", () => {
    expect(hasToRead(blockedBy("prune"))).toBe(false);
  });

  it.each<[string, () => Change, Attached | undefined, Blocked["rule"] | undefined]>([
    ["a removal that destroys something", removed, DESTROYS, "destroys_more"],
    ["a removal that only leaves something", removed, HARMLESS, undefined],
    ["a removal that destroys something and leaves something", removed, { ...DESTROYS, left: ["9"] }, "destroys_more"],
    ["a removal whose losses could not be read", removed, undefined, "destroys_more"],
    ["an update that may destroy something", otherKind, DESTROYS, "destroys_more"],
    ["an update that destroys nothing", otherKind, { destroyed: [], left: [] }, undefined],
    ["a removal that another rule blocks", () => blockedBy("protect"), DESTROYS, "protect"],
  ])("%s", (_name, change, found, rule) => {
    const made = shown(change(), found);
    expect(made.blocked?.rule).toBe(rule);
    expect(made.work?.attached).toEqual(found);
    expect(made.reason).toMatchSnapshot("reason");
    expect(sentencesOf(made.blocked)).toMatchSnapshot("lift");
  });

  it("may be lost if the answer cannot be understood", () => {
    const { blocked, work } = shown(removed(), HARMLESS, "some");
    expect([blocked?.rule, work?.attached]).toEqual(["destroys_more", undefined]);
  });

  it("needs the approval of the plan as well, if the removals are beyond the limit", () => {
    const ids = Array.from({ length: 21 }, (_, index) => index + 10);
    const listed = live({}, { "insights.list": ids.map((id) => ({ ...ROW, id, name: `I${String(id)}` })) });
    const all = ids.map((id) =>
      declare(`acme/projects/web/insights/i${String(id)}`, { name: `I${String(id)}` }, ABSENT),
    );
    const made = plan(all, listed);
    const open = { ...made, changes: made.changes.map((change) => ({ ...change, blocked: null })) };
    const world = worldOf(listed);
    const rows = new Map(
      checked(open, [destroyedAlerts], world).needs.map((read): [string, RowsAnswer] => {
        const id = read.what === "row" ? read.path["id"] : undefined;
        return [readKey(read), { status: "known", rows: [{ ...ROW, id: Number(id), alerts: [{ id: 1 }] }] }];
      }),
    );
    const limited = checked(open, [destroyedAlerts, removalLimit], { ...world, answers: { ...world.answers, rows } });
    const [first] = limited.plan.changes;
    expect(new Set(limited.plan.changes.map(({ blocked }) => blocked?.rule))).toEqual(new Set(["destroys_more"]));
    expect(first?.work?.needsApproval).toMatchObject({ rule: "delete_limit" });
    expect(first?.blocked?.command).toEqual([
      "driftline",
      "apply",
      "--allow-loss",
      first?.address,
      "--approve",
      PLAN_HASH,
    ]);
    const losses = [first?.address ?? ""];
    const [allowed, ...others] = applyOverrides(limited.plan, { approved: false, organizations: [], losses }).changes;
    expect(allowed?.blocked).toEqual(first?.work?.needsApproval);
    expect(others).toEqual(limited.plan.changes.slice(1));
  });

  it("is covered by the fingerprint, so that apply notices what is added later", () => {
    const prints = [DESTROYS, { ...DESTROYS, destroyed: ["1"] }, HARMLESS, { ...HARMLESS, left: [] }].map(
      (found) => shown(removed(), found).fingerprint,
    );
    expect(new Set([...prints, removed().fingerprint]).size).toBe(5);
    expect(shown(removed(), undefined).fingerprint).toBe(removed().fingerprint);
    expect(shown({ ...removed(), fingerprint: null }, DESTROYS).fingerprint).toBeNull();
  });
});
