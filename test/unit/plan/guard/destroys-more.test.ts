/** What changes destroy beside their own object is shown, and blocks them. */
import { describe, expect, it } from "vitest";
import { kinds } from "../../../../src/kinds/registry.ts";
import type { Blocked, Change } from "../../../../src/model/change.ts";
import { PLAN_HASH } from "../../../../src/model/command.ts";
import type { Attached } from "../../../../src/model/live.ts";
import { mayDestroy, withLoss } from "../../../../src/plan/guard/destroys-more.ts";
import { changeOf, declare, live, plan } from "../world.ts";

const ADDRESS = "acme/projects/web/insights/s";
const ROW = { id: 7, short_id: "abcdefgh", name: "Signups", query: { kind: "TrendsQuery", interval: "day" } };
const NAMES = kinds.insight.attached;

function planned(values: Parameters<typeof declare>[1], state?: "absent"): Change {
  const resource = declare(ADDRESS, { name: "Signups", ...values }, state ? { lifecycle: { state } } : {});
  return changeOf(plan([resource], live({}, { "insights.list": [ROW] })), ADDRESS);
}

const REMOVED = planned({}, "absent");
const OTHER_KIND = planned({ query: { kind: "FunnelsQuery" } });
const SAME_KIND = planned({ query: { kind: "TrendsQuery", interval: "week" } });
const DESTROYS: Attached = { destroyed: ["1", "2"], left: [] };
const HARMLESS: Attached = { destroyed: [], left: ["9"] };

function hasToRead(change: Change): boolean {
  if (NAMES === undefined || change.work === null) throw new Error("an insight has alerts");
  return mayDestroy(NAMES, change, change.work);
}

function shown(change: Change, found: Attached | undefined): Change {
  if (NAMES === undefined || change.work === null) throw new Error("an insight has alerts");
  return withLoss(change, change.work, NAMES, found);
}

const blockedBy = (rule: Blocked["rule"], change = REMOVED): Change => ({ ...change, blocked: { rule, remedy: "x" } });

describe("what hangs on an object", () => {
  it("has to be read before a removal, and before an update of the kind of a query", () => {
    expect([REMOVED, OTHER_KIND, SAME_KIND, planned({ description: "x" })].map(hasToRead)).toEqual([
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

  it("is not read for a removal that waits for --prune", () => {
    expect(hasToRead(blockedBy("prune"))).toBe(false);
    expect(hasToRead(blockedBy("delete_limit"))).toBe(true);
  });

  it.each<[string, Change, Attached | undefined, Blocked["rule"] | undefined]>([
    ["a removal that destroys something", REMOVED, DESTROYS, "destroys_more"],
    ["a removal that only leaves something", REMOVED, HARMLESS, undefined],
    ["a removal that destroys something and leaves something", REMOVED, { ...DESTROYS, left: ["9"] }, "destroys_more"],
    ["a removal whose losses could not be read", REMOVED, undefined, "destroys_more"],
    ["an update that may destroy something", OTHER_KIND, DESTROYS, "destroys_more"],
    ["an update that destroys nothing", OTHER_KIND, { destroyed: [], left: [] }, undefined],
    ["a removal that another rule blocks", blockedBy("protect"), DESTROYS, "protect"],
    ["a removal beyond the limit", blockedBy("delete_limit"), DESTROYS, "destroys_more"],
  ])("%s", (_name, change, found, rule) => {
    const made = shown(change, found);
    expect(made.blocked?.rule).toBe(rule);
    expect(made.work?.attached).toEqual(found);
    expect(made.reason).toMatchSnapshot("reason");
  });

  it("needs the approval of the plan as well, if the removals are beyond the limit", () => {
    const limited = shown(blockedBy("delete_limit"), DESTROYS);
    expect(limited.work?.needsApproval).toBe(true);
    expect(limited.blocked?.remedy).toMatchSnapshot("sentence");
    expect(limited.blocked?.command).toEqual(["driftline", "apply", "--allow-loss", ADDRESS, "--approve", PLAN_HASH]);
    const plain = shown(REMOVED, DESTROYS);
    expect(plain.work?.needsApproval).toBeUndefined();
    expect(plain.blocked?.command).toEqual(["driftline", "apply", "--allow-loss", ADDRESS]);
  });

  it("is covered by the fingerprint, so that apply notices what is added later", () => {
    const prints = [DESTROYS, { ...DESTROYS, destroyed: ["1"] }, HARMLESS, { ...HARMLESS, left: [] }].map(
      (found) => shown(REMOVED, found).fingerprint,
    );
    expect(new Set([...prints, REMOVED.fingerprint]).size).toBe(5);
    expect(shown(REMOVED, undefined).fingerprint).toBe(REMOVED.fingerprint);
    expect(shown({ ...REMOVED, fingerprint: null }, DESTROYS).fingerprint).toBeNull();
  });
});
