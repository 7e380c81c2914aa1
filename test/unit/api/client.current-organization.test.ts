import { describe, expect, it } from "vitest";
import {
  complaint,
  connect,
  create,
  failureOf,
  gate,
  ID,
  json,
  ORGANIZATION,
  read,
  remove,
  serve,
  type Server,
} from "./support.ts";

const NEEDED = complaint("not_found", "You need to belong to an organization.");
const CURRENT = "GET /api/organizations/@current/";
const DOMAIN = `/api/organizations/${ORGANIZATION}/domains/${ID}/`;

interface Options {
  /** Status of a read of the current organization. Default: 200, after which there is one. */
  readonly current?: number;
  /** Whether it helps. */
  readonly helps?: boolean;
  /** Answers a read of the current organization when it settles. */
  readonly until?: Promise<void>;
}

/** A server whose user has no current organization until it is read. */
function lost({ current = 200, helps = true, until }: Options = {}): Promise<Server> {
  let restored = false;
  return serve(async ({ method, path }, response) => {
    if (path.includes("@current")) {
      await until;
      restored = current === 200 && helps;
      return json(response, current, current === 200 ? { id: ORGANIZATION } : NEEDED);
    }
    if (!restored) return json(response, 404, NEEDED);
    return method === "DELETE" ? json(response, 204, undefined) : json(response, 200, { id: ID });
  });
}

const seenBy = ({ seen }: Server): readonly string[] => seen.map(({ method, path }) => `${method} ${path}`);

describe("a user without a current organization", () => {
  it("gets one by a single read, and the request is sent again", async () => {
    const server = await lost();
    const client = connect(server.url, { mode: "read" });
    expect(await read(client)).toMatchObject({ status: 200 });
    expect(seenBy(server)).toEqual([`GET ${DOMAIN}`, CURRENT, `GET ${DOMAIN}`]);
    expect(client.requests()).toBe(3);
  });

  it("gets one before a create is sent again, because the first one was refused", async () => {
    const server = await lost();
    await create(connect(server.url));
    expect(seenBy(server).filter((one) => one.startsWith("POST"))).toHaveLength(2);
  });

  it("gets one by one read for all requests that fail at the same time", async () => {
    const held = gate();
    const server = await lost({ until: held.opened });
    const client = connect(server.url);
    const all = Promise.all([read(client), read(client), read(client)]);
    while (server.seen.length < 4) await new Promise(setImmediate);
    held.open();
    expect(await all).toHaveLength(3);
    expect(seenBy(server).filter((one) => one === CURRENT)).toHaveLength(1);
  });

  it("is repeated without a read if another request has restored it meanwhile", async () => {
    const held = gate();
    let count = 0;
    const server = await serve(async ({ path }, response) => {
      if (path.includes("@current")) return json(response, 200, {});
      count += 1;
      // The first request is answered last.
      const isFirst = count === 1;
      const isLost = count <= 2;
      if (isFirst) await held.opened;
      json(response, isLost ? 404 : 200, isLost ? NEEDED : { id: ID });
    });
    const client = connect(server.url);
    const slow = read(client);
    while (server.seen.length < 1) await new Promise(setImmediate);
    await read(client);
    held.open();
    expect(await slow).toMatchObject({ status: 200 });
    expect(seenBy(server).filter((one) => one === CURRENT)).toHaveLength(1);
  });

  it.each<[string, Options, readonly string[]]>([
    ["the read of the current one is refused", { current: 404 }, [`GET ${DOMAIN}`, CURRENT]],
    ["that does not help", { helps: false }, [`GET ${DOMAIN}`, CURRENT, `GET ${DOMAIN}`]],
  ])("is reported, and not as an absent object, if %s", async (_name, options, requests) => {
    const server = await lost(options);
    const error = await failureOf(read(connect(server.url)));
    expect(error).toMatchObject({ kind: "no_organization", status: 404, code: "not_found", tookEffect: "no" });
    expect(error.hint).toContain("current organization");
    expect(seenBy(server)).toEqual(requests);
  });

  it("is not what another 404 means", async () => {
    const server = await serve((_seen, response) => json(response, 404, complaint("not_found", "Not found.")));
    expect(await failureOf(read(connect(server.url)))).toMatchObject({ kind: "not_found" });
    expect(server.seen).toHaveLength(1);
  });

  it("does not make the outcome of a removal clearer than it was", async () => {
    let count = 0;
    const server = await serve(({ path, socket }, response) => {
      if (path.includes("@current")) return json(response, 200, {});
      count += 1;
      if (count === 1) return socket.destroy();
      json(response, 404, count === 2 ? NEEDED : complaint("not_found", "Not found."));
    });
    expect(await failureOf(remove(connect(server.url)))).toMatchObject({ kind: "not_found", tookEffect: "maybe" });
  });
});

describe("after an organization was deleted", () => {
  it.each([
    ["posthog", [CURRENT]],
    ["document", []],
  ] as const)("profile %s reads %j", async (profile, reads) => {
    const server = await serve(({ method }, response) =>
      method === "DELETE" ? json(response, 204, undefined) : json(response, 500, complaint("error")),
    );
    const client = connect(server.url, { profile });
    expect(await client.request("organizations.delete", { path: { id: ORGANIZATION } })).toMatchObject({ status: 204 });
    expect([...new Set(seenBy(server).slice(1))]).toEqual(reads);
  });
});
