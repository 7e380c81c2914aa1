/** A plan that was refused as a whole: what is said about each of its changes. */
import { expect, it } from "vitest";
import { nothingTried } from "../../../../src/engine/apply/outcomes-document.ts";
import { command } from "../../../../src/model/command.ts";
import type { ShownChange } from "../../../../src/model/plan.ts";

const change = (name: string, action: ShownChange["action"] = "update"): ShownChange => ({
  address: `acme/domains/${name}`,
  kind: "domain",
  name,
  action,
  reason: "a field differs",
  id: name,
  blocked: null,
  fields: [],
  fingerprint: null,
});
const PLAN = { changes: [change("a"), change("b"), change("c"), change("same", "no_op")] };
const WAY_OUT = { hint: "To review the new plan:", command: command("apply") };
const stale = (name: string) => ({ code: "stale", message: `${name} changed`, address: `acme/domains/${name}` });

it("blames only what is stale, and each change has the way out with its command", () => {
  const errors = nothingTried(PLAN, [stale("a"), { ...stale("c"), ...WAY_OUT }]).map(({ error }) => error);
  expect(errors).toEqual([
    { code: "stale", message: "a changed", ...WAY_OUT },
    { code: "stale", message: expect.not.stringContaining("changed") as string, ...WAY_OUT },
    { code: "stale", message: "c changed", ...WAY_OUT },
    null,
  ]);
});

it("has the same error for all changes if the refusal is about all", () => {
  const refusal = { code: "not_approved", message: "another hash", ...WAY_OUT };
  const outcomes = nothingTried(PLAN, [refusal]);
  expect(outcomes.map(({ error }) => error)).toEqual([refusal, refusal, refusal, null]);
  expect(outcomes.map(({ status }) => status)).toEqual(["skipped", "skipped", "skipped", "unchanged"]);
});

it("is empty without a refusal", () => expect(nothingTried(PLAN, [])).toEqual([]));
