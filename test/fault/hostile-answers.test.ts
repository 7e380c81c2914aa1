/** Answers about another object than the requested one, and the parts around an answer: encodings, heads, cookies, waits. */
import { createServer, type AddressInfo, type Socket } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { createClient } from "../../src/api/client.ts";
import { systemClock } from "../../src/api/limits/clock.ts";
import { createRedactor } from "../../src/api/redact/redact.ts";
import type { Trick } from "../support/hostile-service.ts";
import { planOf } from "../support/cli.ts";
import { LARGE_HEADERS, NO_HTTP } from "../support/no-http.ts";
import { DEFECT, linesWith, normalized } from "../support/normalized.ts";
import { against, expectSober, listing } from "./hostile.ts";
import { ACME } from "./support.ts";

const DOMAINS = `/api/organizations/${ACME}/domains`;
const list = listing(DOMAINS);
const SEED = {
  organizations: [
    { id: ACME, name: "Acme Inc", domains: ["a", "b", "c"].map((name) => ({ domain: `${name}.acme.com` })) },
  ],
};

describe("an answer about another object than the requested one", () => {
  const OTHER = "0190aa11-0000-4000-8000-0000000000ff";
  const seed = {
    organizations: [
      { id: ACME, name: "Acme Inc", domains: [{ domain: "a.acme.com" }, { id: OTHER, domain: "other.acme.com" }] },
    ],
  };
  const config = (domain: object): object => ({
    driftline: 1,
    organizations: { acme: { id: ACME, domains: { d: domain } } },
  });
  const withId = (text: string): string => JSON.stringify({ ...(JSON.parse(text) as object), id: OTHER });
  const isOther = ({ path, method }: { readonly path: string; readonly method: string }): boolean =>
    method !== "GET" && path.endsWith(OTHER);

  it("to a create causes no write to that object, which existed before", async () => {
    const trick: Trick = ({ method }) => (method === "POST" ? { rewrite: withId } : undefined);
    const { run, service } = await against(
      trick,
      config({ domain: "new.acme.com", sso_enforcement: "google-oauth2" }),
      { seed },
    );
    const result = await run(["apply", "--yes"]);
    expectSober(result, 15);
    expect(linesWith(result.stdout, "(outcome_unknown)")).toMatchSnapshot();
    expect(service.writes().filter(isOther)).toEqual([]);
    // The next run finds the created object, and does not create a second one.
    service.trick = () => undefined;
    await run(["apply", "--yes"]);
    expect(service.writes().filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  it("to a read or a PATCH is never followed by a write to that object", async () => {
    for (const methods of [["GET"], ["PATCH"], ["GET", "PATCH"]]) {
      const trick: Trick = ({ method, path }) =>
        methods.includes(method) && path.startsWith(`${DOMAINS}/`) ? { rewrite: withId } : undefined;
      const { run, service, emulator } = await against(
        trick,
        config({ domain: "a.acme.com", sso_enforcement: "google-oauth2" }),
        { seed },
      );
      const result = await run(["apply", "--yes"]);
      expect(result.stdout + result.stderr).not.toContain(DEFECT);
      expect(result.stdout + result.stderr).not.toMatch(/\n\s+at /);
      expect([0, 12, 14]).toContain(result.code);
      expect(service.writes().filter(isOther)).toEqual([]);
      expect(emulator.find("domain", ({ id }) => id === OTHER)[0]).toMatchObject({
        domain: "other.acme.com",
        sso_enforcement: "",
      });
    }
  });

  it("to a restore is not mistaken for the restored object", async () => {
    const insights = {
      organizations: [
        {
          id: ACME,
          name: "Acme Inc",
          projects: [
            {
              id: 2,
              name: "Web",
              insights: [
                { id: 7, name: "Gone", deleted: true },
                { id: 8, name: "Other", description: "kept" },
              ],
            },
          ],
        },
      ],
    };
    const declared = {
      driftline: 1,
      organizations: {
        acme: {
          id: ACME,
          projects: { web: { id: "2", insights: { g: { id: 7, name: "Gone", description: "new" } } } },
        },
      },
    };
    for (const methods of [["PATCH"], ["GET", "PATCH"]]) {
      const trick: Trick = ({ method, path }) =>
        methods.includes(method) && path.endsWith("/insights/7")
          ? { rewrite: (text) => JSON.stringify({ ...(JSON.parse(text) as object), id: 8 }) }
          : undefined;
      const { run, service, emulator } = await against(trick, declared, { seed: insights });
      const result = await run(["apply", "--yes"]);
      expect([0, 14]).toContain(result.code);
      expect(service.writes().map(({ path }) => path.split("/").at(-1))).not.toContain("8");
      expect(emulator.find("insight", ({ id }) => id === 8)[0]).toMatchObject({ name: "Other", description: "kept" });
    }
  });

  it("to a read before a delete prevents the delete", async () => {
    const trick: Trick = ({ method, path }) =>
      method === "GET" && path.startsWith(`${DOMAINS}/`) ? { rewrite: withId } : undefined;
    const { run, service } = await against(trick, config({ domain: "a.acme.com", lifecycle: { state: "absent" } }), {
      seed,
    });
    expectSober(await run(["apply", "--yes"]), 12);
    expect(service.writes()).toEqual([]);
  });
});

describe("an answer that is no HTTP makes only its list unknown, and is not asked for again", () => {
  const both = {
    driftline: 1,
    organizations: {
      acme: { id: ACME, domains: { d: { domain: "new.acme.com" } }, invites: { i: { target_email: "n@acme.com" } } },
    },
  };
  const cases = { ...NO_HTTP, ...LARGE_HEADERS };

  it.each(Object.entries(cases))("%s", async (_name, text) => {
    const { run, emulator } = await against(() => undefined, both, { seed: SEED });
    emulator.faults.add({ path: /\/domains\/?$/, fault: { type: "bytes", text } });
    const direct = { env: { DRIFTLINE_URL: emulator.url } };
    const planned = await run(["plan", "--format", "json"], direct);
    expectSober(planned, 1);
    expect(emulator.requests.filter(({ path }) => path.includes("/domains"))).toHaveLength(1);
    const { diagnostics, changes } = planOf(planned);
    expect(diagnostics.map(({ code }) => code)).toEqual(["unreadable"]);
    expect(changes.find(({ address }) => address === "acme/invites/i")?.action).toBe("create");
    const [{ message, hint } = { message: "", hint: "" }] = diagnostics;
    expect(normalized(`${message}\n${hint ?? ""}`)).toMatchSnapshot();
    for (const args of [["drift"], ["export"], ["call", "domains.list", `organization_id=${ACME}`]])
      expectSober(await run(args, direct), 1);
    expectSober(await run(["apply", "--yes"], direct), 14);
    expect(emulator.find("invite")).toHaveLength(1);
  });
});

/** A socket that sends the bytes of a test. */
async function dripping(talk: (socket: Socket) => void): Promise<{ readonly url: string }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    talk(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` };
}

describe("the parts around an answer", () => {
  const good = { driftline: 1, organizations: { acme: { id: ACME, domains: { a: { domain: "a.acme.com" } } } } };

  it.each<[string, (text: string) => Buffer]>([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ])("a body in %s is read, even if it was not accepted", async (encoding, pack) => {
    const page = { count: 1, next: null, previous: null, results: [{ id: ACME, domain: "a.acme.com" }] };
    const trick = list(pack(JSON.stringify(page)), { "content-encoding": encoding });
    const { run, service } = await against(trick, good, { seed: SEED });
    expectSober(await run(["plan", "--detailed-exitcode"]), 0);
    expect(service.heard.every(({ headers }) => headers["accept-encoding"] === "gzip")).toBe(true);
  });

  it.each<[string, Trick]>([
    ["a byte order mark", list((text) => `\ufeff${text}`)],
    ["a content type of another kind", list((text) => text, { "content-type": "text/html" })],
    [
      "a next page that is the page itself",
      list((text) => text.replace('"next":null', `"next":"http://evil.example${DOMAINS}/"`)),
    ],
    ["keys that come twice with the same meaning", list((text) => text.replace('"count":3', '"count":3,"count":3'))],
    ["a byte order mark, white space and a cookie", list((text) => `\ufeff \n${text}`)],
  ])("%s does no harm", async (_name, trick) => {
    const { run, service } = await against(trick, good, { seed: SEED });
    expectSober(await run(["plan", "--detailed-exitcode"]), 0);
    expect(service.heard.length).toBeLessThan(10);
  });

  it("a cookie is not kept", async () => {
    const { run, service } = await against(() => undefined, good, { seed: SEED });
    service.trick = () =>
      service.heard.length === 1
        ? { status: 503, headers: { "set-cookie": "session=1; Domain=127.0.0.1; Path=/" }, body: "{}" }
        : undefined;
    expectSober(await run(["plan"]), 0);
    expect(service.heard.length).toBeGreaterThan(1);
    expect(service.heard.filter(({ headers }) => headers.cookie !== undefined)).toEqual([]);
  });

  it.each(["1e99", "-5", "99 bottles", "0x10", "tomorrow 2099", "9".repeat(400), "Thu, 01 Jan 99999 00:00:00 GMT", ""])(
    "Retry-After: %s neither hangs nor breaks a run",
    async (value) => {
      const trick: Trick = (heard) =>
        heard.path === DOMAINS
          ? { status: 429, headers: { "retry-after": value }, body: '{"code":"throttled"}' }
          : undefined;
      const { run, service } = await against(trick, good, { seed: SEED });
      const result = await run(["plan"]);
      expectSober(result, 1);
      expect(result.stderr).not.toMatch(/Infinity|NaN/);
      expect(service.heard.length).toBeLessThan(10);
    },
  );

  it("a head without an end is not waited for beyond the time for a head", async () => {
    const stop: (() => void)[] = [];
    const { url } = await dripping((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const timer = setInterval(() => socket.write("x-a: b\r\n"), 20);
      stop.push(() => clearInterval(timer));
      socket.on("close", () => clearInterval(timer));
      socket.on("error", () => clearInterval(timer));
    });
    const client = createClient({
      url,
      key: "k",
      mode: "read",
      profile: "document",
      clock: systemClock,
      redactor: createRedactor(),
      timeouts: { headers: 200 },
    });
    const before = performance.now();
    const error = await client.request("organizations.list").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: expect.stringMatching(/timeout|network/) as string });
    expect(performance.now() - before).toBeLessThan(20_000);
    for (const end of stop) end();
    await client.close();
  });
});
