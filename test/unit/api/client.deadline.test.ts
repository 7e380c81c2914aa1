import { expect, it } from "vitest";
import { systemClock } from "../../../src/api/limits/clock.ts";
import { complaint, connect, create, failureOf, fakeClock, json, ORGANIZATION, serve, update } from "./support.ts";
import type { Client } from "../../../src/api/client.ts";

const patch = (client: Client, deadline: number) =>
  client.request("domains.update", {
    path: { organization_id: ORGANIZATION, id: ORGANIZATION },
    body: { sso_enforcement: "saml" },
    deadline,
  });

it("waits for an answer no longer than the deadline of the request, and may have taken effect", async () => {
  const { url, seen } = await serve(() => undefined);
  const client = connect(url, { clock: systemClock });
  const body = { domain: "acme.com" };
  const creating = client.request("domains.create", {
    path: { organization_id: ORGANIZATION },
    body,
    deadline: systemClock.now() + 30,
  });
  expect(await failureOf(creating)).toMatchObject({ kind: "timeout", tookEffect: "maybe" });
  expect(seen).toHaveLength(1);
});

it("begins no wait that ends after the deadline of the request, and the other requests go on", async () => {
  const clock = fakeClock();
  const { url, seen } = await serve((_seen, response, index) =>
    index === 0
      ? json(response, 429, complaint("throttled"), { "retry-after": "11" })
      : json(response, 200, { id: ORGANIZATION }),
  );
  const client = connect(url, { clock });
  expect(await failureOf(patch(client, clock.now() + 10_000))).toMatchObject({ kind: "throttled", tookEffect: "no" });
  expect(await failureOf(patch(client, clock.now() + 10_000))).toMatchObject({ kind: "throttled", tookEffect: "no" });
  expect([seen.length, clock.sleeps]).toEqual([1, []]);
  await update(client);
  expect(seen).toHaveLength(2);
});

it("sends nothing after the deadline of the request", async () => {
  const clock = fakeClock();
  const { url, seen } = await serve((_seen, response) => json(response, 200, { id: ORGANIZATION }));
  const client = connect(url, { clock, maxRequestsPerMinute: 1 });
  expect(await failureOf(patch(client, clock.now()))).toMatchObject({
    kind: "timeout",
    code: "deadline",
    tookEffect: "no",
  });
  await create(client).catch(() => undefined);
  expect(seen).toHaveLength(1);
  // The limit per minute would let it out too late.
  expect(await failureOf(patch(client, clock.now() + 5_000))).toMatchObject({ code: "deadline", tookEffect: "no" });
  expect(seen).toHaveLength(1);
});
