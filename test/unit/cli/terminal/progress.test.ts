import { describe, expect, it } from "vitest";
import { createRedactor } from "../../../../src/api/redact/redact.ts";
import type { Clock, RequestEvent } from "../../../../src/api/client.ts";
import { createProgress, type Progress } from "../../../../src/cli/terminal/progress.ts";
import type { Runtime } from "../../../../src/cli/runtime.ts";

/** A clock that the test moves. */
function steppedClock(): { readonly clock: Clock; readonly advance: (ms: number) => Promise<void> } {
  let now = 0;
  let timers: { readonly at: number; readonly wake: () => void }[] = [];
  const clock: Clock = {
    now: () => now,
    random: () => 0.5,
    sleep: (ms, signal) =>
      new Promise((wake) => {
        timers.push({ at: now + ms, wake });
        signal?.addEventListener("abort", () => wake(), { once: true });
      }),
  };
  const advance = async (ms: number): Promise<void> => {
    for (const end = now + ms; now < end;) {
      now += 500;
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { wake } of due) wake();
      await new Promise(setImmediate);
    }
  };
  return { clock, advance };
}

interface Watched {
  readonly progress: Progress;
  readonly advance: (ms: number) => Promise<void>;
  /** The status line. */
  readonly line: () => string | undefined;
  readonly written: () => string;
}

function watched(more: Partial<Runtime> = {}, options: { readonly verbose?: boolean } = {}): Watched {
  const { clock, advance } = steppedClock();
  const redactor = createRedactor();
  redactor.add("s3cr3t-value");
  let line: string | undefined;
  let written = "";
  const runtime: Partial<Runtime> = {
    clock,
    redactor,
    status: (text) => void (line = text),
    err: (text) => void (written += text),
    ...more,
  };
  const progress = createProgress(runtime as Runtime, { progress: "text", ...options });
  return { progress, advance, line: () => line, written: () => written };
}

const DONE: RequestEvent = { type: "request", operation: "insights.list", method: "GET", path: "/", attempt: 1 };
const list = { operation: "batch_exports.list", path: "/api/exports/" } as const;

describe("the status line", () => {
  it("counts requests", () => {
    const { progress, line } = watched();
    progress.request(DONE);
    expect(line()).toBe("1 request so far");
    progress.request(DONE);
    expect(line()).toBe("2 requests so far");
  });

  it("shows how much of a list is read, until it has ended", () => {
    const { progress, line } = watched();
    progress.page?.({ ...list, pages: 3, total: 21 });
    progress.request(DONE);
    expect(line()).toBe("listing batch exports 3/21 pages");
    progress.page?.({ ...list, pages: 0, total: undefined });
    expect(line()).toBe("1 request so far");
  });

  it("shows nothing of a list with one page", () => {
    const { progress, line } = watched();
    progress.page?.({ ...list, pages: 1, total: 1 });
    expect(line()).toBe("0 requests so far");
  });

  it("shows what is waited for if one request is slow, without secrets, and no longer than that", async () => {
    const { progress, line, advance } = watched();
    progress.request(DONE);
    const ended = progress.send?.({ method: "GET", path: "/api/s3cr3t-value/" });
    await advance(2_500);
    expect(line()).toBe("1 request so far");
    await advance(1_000);
    expect(line()).toBe("waiting for GET /api/[redacted]/ (3 s)");
    await advance(4_000);
    expect(line()).toBe("waiting for GET /api/[redacted]/ (7 s)");
    ended?.();
    progress.request(DONE);
    expect(line()).toBe("2 requests so far");
  });

  it("shows the request that waits longest", async () => {
    const { progress, line, advance } = watched();
    progress.send?.({ method: "GET", path: "/first/" });
    await advance(1_000);
    progress.send?.({ method: "GET", path: "/second/" });
    await advance(4_000);
    expect(line()).toBe("waiting for GET /first/ (5 s)");
  });

  it("is not shown again once nothing is in flight", async () => {
    const lines: string[] = [];
    const { progress, advance } = watched({ status: (text) => void lines.push(text) });
    const ended = progress.send?.({ method: "GET", path: "/first/" });
    ended?.();
    progress.request(DONE);
    await advance(5_000);
    expect(lines).toEqual(["1 request so far"]);
  });

  it("shows the changes that are made, and not what is read for them", () => {
    const { progress, line } = watched();
    progress.work?.(() => "[3/9]");
    progress.page?.({ ...list, pages: 3, total: 21 });
    expect(line()).toBe("[3/9]");
  });

  it("shows how long a rate limit is waited for, in the place of a line of text", async () => {
    const { progress, line, advance, written } = watched();
    progress.work?.(() => "[3/9]");
    progress.request({ ...DONE, type: "throttled", waitMs: 5_000 });
    expect(line()).toBe("[3/9]; waiting 5 s for the rate limit");
    await advance(3_000);
    expect(line()).toBe("[3/9]; waiting 2 s for the rate limit");
    await advance(2_000);
    progress.request(DONE);
    expect([line(), written()]).toEqual(["[3/9]", ""]);
  });

  it("is empty at the end, even if a change is still in progress", async () => {
    const { progress, line, advance } = watched();
    progress.send?.({ method: "GET", path: "/first/" });
    progress.done();
    await advance(5_000);
    expect(line()).toBe("");
  });
});

it("in a log, what is done is one line in ten seconds", async () => {
  const { progress, advance, written } = watched({ status: undefined });
  let done = 0;
  progress.work?.(() => `[${String(done)}/90]`);
  for (; done < 50; done += 1) {
    progress.request(DONE);
    await advance(500);
  }
  progress.done();
  expect([progress.send, written()]).toEqual([undefined, "[20/90]\n[40/90]\n"]);
});

it("in a log, a pause is one line with what is done, whoever announces it", async () => {
  const { progress, advance, written } = watched({ status: undefined });
  progress.work?.(() => "[116/536] updating insights, about 3 minutes left");
  progress.request({ ...DONE, type: "throttled", waitMs: 57_500 });
  progress.request({ ...DONE, type: "paced", waitMs: 58_000 });
  for (let passed = 0; passed < 57; passed += 1) {
    await advance(1_000);
    progress.request(DONE);
  }
  expect(written()).toBe("[116/536] updating insights, about 3 minutes left; waiting 58 s for the rate limit\n");
});

describe("waits for a limit of our own", () => {
  const PACED: RequestEvent = { ...DONE, type: "paced", waitMs: 12_000 };

  /** The lines about waits, one after the other. Milliseconds. */
  async function shown(waits: readonly number[], options: Parameters<typeof watched>[1] = {}) {
    const { progress, advance, written } = watched({ status: undefined }, options);
    for (const waitMs of waits) {
      progress.request({ ...PACED, waitMs });
      await advance(waitMs);
      progress.request(DONE);
    }
    return written()
      .split("\n")
      .filter((line) => line.includes("waiting"));
  }

  it("are shown at the start, then about every 30 seconds, with the number of requests", async () => {
    expect(await shown([12_000, 12_000, 12_000, 12_000])).toMatchSnapshot();
  });

  it("are shown each if they take longer", async () => {
    expect(await shown([60_000, 60_000, 6_000, 20_000])).toHaveLength(3);
  });

  it("are shown each with --verbose", async () => {
    expect(await shown([12_000, 12_000, 12_000], { verbose: true })).toHaveLength(3);
  });
});

it("an answer that arrives slowly is said while it is waited for", () => {
  const { progress, written } = watched({ status: undefined });
  progress.request({ ...DONE, type: "slow", waitMs: 290_000 });
  expect(written()).toMatchSnapshot();
});

it("--quiet reports nothing, not even a long wait", () => {
  const { progress, line, written } = watched({ quiet: true });
  progress.request({ ...DONE, type: "throttled", waitMs: 60_000 });
  progress.done();
  expect([line(), written()]).toEqual([undefined, ""]);
});
