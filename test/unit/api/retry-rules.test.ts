import { describe, expect, it } from "vitest";
import { ApiError, type ApiErrorFields } from "../../../src/api/errors/errors.ts";
import { operations } from "../../../src/api/operations/index.ts";
import {
  createRetryBudget,
  FailedTry,
  retryWait,
  withRetries,
  type RetryOptions,
} from "../../../src/api/limits/retry.ts";
import { sentencesOf } from "../../support/sentences.ts";

const READ = operations["domains.list"];
const WRITE = operations["domains.update"];
const CREATE = operations["domains.create"];
const NOW = 1_700_000_000_000;

function failure(fields: Partial<ApiErrorFields> = {}): ApiError {
  const common = { kind: "server", status: 503, code: null, attr: null, tookEffect: "maybe", path: "/" } as const;
  return new ApiError({ ...common, operation: "x", method: "GET", hint: "hint", message: "it failed", ...fields });
}

const REFUSED = failure({ kind: "invalid", status: 400, tookEffect: "no" });
const UNREACHED = failure({ kind: "network", status: null, tookEffect: "no", code: "ECONNREFUSED" });
const THROTTLED = failure({ kind: "throttled", status: 429, tookEffect: "no" });

interface Given extends Partial<RetryOptions> {
  /** How many retries the budget has. */
  readonly stock?: number;
  readonly waitMs?: number;
  readonly onSleep?: () => void;
}

/** Runs a request whose tries fail with these errors in order, and then succeed. */
async function run(operation: typeof READ, errors: readonly Error[], given: Given = {}) {
  const { stock = 100, waitMs = 10, onSleep, ...options } = given;
  let [left, earned] = [stock, 0];
  const slept: number[] = [];
  const reported: string[] = [];
  const numbers: number[] = [];
  let defects = 0;
  const result = await withRetries(
    { operation, path: "/", redact: (text) => text },
    async (number, tries) => {
      await Promise.resolve();
      numbers.push(number);
      ({ defects } = tries);
      const error = errors[number - 1];
      if (error === undefined) return "done";
      throw error instanceof ApiError ? new FailedTry(error, waitMs) : error;
    },
    {
      clock: {
        now: () => NOW,
        random: () => 0,
        sleep: async (ms) => {
          slept.push(ms);
          onSleep?.();
          await Promise.resolve();
        },
      },
      budget: {
        earn: () => void (earned += 1),
        spend: () => {
          left -= 1;
          return left >= 0;
        },
      },
      deadline: NOW + 60_000,
      onRetry: (error, attempt, ms) => reported.push(`${error.kind} ${String(attempt)} ${String(ms)}`),
      ...options,
    },
  ).catch((error: unknown) => error);
  return { result, slept, reported, tries: numbers.length, spent: stock - left, earned, defects };
}

describe("whether a failed try may be followed by another", () => {
  it.each<[string, ApiError, readonly [read: boolean, write: boolean, create: boolean]]>([
    ["a refusal", REFUSED, [false, false, false]],
    ["too many requests", THROTTLED, [true, true, true]],
    ["no connection", UNREACHED, [true, true, true]],
    ["a connection that broke", failure({ kind: "network", status: null }), [true, true, false]],
    ["no answer in time", failure({ kind: "timeout", status: null }), [true, true, false]],
    ["no connection in time", failure({ kind: "timeout", status: null, tookEffect: "no" }), [true, true, true]],
    ["a gateway", failure({ status: 502 }), [true, true, false]],
    ["an overload", failure({ status: 503 }), [true, true, false]],
    ["an overload that certainly had no effect", failure({ status: 503, tookEffect: "no" }), [true, true, false]],
    ["a gateway's time-out", failure({ status: 504 }), [true, true, false]],
    ["a defect", failure({ status: 500 }), [true, true, false]],
    ["a server error without a status", failure({ status: null }), [true, true, false]],
    ["an operation that is not implemented", failure({ status: 501 }), [false, false, false]],
    ["a version that is not supported", failure({ status: 505 }), [false, false, false]],
    ["JSON that is cut off", failure({ kind: "protocol", status: 200, code: "invalid_json" }), [true, true, false]],
    ["an invalid answer", failure({ kind: "protocol", status: 200, code: "no_page" }), [false, false, false]],
    [
      "a certificate that is not trusted",
      failure({ kind: "network", status: null, tookEffect: "no", code: "CERT_HAS_EXPIRED" }),
      [false, false, false],
    ],
    ["a key that is not valid", failure({ kind: "auth", status: 401, tookEffect: "no" }), [false, false, false]],
    ["a list that is not whole", failure({ kind: "incomplete", status: 200 }), [false, false, false]],
  ])("%s", async (_name, error, expected) => {
    const made = await Promise.all([READ, WRITE, CREATE].map((operation) => run(operation, [error])));
    expect(made.map(({ tries }) => tries === 2)).toEqual(expected);
    expect(made.map(({ result }) => result === "done")).toEqual(expected);
  });

  it("a defect is retried twice, a gateway error until no tries are left", async () => {
    const failing = (status: number) =>
      run(
        READ,
        Array.from({ length: 9 }, () => failure({ status })),
      );
    expect(await failing(500)).toMatchObject({ tries: 3 });
    expect(await failing(502)).toMatchObject({ tries: 5 });
  });
});

describe("how long to wait", () => {
  const clock = (random: number) => ({ now: () => 0, random: () => random, sleep: () => Promise.resolve() });

  it.each<[string, Parameters<typeof retryWait>[0], number, number | null, number, number]>([
    ["the time that the service asks for", "server", 1, 52_000, 0.5, 52_000],
    ["0 ms at the lowest random value", "server", 1, null, 0, 0],
    ["up to 50 ms", "server", 1, null, 1, 50],
    ["twice as long after each try", "server", 3, null, 1, 200],
    ["at most 20 s", "server", 12, null, 1, 20_000],
    ["a random share of that", "server", 12, null, 0.25, 5_000],
    ["up to a second if it throttles", "throttled", 1, null, 1, 1_000],
    ["the default if the requested time is invalid", "server", 1, 0, 1, 50],
    ["whole milliseconds", "server", 1, null, 0.333, 17],
  ])("%s", (_name, kind, number, asked, random, expected) => {
    expect(retryWait(kind, number, asked, clock(random))).toBe(expected);
  });
});

describe("a request", () => {
  it("that succeeds is sent once, adds to the retry budget and spends nothing", async () => {
    expect(await run(READ, [])).toEqual({
      result: "done",
      slept: [],
      reported: [],
      tries: 1,
      spent: 0,
      earned: 1,
      defects: 0,
    });
  });

  it.each([
    ["a read", READ, 5],
    ["an idempotent write", WRITE, 4],
  ] as const)(
    "that always fails is sent a fixed number of times, and each retry is waited for, reported and paid for: %s",
    async (_name, operation, tries) => {
      const error = failure();
      const made = await run(
        operation,
        Array.from({ length: 9 }, () => error),
      );
      const numbers = Array.from({ length: tries - 1 }, (_, index) => index + 1);
      expect(made).toMatchObject({ tries, spent: tries - 1, earned: 1 });
      expect(made.slept).toEqual(numbers.map(() => 10));
      expect(made.reported).toEqual(numbers.map((number) => `server ${String(number)} 10`));
      expect(made.result).toMatchObject({ message: "it failed", tookEffect: "maybe", status: 503 });
    },
  );

  it("that creates is sent four times if it never arrived, and not again once it may have arrived", async () => {
    expect(
      await run(
        CREATE,
        Array.from({ length: 9 }, () => UNREACHED),
      ),
    ).toMatchObject({
      tries: 4,
      result: { tookEffect: "no" },
    });
    expect(await run(CREATE, [UNREACHED, failure()])).toMatchObject({ tries: 2, result: { tookEffect: "maybe" } });
  });

  it("counts defects among its tries, and nothing else", async () => {
    expect(await run(READ, [failure({ status: 500 }), failure({ status: 502 }), UNREACHED])).toMatchObject({
      result: "done",
      tries: 4,
      defects: 1,
    });
    expect(
      await run(
        READ,
        Array.from({ length: 9 }, () => failure({ status: 500 })),
      ),
    ).toMatchObject({ tries: 3 });
  });

  it("reports that it may have had an effect if any try may have, even if the last one did not", async () => {
    expect((await run(WRITE, [failure(), REFUSED])).result).toMatchObject({ kind: "invalid", tookEffect: "maybe" });
    expect((await run(WRITE, [UNREACHED, REFUSED])).result).toMatchObject({ kind: "invalid", tookEffect: "no" });
  });

  it("rethrows other errors unchanged", async () => {
    const defect = new TypeError("defect");
    expect(await run(READ, [defect])).toMatchObject({ result: defect, tries: 1 });
    expect(await run(READ, [failure(), defect])).toMatchObject({ result: defect, tries: 2 });
  });

  it("is not sent again if the run has no retries left", async () => {
    expect(await run(READ, [failure(), failure()], { stock: 1 })).toMatchObject({
      tries: 2,
      reported: ["server 1 10"],
      result: { kind: "server" },
    });
  });

  it("that is throttled waits only for the limiter, and spends no retry", async () => {
    expect(await run(READ, [THROTTLED], { stock: 0, waitMs: 52_000 })).toMatchObject({
      result: "done",
      slept: [],
      spent: 0,
      reported: ["throttled 1 52000"],
    });
  });

  it("does not wait past the deadline, and the error says so", async () => {
    const late = await run(READ, [failure()], { waitMs: 1_501, deadline: NOW + 1_500 });
    expect(late).toMatchObject({ tries: 1, slept: [], reported: [] });
    const message = expect.stringMatching(/^it failed.*\b2 s\b/) as string;
    expect(late.result).toMatchObject({ kind: "server", message });
    expect(sentencesOf(late.result)).toMatchSnapshot();
    expect(await run(READ, [failure()], { waitMs: 1_500, deadline: NOW + 1_500 })).toMatchObject({ result: "done" });
  });

  it.each([
    ["before the wait", { signal: AbortSignal.abort() }, []],
    ["during the wait", {}, [10]],
  ])("that is interrupted %s is not sent again, and says what is known of its effect", async (_name, given, slept) => {
    const controller = new AbortController();
    const made = await run(WRITE, [failure()], {
      signal: controller.signal,
      onSleep: () => controller.abort(),
      ...given,
    });
    expect(made).toMatchObject({ tries: 1, slept });
    const message = expect.stringMatching(/^it failed/) as string;
    expect(made.result).toMatchObject({ kind: "interrupted", tookEffect: "maybe", message });
    expect(sentencesOf(made.result)).toMatchSnapshot();
    expect((await run(WRITE, [UNREACHED], { signal: AbortSignal.abort() })).result).toMatchObject({
      kind: "interrupted",
      tookEffect: "no",
    });
  });
});

it("the budget of retries is used up, earned back bit by bit, and never more than full", () => {
  const budget = createRetryBudget();
  const spendAll = (): number => {
    let spent = 0;
    while (budget.spend()) spent += 1;
    return spent;
  };
  for (let request = 0; request < 100; request += 1) budget.earn();
  expect(spendAll()).toBe(10);
  for (let request = 0; request < 19; request += 1) budget.earn();
  expect(spendAll()).toBe(0);
  budget.earn();
  expect(spendAll()).toBe(1);
});
