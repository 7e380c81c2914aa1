import { describe, expect, it } from "vitest";
import { ApiError } from "../../../src/api/errors/errors.ts";
import { interimOutcomes } from "../../../src/apply/outcomes.ts";
import { trackWrite, type ChangeProgress } from "../../../src/apply/run-state.ts";
import type { Change } from "../../../src/model/change.ts";
import { sentencesOf } from "../../support/sentences.ts";
import { change } from "./support.ts";

const failing = (tookEffect: "no" | "maybe"): ApiError =>
  new ApiError({
    kind: "network",
    operation: "domains.create",
    method: "POST",
    path: "",
    status: null,
    code: null,
    attr: null,
    hint: "",
    tookEffect,
    message: "",
  });

describe("what is known of the writes of a change", () => {
  it.each([
    ["a request on its way", undefined, "held", "in flight"],
    ["an answer", undefined, "answer", "answered"],
    ["no clear answer", undefined, failing("maybe"), "unclear"],
    ["a failure of another kind", "answered", new Error("defect"), "unclear"],
    ["one that certainly did not arrive, as the first", undefined, failing("no"), undefined],
    ["one that certainly did not arrive, after others", "answered", failing("no"), "answered"],
    ["one that was not sent", "unclear", "unsent", "unclear"],
  ] as const)("after %s", async (_name, before, what, after) => {
    const progress: ChangeProgress = { requests: 0, lastWrite: before, outcome: undefined };
    const sent = trackWrite(progress, async (onRequest) => {
      if (what === "unsent") throw failing("no");
      onRequest();
      if (what === "held") return new Promise(() => undefined);
      if (what instanceof Error) throw what;
      return { status: 200, body: {} };
    });
    if (what !== "held") await sent.catch(() => undefined);
    expect(progress.lastWrite).toBe(after);
  });

  it.each([
    [undefined, "skipped", "interrupted"],
    ["in flight", "unknown", "outcome_unknown"],
    ["unclear", "unknown", "outcome_unknown"],
    ["answered", "unverified", "interrupted"],
  ] as const)("%s makes a change that has not ended %s", (last, status, code) => {
    const one = change("domain", { domain: "a.com" });
    const same: Change = { ...one, address: "acme/domains/same", action: "no_op" };
    const refused: Change = { ...one, address: "acme/domains/no", blocked: { rule: "protect", lift: "x" } };
    const run = { progress: new Map([[one.address, { requests: 3, lastWrite: last, outcome: undefined }]]) };
    const outcomes = interimOutcomes(run as never, { changes: [one, same, refused] } as never);
    expect(outcomes).toMatchObject([
      { status, error: { code }, requests: 3 },
      { status: "unchanged", error: null, requests: 0 },
      { status: "skipped", error: { code: "protect" } },
    ]);
    expect(outcomes.filter((outcome) => "work" in outcome)).toEqual([]);
    expect(sentencesOf(outcomes[0]?.error)).toMatchSnapshot();
  });
});
