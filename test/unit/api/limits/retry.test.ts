import { Agent, errors } from "undici";
import { describe, expect, it, onTestFinished } from "vitest";
import type { RequestEvent } from "../../../../src/api/client.ts";
import { isFromService } from "../../../../src/api/errors/errors.ts";
import { sentencesOf } from "../../../support/sentences.ts";
import {
  complaint,
  connect,
  create,
  failureOf,
  fakeClock,
  json,
  read,
  remove,
  serve,
  update,
  type Handler,
} from "../support.ts";

const REQUESTS = { read, update, remove, create };
const reset: Handler = ({ socket }) => void socket.resetAndDestroy();
const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Handler =>
  (_seen, response) =>
    json(response, code, complaint("error", "A server error occurred."), headers);
const halfBody: Handler = ({ socket }, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  response.write('{"id": ');
  response.once("drain", () => undefined);
  setImmediate(() => socket.destroy());
};

describe("how often a request is sent that always fails", () => {
  const table: readonly [string, Handler, Record<keyof typeof REQUESTS, number>, string, "no" | "maybe"][] = [
    ["a reset after sending", reset, { read: 5, update: 4, remove: 4, create: 1 }, "network", "maybe"],
    ["half a body", halfBody, { read: 5, update: 4, remove: 4, create: 1 }, "network", "maybe"],
    ["502", status(502), { read: 5, update: 4, remove: 4, create: 1 }, "server", "maybe"],
    ["503", status(503), { read: 5, update: 4, remove: 4, create: 1 }, "server", "maybe"],
    ["504", status(504), { read: 5, update: 4, remove: 4, create: 1 }, "server", "maybe"],
    ["500", status(500), { read: 3, update: 3, remove: 3, create: 1 }, "server", "maybe"],
    ["501", status(501), { read: 1, update: 1, remove: 1, create: 1 }, "server", "maybe"],
    ["505", status(505), { read: 1, update: 1, remove: 1, create: 1 }, "server", "maybe"],
    ["429", status(429, { "retry-after": "1" }), { read: 20, update: 20, remove: 20, create: 20 }, "throttled", "no"],
    ["400", status(400), { read: 1, update: 1, remove: 1, create: 1 }, "invalid", "no"],
    ["401", status(401), { read: 1, update: 1, remove: 1, create: 1 }, "auth", "no"],
    ["403", status(403), { read: 1, update: 1, remove: 1, create: 1 }, "scope", "no"],
    ["404", status(404), { read: 1, update: 1, remove: 1, create: 1 }, "not_found", "no"],
    ["409", status(409), { read: 1, update: 1, remove: 1, create: 1 }, "invalid", "no"],
  ];
  const rows = table.flatMap(([name, handler, expected, ...failure]) =>
    (Object.keys(REQUESTS) as (keyof typeof REQUESTS)[]).map(
      (what) => [name, what, expected[what], handler, ...failure] as const,
    ),
  );
  it.each(rows)("%s: a %s %i times", async (_name, what, times, handler, kind, tookEffect) => {
    const server = await serve(handler);
    const client = connect(server.url);
    const error = await failureOf(REQUESTS[what](client));
    expect(server.seen).toHaveLength(times);
    expect(client.requests()).toBe(times);
    expect(error).toMatchObject({ kind, tookEffect });
  });
});

describe("a connection that cannot be opened", () => {
  const failing = (error: () => Error): Agent => {
    const agent = new Agent({ connect: (_options, callback) => callback(error(), null) });
    onTestFinished(() => agent.close());
    return agent;
  };
  const node = (code: string) => () => Object.assign(new Error(code), { code });

  const table: readonly [string, () => Error, number, string][] = [
    ["refused", node("ECONNREFUSED"), 4, "network"],
    ["an unknown host", node("ENOTFOUND"), 4, "network"],
    ["a connect time-out", () => new errors.ConnectTimeoutError("slow"), 4, "timeout"],
    ["a reset while connecting", node("ECONNRESET"), 4, "network"],
    ["a certificate that is not trusted", node("DEPTH_ZERO_SELF_SIGNED_CERT"), 1, "network"],
  ];
  for (const [name, error, times, kind] of table) {
    it(`${name}: even a create is sent ${String(times)} times, without effect`, async () => {
      const client = connect("http://service.example", { dispatcher: failing(error) });
      const failure = await failureOf(create(client));
      expect(failure).toMatchObject({ kind, tookEffect: "no", status: null });
      expect(client.requests()).toBe(times);
    });
  }

  it("names the host and what to check, and quotes no stack", async () => {
    const client = connect("http://service.example", { dispatcher: failing(node("ECONNREFUSED")) });
    const error = await failureOf(read(client));
    expect(error.message).not.toContain("\n");
    for (const part of ["service.example", "ECONNREFUSED"]) expect(error.message).toContain(part);
    expect(error.hint).toContain("DRIFTLINE_URL");
    expect(sentencesOf(error)).toMatchSnapshot();
  });
});

it("TLS to a server without TLS has no effect and is not retried", async () => {
  const server = await serve((_seen, response) => json(response, 200, {}));
  const client = connect(server.url.replace("http:", "https:"));
  const error = await failureOf(create(client));
  expect(error).toMatchObject({ kind: "network", tookEffect: "no" });
  expect(client.requests()).toBe(1);
  expect(server.seen).toHaveLength(0);
});

describe("time-outs", () => {
  it("a missing answer is a time-out that may have had an effect", async () => {
    const server = await serve(() => undefined);
    const error = await failureOf(create(connect(server.url, { timeouts: { headers: 40 } })));
    expect(error).toMatchObject({
      kind: "timeout",
      tookEffect: "maybe",
      code: "UND_ERR_HEADERS_TIMEOUT",
      status: null,
    });
    expect(server.seen).toHaveLength(1);
  });

  it("a body that stops is a time-out with the status of the answer", async () => {
    const server = await serve((_seen, response) => {
      response.writeHead(201, { "content-type": "application/json" });
      response.write('{"id":');
    });
    const error = await failureOf(create(connect(server.url, { timeouts: { body: 40 } })));
    expect(error).toMatchObject({ kind: "timeout", tookEffect: "maybe", status: 201 });
  });

  it.each([create, read])("a body that drips is said once, and given up after five minutes in all", async (send) => {
    const clock = fakeClock();
    const start = clock.now();
    const slow: RequestEvent[] = [];
    const server = await serve((_seen, response) => {
      response.writeHead(201, { "content-type": "application/json" });
      const drip = (): void => {
        clock.advance(1_000);
        if (!response.destroyed) response.write(" ", () => setImmediate(drip));
      };
      drip();
    });
    const onEvent = (event: RequestEvent): void => void (event.type === "slow" && slow.push(event));
    const error = await failureOf(send(connect(server.url, { clock, onEvent })));
    expect(error).toMatchObject({ kind: "timeout", tookEffect: "maybe", code: "DRIFTLINE_BODY_TIMEOUT" });
    expect(slow.map(({ waitMs = 0 }) => Math.round(waitMs / 10_000))).toEqual([29]);
    expect(clock.now() - start).toBeLessThan(310_000);
    expect(server.seen).toHaveLength(1);
  });
});

describe("a temporary failure", () => {
  const once =
    (first: Handler, then: Handler): Handler =>
    (seen, response, index) =>
      index === 0 ? first(seen, response, index) : then(seen, response, index);

  it("returns the answer of the successful try", async () => {
    const server = await serve(once(reset, (_seen, response) => json(response, 200, { id: "x" })));
    await expect(read(connect(server.url))).resolves.toEqual({ status: 200, body: { id: "x" } });
  });

  it("a DELETE that finds nothing after an unclear try is a success", async () => {
    const server = await serve(once(reset, status(404)));
    await expect(remove(connect(server.url))).resolves.toEqual({ status: 404, body: undefined });
  });

  it("a DELETE that finds nothing after a rejected try is not", async () => {
    const server = await serve(once(status(429, { "retry-after": "1" }), status(404)));
    await expect(failureOf(remove(connect(server.url)))).resolves.toMatchObject({
      kind: "not_found",
      tookEffect: "no",
    });
  });

  it("a PATCH that is rejected after an unclear try may still have had an effect", async () => {
    const server = await serve(once(reset, status(400)));
    await expect(failureOf(update(connect(server.url)))).resolves.toMatchObject({
      kind: "invalid",
      tookEffect: "maybe",
    });
  });

  it("JSON that was cut off without a length is read again", async () => {
    const cut: Handler = (_seen, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end('{"id": "x"');
    };
    const server = await serve(once(cut, (_seen, response) => json(response, 200, { id: "x" })));
    await expect(read(connect(server.url))).resolves.toMatchObject({ body: { id: "x" } });
    const always = await serve(cut);
    await expect(failureOf(create(connect(always.url)))).resolves.toMatchObject({
      kind: "protocol",
      tookEffect: "maybe",
    });
    expect(always.seen).toHaveLength(1);
  });
});

describe("waits", () => {
  it("are random, up to limits that double from 50 ms", async () => {
    const server = await serve(status(503));
    const clock = fakeClock(() => 0.999);
    await failureOf(read(connect(server.url, { clock })));
    expect(clock.sleeps).toEqual([50, 100, 200, 400]);
    const none = fakeClock(() => 0);
    await failureOf(read(connect(server.url, { clock: none })));
    expect(none.sleeps).toEqual([0, 0, 0, 0]);
  });

  const asked: readonly [string, (now: number) => string, number][] = [
    ["seconds", () => "52", 52_000],
    ["an HTTP date", (now) => new Date(now + 90_000).toUTCString(), 90_000],
  ];
  for (const [form, header, expected] of asked) {
    for (const code of [429, 503]) {
      it(`are exactly as long as Retry-After requests as ${form} after ${String(code)}`, async () => {
        const clock = fakeClock();
        const server = await serve((_seen, response, index) => {
          if (index === 0) return json(response, code, complaint("throttled"), { "retry-after": header(clock.now()) });
          json(response, 200, { id: "x" });
        });
        await read(connect(server.url, { clock }));
        expect(clock.sleeps).toEqual([expected]);
      });
    }
  }

  for (const [name, headers] of [
    ["without Retry-After", {}],
    ["with one that cannot be read", { "retry-after": "soon" }],
    ["with a date that has passed", { "retry-after": new Date(0).toUTCString() }],
  ] as const) {
    it(`after 429 ${name} start at one second`, async () => {
      const server = await serve(status(429, headers));
      const clock = fakeClock(() => 0.999);
      await failureOf(read(connect(server.url, { clock })));
      expect(clock.sleeps).toEqual([999, 1998, 3996, 7992]);
    });
  }

  it("that would pass the deadline of the run are not begun, and the error says so", async () => {
    for (const code of [429, 503]) {
      const server = await serve(status(code, { "retry-after": "1801" }));
      const clock = fakeClock();
      const error = await failureOf(read(connect(server.url, { clock })));
      expect(server.seen).toHaveLength(1);
      expect(clock.sleeps).toEqual([]);
      expect(error.message).toMatch(/1801 s .* deadline/);
      expect(sentencesOf(error)).toMatchSnapshot();
    }
  });

  it("are counted from the creation of the client", async () => {
    const server = await serve(status(503, { "retry-after": "60" }));
    const clock = fakeClock();
    const client = connect(server.url, { clock, deadlineMs: 100_000 });
    clock.advance(90_000);
    await failureOf(read(client));
    expect(server.seen).toHaveLength(1);
  });
});

it("an outage of hundreds of requests costs at most a tenth more than the requests themselves", async () => {
  const server = await serve(status(503));
  const client = connect(server.url);
  for (let sent = 0; sent < 400; sent += 1) await failureOf(read(client));
  expect(client.requests()).toBeLessThanOrEqual(400 * 1.1);
  expect(client.requests()).toBeGreaterThan(420);
});

it("a long healthy run does not save up retries for an outage", async () => {
  let healthy = true;
  const server = await serve((seen, response, index) => status(healthy ? 200 : 503)(seen, response, index));
  const client = connect(server.url);
  for (let sent = 0; sent < 300; sent += 1) await read(client);
  healthy = false;
  for (let sent = 0; sent < 20; sent += 1) await failureOf(read(client));
  expect(client.requests()).toBeLessThanOrEqual(300 + 20 * 1.1 + 10);
});

it("waits for a rate limit do not use up the retries of an outage", async () => {
  let mode: 429 | 503 = 429;
  const server = await serve((seen, response, index) => status(mode, { "retry-after": "1" })(seen, response, index));
  const client = connect(server.url);
  for (let sent = 0; sent < 10; sent += 1) await failureOf(read(client));
  mode = 503;
  const before = client.requests();
  await failureOf(read(client));
  expect(client.requests() - before).toBe(5);
});

describe("what the service may still be working on, if the last answer is its own 500", () => {
  it.each([
    ["a try whose connection was cut", reset, true],
    ["a try that a gateway gave up", status(504), true],
    ["nothing, if it answered 500 to every try", status(500), false],
    ["nothing, if the other tries were refused", status(429, { "retry-after": "1" }), false],
  ])("%s", async (_name, first, mayStillRun) => {
    const server = await serve((seen, response, index) => (index === 0 ? first : status(500))(seen, response, index));
    const error = await failureOf(update(connect(server.url)));
    expect(error).toMatchObject({ status: 500, code: "error", tookEffect: "maybe", mayStillRun });
    expect(isFromService(error)).toBe(!mayStillRun);
  });
});

describe("an interrupted run", () => {
  it("sends nothing more", async () => {
    const server = await serve((_seen, response) => json(response, 200, {}));
    const error = await failureOf(read(connect(server.url, { signal: AbortSignal.abort() })));
    expect(error).toMatchObject({ kind: "interrupted", tookEffect: "no" });
    expect(server.seen).toHaveLength(0);
  });

  it("waits for the requests in flight", async () => {
    const controller = new AbortController();
    const server = await serve((_seen, response) => {
      controller.abort();
      json(response, 201, { id: "x" });
    });
    await expect(create(connect(server.url, { signal: controller.signal }))).resolves.toMatchObject({
      body: { id: "x" },
    });
  });

  it("does not retry, and reports whether there may have been an effect", async () => {
    const controller = new AbortController();
    const server = await serve((seen, response, index) => {
      controller.abort();
      return reset(seen, response, index);
    });
    const events: string[] = [];
    const client = connect(server.url, { signal: controller.signal, onEvent: ({ type }) => events.push(type) });
    const error = await failureOf(update(client));
    expect(error).toMatchObject({ kind: "interrupted", tookEffect: "maybe" });
    expect(events).toEqual(["request"]);
    expect(server.seen).toHaveLength(1);
  });

  it("says of a throttled request that it is not sent again", async () => {
    const controller = new AbortController();
    const server = await serve(status(429, { "retry-after": "1" }));
    const clock = { ...fakeClock(), sleep: async () => controller.abort() };
    const error = await failureOf(update(connect(server.url, { clock, signal: controller.signal })));
    expect(error).toMatchObject({ kind: "interrupted", tookEffect: "no" });
    expect(sentencesOf(error)).toMatchSnapshot();
  });

  it("ends during a wait", async () => {
    const controller = new AbortController();
    const server = await serve(status(503));
    const clock = { ...fakeClock(), sleep: async () => controller.abort() };
    const error = await failureOf(read(connect(server.url, { clock, signal: controller.signal })));
    expect(error.kind).toBe("interrupted");
    expect(server.seen).toHaveLength(1);
  });
});

it("reports every try, retry and wait", async () => {
  const events: RequestEvent[] = [];
  const server = await serve((seen, response, index) => {
    if (index === 0) return status(503)(seen, response, index);
    if (index === 1) return status(429, { "retry-after": "3" })(seen, response, index);
    json(response, 200, {});
  });
  await read(connect(server.url, { onEvent: (event) => events.push(event) }));
  expect(events.map(({ type, attempt, status: code, waitMs }) => ({ type, attempt, code, waitMs }))).toEqual([
    { type: "request", attempt: 1, code: 503, waitMs: undefined },
    { type: "retry", attempt: 1, code: 503, waitMs: 25 },
    { type: "request", attempt: 2, code: 429, waitMs: undefined },
    { type: "throttled", attempt: 2, code: 429, waitMs: 3_000 },
    { type: "request", attempt: 3, code: 200, waitMs: undefined },
  ]);
});

it("calls onRequest for each try", async () => {
  const server = await serve((seen, response, index) =>
    index < 2 ? status(503)(seen, response, index) : json(response, 200, {}),
  );
  let sent = 0;
  await connect(server.url).request("organizations.list", { onRequest: () => (sent += 1) });
  expect(sent).toBe(3);
});
