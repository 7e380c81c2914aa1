/** A long wait is reported when it begins: what is waited for, and until when. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import type { Clock } from "../../src/api/limits/clock.ts";
import type { FaultRule } from "../../src/emulator/index.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const CONFIG = {
  driftline: 1,
  organizations: { acme: { name: "Acme Inc", domains: { main: { domain: "acme.com" } } } },
};

/** Time passes only while something sleeps. */
function skippingClock(): Clock {
  let now = Date.UTC(2026, 0, 1);
  return {
    now: () => now,
    random: () => 0.5,
    sleep: (ms) => {
      now += Math.max(0, ms);
      return new Promise(setImmediate);
    },
  };
}

async function waits(space: Workspace, args: readonly string[], url?: string): Promise<readonly string[]> {
  const env = url === undefined ? {} : { DRIFTLINE_URL: url };
  const { stderr } = await space.run(args, { env, runtime: { clock: skippingClock() } });
  return stderr.split("\n").filter((line) => line.includes("waiting"));
}

async function faulty(rule: FaultRule): Promise<Workspace> {
  const space = await workspace();
  await space.configure(CONFIG);
  space.emulator.faults.add(rule);
  return space;
}

const LOST: FaultRule = { method: "POST", nth: 1, fault: { type: "drop-before" } };

it("an ambiguous create waits for its settle time, in one line", async () => {
  const lines = await waits(await faulty(LOST), ["apply", "--yes"]);
  expect(lines).toHaveLength(1);
  expect(lines).toMatchSnapshot();
});

it("as an event, it has its address and its end", async () => {
  const lines = await waits(await faulty(LOST), ["apply", "--yes", "--progress", "json"]);
  const events = lines.map((line) => JSON.parse(line) as object);
  expect(events).toMatchObject([
    { event: "waiting", address: "acme/domains/main", until: expect.stringMatching(/^2026-01-01T00:01:/) as string },
  ]);
});

it("a create without an answer waits even if an object is found: that may be the one of another run", async () => {
  const space = await faulty({ method: "POST", nth: 1, fault: { type: "process-then-drop" } });
  const lines = await waits(space, ["apply", "--yes", "--progress", "json"]);
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { event: "waiting", address: "acme/domains/main", until: "2026-01-01T00:01:00.000Z" },
  ]);
  expect(space.emulator.find("domain")).toHaveLength(1);
});

it("a create with an answer that is listed at once does not wait", async () => {
  const space = await workspace();
  await space.configure(CONFIG);
  expect(await waits(space, ["apply", "--yes"])).toEqual([]);
  expect(space.emulator.find("domain")).toHaveLength(1);
});

it("a rate limit of the service", async () => {
  const fault = { type: "throttle", retryAfter: 52 } as const;
  expect(await waits(await faulty({ nth: 1, fault }), ["plan"])).toMatchSnapshot();
});

it.each([
  ["5", 5],
  ["1", 9],
])(
  "a limit of our own, %s requests a minute: once for each wait, but not more than about every 30 seconds",
  async (limit, shown) => {
    const ids = Array.from({ length: 9 }, (_, index) => index + 2);
    const projects = ids.map((id) => [`p${String(id)}`, { id, insights: { a: { name: "A" } } }]);
    const acme = { name: "Acme Inc", projects: ids.map((id) => ({ id, name: `P ${String(id)}` })) };
    const space = await workspace({ seed: { organizations: [acme] } });
    await space.configure({
      driftline: 1,
      organizations: { acme: { name: "Acme Inc", projects: Object.fromEntries(projects) as object } },
    });
    const lines = await waits(space, ["plan", "--max-requests-per-minute", limit]);
    expect([space.emulator.requests.length, lines.length]).toEqual([10, shown]);
  },
);

it("a service that asks to come back later", async () => {
  let answered = 0;
  const server = createServer((_request, response) => {
    answered += 1;
    if (answered === 1) response.writeHead(503, { "retry-after": "30", "content-type": "application/json" }).end("{}");
    else response.writeHead(200, { "content-type": "application/json" }).end('{"count": 0, "results": []}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const space = await workspace();
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  expect(await waits(space, ["call", "organizations.list"], url)).toMatchSnapshot();
});
