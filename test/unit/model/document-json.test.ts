import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { command, PLAN_HASH, withoutCommand } from "../../../src/model/command.ts";
import { changesJson, documentJson, planFromJson } from "../../../src/model/document-json.ts";
import type { OutcomesDocument } from "../../../src/model/outcome.ts";
import type { PlanDocument } from "../../../src/model/plan.ts";
import { parseSavedPlan } from "../../../src/engine/apply/saved-plan.ts";
import { hashOf } from "../../../src/plan/document.ts";
import { change, outcome, outcomes, plan } from "../report/documents.ts";

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom("`", " ", "'", "\n", "driftline plan", PLAN_HASH, "--approve", "a") }),
);
const words = fc.oneof(
  fc.array(text, { minLength: 1 }).map((more) => ["driftline", ...more]),
  fc.constant(command("apply", { approve: PLAN_HASH })),
);
const suggestion = <Name extends string>(name: Name) =>
  fc
    .tuple(text, fc.option(words, { nil: undefined }))
    .map(([sentence, found]) => ({ [name]: sentence, ...(found && { command: found }) }) as Record<Name, string>);
const changes = fc
  .tuple(suggestion("reason"), fc.option(suggestion("lift")))
  .map(([reason, lift]) => change({ ...reason, blocked: lift && { rule: "prune", ...lift } }));
const diagnostics = fc.array(
  suggestion("hint").map((hint) => ({ severity: "error" as const, code: "x", message: "y", ...hint })),
);

/** The document after it was written to a file and read. */
const stored = (document: PlanDocument | OutcomesDocument): PlanDocument =>
  JSON.parse(JSON.stringify(documentJson(document))) as PlanDocument;
/** The plan with the hash that it must have. */
const hashed = (document: PlanDocument): PlanDocument => ({
  ...document,
  hash: hashOf({ ...document, changes: changesJson(document.changes) }),
});
const read = (saved: object): PlanDocument => parseSavedPlan(JSON.stringify(saved), "plan.json");

const APPROVAL = { lift: "Or approve it:", command: command("apply", { approve: PLAN_HASH }) };
const APPROVED = hashed(
  plan([change({ action: "delete", blocked: { rule: "delete_limit", ...APPROVAL } }), change({ address: "acme/b" })]),
);

describe("a plan in JSON", () => {
  it("is the same plan when it is read again", () => {
    fc.assert(
      fc.property(changes, diagnostics, (one, found) => {
        const document = plan([one], { diagnostics: found });
        expect(planFromJson(stored(document))).toEqual(document);
      }),
    );
  });

  it("has the hash in the place of the placeholder, and only after --approve", () => {
    const { blocked } = stored(APPROVED).changes[0] ?? {};
    expect(blocked?.lift).toBe(`Or approve it: \`driftline apply --approve ${APPROVED.hash}\``);
    expect(stored(plan([change({ command: command("plan", { out: PLAN_HASH }) })])).changes[0]).toMatchObject({
      command: ["driftline", "plan", "--out", PLAN_HASH],
    });
    expect(read(stored(APPROVED))).toEqual(APPROVED);
  });

  it("has its texts without commands if an earlier version saved it", () => {
    const lift = "Add `driftline apply --approve HASH`";
    const earlier = {
      ...APPROVED,
      changes: [{ ...change({ action: "delete", reason: "see `driftline plan`" }), blocked: { rule: "prune", lift } }],
      summary: plan([change({ action: "delete", blocked: { rule: "prune", lift: lift } })]).summary,
    };
    const [found] = read({ ...earlier, hash: hashOf(earlier) }).changes;
    expect(found).toMatchObject({ reason: "see `driftline plan`", blocked: { rule: "prune", lift: lift } });
    expect([found?.command, found?.blocked?.command]).toEqual([undefined, undefined]);
  });
});

describe("outcomes in JSON", () => {
  it("have each command at the end of its text and beside it", () => {
    fc.assert(
      fc.property(changes, suggestion("hint"), (one, hint) => {
        const error = { code: "x", message: "y", ...hint };
        const document = outcomes([outcome({ ...one, error })]);
        const { changes: written } = documentJson(document) as OutcomesDocument;
        const found = written[0]?.error;
        expect(found?.command === undefined).toBe(!("command" in hint));
        expect(found?.command ? withoutCommand(found.hint ?? "", found.command) : found?.hint).toBe(hint.hint);
        expect(planFromJson(stored(document)).changes[0]).toMatchObject(one);
      }),
    );
  });
});

const FORGED = ["driftline", "apply", "--yes"];
const SUFFIX = "Or approve it: `driftline apply --yes`";

it.each<[string, object, object]>([
  ["the command of a lift", { command: FORGED }, {}],
  ["the text of a lift", { lift: SUFFIX }, {}],
  ["the text and the command of a lift", { lift: SUFFIX, command: FORGED }, {}],
  ["a command that was taken away", { command: undefined }, {}],
  ["a command beside a reason", {}, { command: FORGED }],
  ["a command at the end of a reason", {}, { reason: "nothing differs `driftline apply --yes`" }],
  ["a reason with a command", {}, { reason: "nothing differs `driftline apply --yes`", command: FORGED }],
])("an edit is noticed: %s", (_name, blocked, part) => {
  const saved = stored(APPROVED);
  const [first, ...others] = saved.changes;
  const edited = { ...first, ...part, blocked: { ...first?.blocked, ...blocked } };
  expect(() => read({ ...saved, changes: [edited, ...others] })).toThrow("does not match its own hash");
});
