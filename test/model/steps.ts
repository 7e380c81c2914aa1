/** The steps of the model: edits of the configuration, changes by other users, and runs with faults. */
import * as fc from "fast-check";
import type { Dialect, Fault, FaultRule } from "../../src/emulator/index.ts";
import { edits, type Edit } from "./declared.ts";
import { SLOTS } from "./slots.ts";

/** A change by another user. */
export interface Meddling {
  readonly type: "change" | "remove" | "insert" | "soft-delete" | "accept" | "expire";
  /** The index of the object among the existing ones. */
  readonly index: number;
}

/** How a run is stopped early. */
export type End =
  /** The run stops at its n-th request. `sent`: that request still took effect. */
  | { readonly type: "kill"; readonly at: number; readonly sent: boolean }
  /** The first SIGINT comes with its n-th request. */
  | { readonly type: "interrupt"; readonly at: number };

export interface Run {
  readonly command: "plan" | "apply" | "apply saved" | "drift" | "export";
  readonly prune: boolean;
  /** The number of the slot that the run is limited to. */
  readonly only: number | null;
  readonly faults: readonly FaultRule[];
  readonly end: End | null;
}

export type Step =
  | { readonly type: "edit"; readonly edit: Edit }
  | { readonly type: "meddle"; readonly meddling: Meddling }
  | { readonly type: "run"; readonly run: Run }
  /** Time passes until no request is in progress. */
  | { readonly type: "wait" };

export interface History {
  readonly dialect: Dialect;
  readonly maxPageSize: number;
  /** The seed for the random decisions of the service and the clock. */
  readonly chance: number;
  /** The initial configuration. */
  readonly first: readonly Edit[];
  readonly steps: readonly Step[];
}

/** Later than the client's timeout and earlier than its settle time, in milliseconds. */
const LATE = { min: 63_000, max: 117_000 };
const FIRST: Fault = { type: "process-first" };

/**
 * The emulator's faults except two that a run cannot recognize as wrong answers: a stale read of what another run has
 * written, and a service that creates twice on one request.
 */
const faults: fc.Arbitrary<readonly Fault[]> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom<readonly Fault[]>(
      [{ type: "drop-before" }],
      [{ type: "process-then-drop" }],
      [{ type: "half-body" }],
      [{ type: "half-headers" }],
      [{ type: "headers-only" }],
      [{ type: "half-chunked" }],
      [{ type: "hang-up" }],
      [{ type: "redirect", location: "http://elsewhere.example/" }],
      [{ type: "answer", status: 200, text: "{}" }],
      [{ type: "answer", status: 200, text: "<html>", contentType: "text/html" }, FIRST],
      [{ type: "duplicate-row" }],
      [{ type: "short-page" }],
      [{ type: "slow-drip", bytes: 100, ms: 40_000 }],
      [{ type: "html-502" }],
      [{ type: "html-502" }, FIRST],
      [{ type: "status", status: 403 }],
      [{ type: "status", status: 404 }],
      [{ type: "status", status: 500 }],
      [{ type: "status", status: 500 }, FIRST],
      [{ type: "status", status: 503 }],
      [{ type: "status", status: 504 }],
      [{ type: "status", status: 504 }, FIRST],
      [{ type: "throttle", retryAfter: 3 }],
      [{ type: "throttle", retryAfter: null }],
      [{ type: "wrong-next-host", origin: "http://elsewhere.example" }],
      [{ type: "clamp-limit", limit: 1 }],
      [{ type: "move-row" }],
      [{ type: "lying-count", by: 1 }],
      [{ type: "lying-count", by: -1 }],
      [{ type: "ignore-field", field: "description" }],
      [{ type: "ignore-field", field: "level" }],
      [{ type: "drop-field", field: "id" }],
      [{ type: "drop-field", field: "aws_secret_access_key" }],
      [{ type: "mask-field", field: "aws_secret_access_key" }],
      [{ type: "delay-after", ms: 70_000 }],
    ),
  },
  { weight: 1, arbitrary: fc.integer(LATE).map((ms): readonly Fault[] => [{ type: "delay-before", ms }]) },
);

const PATHS = ["/domains", "/invites", "/members", "/batch_exports", "/pipeline_", "/insights", /\/organizations\/?$/];
const rules: fc.Arbitrary<readonly FaultRule[]> = fc
  .record({
    all: faults,
    method: fc.constantFrom(undefined, "GET", "POST", "POST", "PATCH", "DELETE"),
    path: fc.constantFrom(undefined, ...PATHS),
    nth: fc.constantFrom(1, 1, 1, 2, 3, 6),
    times: fc.constantFrom(1, 1, 2, 4, 1_000),
  })
  .map(({ all, method, path, nth, times }) => {
    const where = { ...(method === undefined ? {} : { method }), ...(path === undefined ? {} : { path }) };
    return all.map((fault) => ({ ...where, nth, times, fault }));
  });

const at = fc.integer({ min: 1, max: 40 });
const ends: fc.Arbitrary<End | null> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("kill" as const), at, sent: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("interrupt" as const), at }) },
);

const runs: fc.Arbitrary<Run> = fc.record({
  command: fc.constantFrom("plan", "apply", "apply", "apply", "apply saved", "drift", "export"),
  prune: fc.boolean(),
  only: fc.oneof(
    { weight: 5, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.nat({ max: SLOTS.length - 1 }) },
  ),
  faults: fc.array(rules, { maxLength: 4 }).map((all) => all.flat()),
  end: ends,
});

const meddlings: fc.Arbitrary<Meddling> = fc.record({
  type: fc.constantFrom("change", "change", "remove", "insert", "insert", "soft-delete", "accept", "expire"),
  index: fc.nat({ max: 30 }),
});

/** Any possible next step. */
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: edits.map((edit): Step => ({ type: "edit", edit })) },
  { weight: 2, arbitrary: meddlings.map((meddling): Step => ({ type: "meddle", meddling })) },
  { weight: 8, arbitrary: runs.map((run): Step => ({ type: "run", run })) },
  { weight: 1, arbitrary: fc.constant<Step>({ type: "wait" }) },
);

/** A configuration and a list of steps. */
export const histories: fc.Arbitrary<History> = fc.record({
  dialect: fc.constantFrom<Dialect>("document", "deployed"),
  maxPageSize: fc.constantFrom(50, 2),
  chance: fc.nat({ max: 1_000_000 }),
  first: fc.array(edits, { maxLength: 16, size: "max" }),
  steps: fc.array(step, { minLength: 1, maxLength: 20, size: "max" }),
});
