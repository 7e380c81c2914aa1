import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { createClient } from "../../../src/api/client.ts";
import { operations, type OperationName } from "../../../src/api/operations/index.ts";
import { createRedactor } from "../../../src/api/redact/redact.ts";
import { version } from "../../../src/generated/version.ts";
import { sentencesOf, withoutPorts } from "../../support/sentences.ts";
import { connect, create, failureOf, fakeClock, ID, json, KEY, ORGANIZATION, read, serve } from "./support.ts";

const ok = serveObject();
function serveObject() {
  return () => serve((_seen, response) => json(response, 200, { id: "x" }));
}

describe("in read mode", () => {
  const PATH = { organization_id: ORGANIZATION, id: ID, project_id: "2", user__uuid: ID, insight_id: "7" };

  it("only GET is sent, for every operation", async () => {
    const server = await ok();
    const client = connect(server.url, { mode: "read" });
    const names = Object.keys(operations) as OperationName[];
    const refused = [];
    for (const name of names) {
      const path = { ...PATH, ...(name.startsWith("pipeline") ? { id: "7" } : {}) };
      const error = await client.request(name, { path, body: {} }).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (error !== undefined) refused.push({ name, error });
    }
    expect(server.seen.every(({ method, body }) => method === "GET" && body === "")).toBe(true);
    expect(refused.map(({ name }) => name)).toEqual(names.filter((name) => operations[name].method !== "GET"));
    for (const { error } of refused) expect(error).toMatchObject({ kind: "write_in_read_mode", tookEffect: "no" });
    expect(client.requests()).toBe(names.length - refused.length);
  });
});

describe("a path parameter", () => {
  const table: readonly [string, OperationName, Record<string, string>][] = [
    ["missing", "insights.get", { project_id: "2" }],
    ["empty", "insights.get", { project_id: "2", id: "" }],
    ["one dot", "insights.get", { project_id: ".", id: "7" }],
    ["two dots", "insights.get", { project_id: "2", id: ".." }],
    ["a slash", "insights.get", { project_id: "2", id: "7/sharing" }],
    ["a backslash", "insights.get", { project_id: "2", id: "7\\sharing" }],
    ["an encoded slash", "insights.get", { project_id: "2", id: "7%2fsharing" }],
    ["encoded dots", "insights.get", { project_id: "2", id: "%2E%2e" }],
    ["a line break", "insights.get", { project_id: "2", id: "7\r\nHost: x" }],
    ["a lone surrogate", "insights.get", { project_id: "2", id: "\ud800" }],
    ["no UUID", "domains.get", { organization_id: "@current", id: ID }],
    ["a UUID with something after it", "domains.get", { organization_id: `${ORGANIZATION}\n`, id: ID }],
    ["no integer", "pipeline_destinations.get", { organization_id: ORGANIZATION, id: "7a" }],
    ["a member of Object", "organizations.get", { constructor: ID }],
  ];
  for (const [name, operation, path] of table) {
    it(`that is ${name} is rejected, and nothing is sent`, async () => {
      const server = await ok();
      const client = connect(server.url);
      expect(await failureOf(client.request(operation, { path }))).toMatchObject({
        kind: "invalid",
        code: "invalid_parameter",
        tookEffect: "no",
      });
      expect(await failureOf(client.list(operation, path))).toMatchObject({ kind: "invalid" });
      expect(server.seen).toHaveLength(0);
      expect(client.requests()).toBe(0);
    });
  }

  it("is escaped", async () => {
    const server = await ok();
    await connect(server.url).request("insights.get", { path: { project_id: "a?b#c", id: "ü &=" } });
    expect(server.seen[0]?.path).toBe("/api/projects/a%3Fb%23c/insights/%C3%BC%20%26%3D/");
  });
});

describe("a request", () => {
  it("goes to a path below the path of the URL, with a trailing slash, the key and JSON", async () => {
    const server = await ok();
    const client = connect(`${server.url}/prefix/`);
    await client.request("insights.create", {
      path: { project_id: "2" },
      query: { format: "json", refresh: true, limit: 3 },
      body: { name: "ü" },
    });
    const [seen] = server.seen;
    expect(seen).toMatchObject({ method: "POST", path: "/prefix/api/projects/2/insights/", body: '{"name":"ü"}' });
    expect(seen?.query.toString()).toBe("format=json&refresh=true&limit=3");
    expect(seen?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      "user-agent": `driftline/${version}`,
      "x-posthog-client": "driftline",
      accept: "application/json",
      "content-type": "application/json",
    });
    expect(client.url).toBe(`${server.url}/prefix`);
  });

  it("names what driftline works for, such as Pulumi", async () => {
    const server = await ok();
    await read(connect(server.url, { program: "Pulumi provider" }));
    expect(server.seen[0]?.headers["user-agent"]).toBe(`driftline/${version} (Pulumi provider)`);
  });

  it("contains no credentials from the URL, and they are redacted from then on", async () => {
    const server = await ok();
    const redactor = createRedactor();
    const client = connect(server.url.replace("http://", "http://user:pass%2Fword@"), { redactor });
    await read(client);
    expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(client.url).toBe(server.url);
    expect(redactor.text("pass/word")).toBe("[redacted]");
  });

  it("reuses connections", async () => {
    const server = await ok();
    const client = connect(server.url);
    for (let sent = 0; sent < 10; sent += 1) await read(client);
    // A new connection costs the TCP and TLS handshakes: two or three times the latency of a request.
    expect(new Set(server.seen.map(({ socket }) => socket)).size).toBe(1);
  });

  it("is not sent if the key has invalid characters", async () => {
    const server = await ok();
    for (const key of ["phx_a\nX-Other: b", "phx_ü", "phx a", ""]) {
      const error = await failureOf(read(connect(server.url, { key })));
      expect(error).toMatchObject({ kind: "auth", tookEffect: "no" });
    }
    expect(server.seen).toHaveLength(0);
  });
});

it("a URL that is not http or https is rejected without quoting it", () => {
  for (const url of ["ftp://user:hunter2@x", "hunter2", ""]) {
    const make = () =>
      createClient({
        url,
        key: KEY,
        mode: "read",
        profile: "document",
        clock: fakeClock(),
        redactor: createRedactor(),
      });
    expect(make).toThrow(
      expect.objectContaining({ kind: "invalid", message: expect.not.stringContaining("hunter2") as string }),
    );
  }
});

describe("an answer that this interface does not have", () => {
  it("a redirect is not followed, because the key must not go to another host, and the hint names that host without credentials", async () => {
    const other = await ok();
    for (const status of [301, 302, 303, 307, 308]) {
      const location = other.url.replace("http://", "http://user:hunter2@") + "/path?token=hunter2";
      const server = await serve((_seen, response) => response.writeHead(status, { location }).end());
      const error = await failureOf(read(connect(server.url)));
      expect(error).toMatchObject({ kind: "protocol", status, code: "redirect" });
      expect(error.hint).toContain(other.url);
      expect(JSON.stringify([error.message, error.hint])).not.toMatch(/hunter2|user/);
      expect(server.seen).toHaveLength(1);
    }
    expect(other.seen).toHaveLength(0);
  });

  it("HTML gives a hint about the URL, and is not retried", async () => {
    const server = await serve((_seen, response) =>
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end("<html>"),
    );
    const error = await failureOf(read(connect(server.url)));
    expect(error).toMatchObject({ kind: "protocol", tookEffect: "maybe", status: 200 });
    expect(error.hint).toContain("text/html");
    expect(sentencesOf(error)).toMatchSnapshot();
    expect(server.seen).toHaveLength(1);
  });

  it("an HTML 502 is a server error", async () => {
    const server = await serve((_seen, response) =>
      response.writeHead(502, { "content-type": "text/html" }).end("<html>hunter2"),
    );
    const error = await failureOf(create(connect(server.url)));
    expect(error).toMatchObject({ kind: "server", tookEffect: "maybe", code: null });
    expect(error.message).toContain("502");
    expect(withoutPorts(error.message)).toMatchSnapshot();
  });

  it("an empty success has no body", async () => {
    const server = await serve((_seen, response) => response.writeHead(204).end());
    await expect(read(connect(server.url))).resolves.toEqual({ status: 204, body: undefined });
  });

  it("a body larger than 64 MiB is rejected before its end is read", async () => {
    let sent = 0;
    const piece = Buffer.alloc(1024 * 1024, " ");
    const server = await serve(async (_seen, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const closed = once(response, "close");
      while (!response.destroyed && sent < 1024) {
        sent += 1;
        if (!response.write(piece)) await Promise.race([once(response, "drain"), closed]);
      }
    });
    expect(await failureOf(read(connect(server.url)))).toMatchObject({
      kind: "protocol",
      code: "too_large",
      tookEffect: "maybe",
    });
    expect(sent).toBeLessThan(200);
  });

  it("JSON that is nested too deeply is rejected, and brackets in strings do not count", async () => {
    const nested = (depth: number): string => `${"[".repeat(depth)}"[[[\\"[["${"]".repeat(depth)}`;
    const server = await serve((seen, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(nested(Number(seen.query.get("limit"))));
    });
    const client = connect(server.url);
    const get = (depth: number) => client.request("organizations.list", { query: { limit: depth } });
    expect(await failureOf(get(201))).toMatchObject({ kind: "protocol", code: "too_deep" });
    expect(await failureOf(get(1_000_000))).toMatchObject({ kind: "protocol", code: "too_deep" });
    await expect(get(200)).resolves.toMatchObject({ status: 200 });
  });

  it("a body that is not UTF-8 is rejected", async () => {
    const server = await serve((_seen, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(Buffer.from([0x22, 0xff, 0x22])),
    );
    expect(await failureOf(create(connect(server.url)))).toMatchObject({ kind: "protocol", tookEffect: "maybe" });
  });

  it("a key named __proto__ changes no prototype", async () => {
    const server = await serve((_seen, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end('{"__proto__": {"polluted": true}}'),
    );
    const { body } = await read(connect(server.url));
    expect(JSON.stringify(body)).toBe('{"__proto__":{"polluted":true}}');
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
  });
});
