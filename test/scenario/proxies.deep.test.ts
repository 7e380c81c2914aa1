/**
 * The network between the packed package and a service: each sort of proxy, with and without TLS. Each row is run by the command and by
 * the packaged Pulumi provider.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import net, { type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmulator, type Emulator } from "../../src/emulator/index.ts";
import { startPlugin } from "../pulumi/support/plugin-process.ts";
import { envOf, spawnCli } from "../support/cli.ts";
import { listen, type Listening } from "../support/listening.ts";
import { startProxy, type ProxyOptions, type TestProxy } from "../support/proxy.ts";
import { makeCertificate, startTls, type Certificate, type TlsFront } from "../support/tls.ts";
import { SEED } from "../support/workspace.ts";

const PASSWORD = "hunter2";
const CREDENTIALS = `ada:${PASSWORD}`;
/** Nothing listens there. */
const NOBODY = `http://${CREDENTIALS}@127.0.0.1:1`;

interface Row {
  readonly name: string;
  /** Whether the service is reached by TLS; `resets` is one that breaks each connection. */
  readonly service: "http" | "https" | "resets";
  readonly proxy?: ProxyOptions & { readonly secured?: boolean };
  readonly env: (proxy: TestProxy) => Readonly<Record<string, string>>;
  /** How the request ends: at the service, through the proxy or past it, or with a message that has these parts, of which PROXY names the proxy. */
  readonly ends: "through" | "past" | readonly string[];
  /** The certificate of the service is not among those that are trusted. */
  readonly untrusted?: boolean;
}

const ROWS: readonly Row[] = [
  { name: "http_proxy", service: "http", env: ({ url }) => ({ http_proxy: url }), ends: "through" },
  { name: "HTTP_PROXY", service: "http", env: ({ url }) => ({ HTTP_PROXY: url }), ends: "through" },
  { name: "https_proxy", service: "https", env: ({ url }) => ({ https_proxy: url }), ends: "through" },
  { name: "HTTPS_PROXY", service: "https", env: ({ url }) => ({ HTTPS_PROXY: url }), ends: "through" },
  { name: "HTTP_PROXY for https", service: "https", env: ({ url }) => ({ HTTP_PROXY: url }), ends: "through" },
  {
    name: "lower case before upper case",
    service: "https",
    env: ({ url }) => ({ https_proxy: url, HTTPS_PROXY: NOBODY }),
    ends: "through",
  },
  {
    name: "a proxy that is reached by TLS",
    service: "https",
    proxy: { secured: true },
    env: ({ url }) => ({ HTTPS_PROXY: url }),
    ends: "through",
  },
  { name: "NO_PROXY", service: "http", env: () => ({ HTTP_PROXY: NOBODY, NO_PROXY: "127.0.0.1" }), ends: "past" },
  { name: "no_proxy", service: "https", env: () => ({ HTTPS_PROXY: NOBODY, no_proxy: "127.0.0.1" }), ends: "past" },
  { name: "NO_PROXY of all", service: "https", env: () => ({ HTTPS_PROXY: NOBODY, NO_PROXY: "*" }), ends: "past" },
  {
    name: "NO_PROXY of others",
    service: "http",
    env: ({ url }) => ({ HTTP_PROXY: url, NO_PROXY: "a.com" }),
    ends: "through",
  },
  { name: "no proxy", service: "https", env: () => ({}), ends: "past" },
  {
    name: "no proxy, a certificate of nobody",
    service: "https",
    env: () => ({}),
    untrusted: true,
    ends: ["SELF_SIGNED"],
  },
  {
    name: "a certificate of nobody",
    service: "https",
    env: ({ url }) => ({ HTTPS_PROXY: url }),
    untrusted: true,
    ends: ["SELF_SIGNED"],
  },
  ...(["http", "https"] as const).flatMap((service): readonly Row[] => [
    {
      name: "credentials",
      service,
      proxy: { credentials: CREDENTIALS },
      env: (proxy) => ({ [`${service}_proxy`]: proxy.as(CREDENTIALS) }),
      ends: "through",
    },
    {
      name: "wrong credentials",
      service,
      proxy: { credentials: "ada:other" },
      env: (proxy) => ({ [`${service}_proxy`]: proxy.as(CREDENTIALS) }),
      ends: ["PROXY", `${service}_proxy`, "407"],
    },
    {
      name: "no credentials",
      service,
      proxy: { credentials: CREDENTIALS },
      env: ({ url }) => ({ [`${service}_proxy`]: url }),
      ends: ["PROXY", `${service}_proxy`, "407"],
    },
    {
      name: "a proxy that refuses connections",
      service,
      env: () => ({ [`${service}_proxy`]: NOBODY }),
      ends: ["http://127.0.0.1:1", `${service}_proxy`, "ECONNREFUSED"],
    },
    {
      name: "a proxy that resets connections",
      service,
      proxy: { fault: "resets" },
      env: ({ url }) => ({ [`${service}_proxy`]: url }),
      ends: ["PROXY", `${service}_proxy`],
    },
  ]),
  { name: "a service that resets connections", service: "resets", env: ({ url }) => ({ http_proxy: url }), ends: [] },
  { name: "the same without a proxy", service: "resets", env: () => ({}), ends: [] },
];

let folder = "";
let certificate: Certificate;
let emulator: Emulator;
let secured: TlsFront;
let broken: Listening;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "driftline-proxies-"));
  certificate = await makeCertificate(folder);
  emulator = await startEmulator({ seed: SEED });
  secured = await startTls(certificate, emulator.url);
  broken = await listen(net.createServer((socket: Socket) => socket.once("data", () => socket.resetAndDestroy())));
  await writeFile(join(folder, "driftline.yaml"), "driftline: 1\norganizations: { acme: { name: Acme Inc } }\n");
});

afterAll(async () => {
  await Promise.all([emulator.close(), secured.close(), broken.close()]);
  await rm(folder, { recursive: true, force: true });
});

type Environment = Readonly<Record<string, string>>;

/** Sends requests to the service. Returns what went wrong, or an empty text. */
type Way = (env: Environment, name: string) => Promise<string>;

const command: Way = async (env) => {
  const { code, stdout } = await spawnCli(["plan", "--format", "json"], { cwd: folder, env }).result;
  return code === 0 ? "" : stdout;
};

const pulumi: Way = async (env, name) => {
  const plugin = await startPlugin(env);
  try {
    await plugin.configure({});
    await plugin.create("Insight", { projectId: 2, name });
    return "";
  } catch (error) {
    return String(error);
  } finally {
    plugin.stop();
  }
};

describe.each([
  ["the command", command],
  ["the packaged provider", pulumi],
])("%s", (_way, run) => {
  it.each(ROWS)("$service, $name", async ({ name, service, proxy: options = {}, env, ends, untrusted }) => {
    const own = options.secured === true ? { ...options, certificate } : options;
    const proxy = await startProxy(own);
    const { url } = { http: emulator, https: secured, resets: broken }[service];
    const world = {
      ...envOf({ url, key: emulator.key }, join(folder, "state")),
      ...(untrusted === true ? {} : { NODE_EXTRA_CA_CERTS: certificate.file }),
      ...env(proxy),
    };
    const said = await run(world, `${service}, ${name}`).finally(proxy.close);
    if (typeof ends === "string") {
      expect(said).toBe("");
      expect(new Set(proxy.asked)).toEqual(new Set(ends === "through" ? [new URL(url).host] : []));
    } else {
      const named = `the proxy ${proxy.url} `;
      for (const part of ends) expect(said).toContain(part === "PROXY" ? named : part);
      expect([said === "", said.includes(named)]).toEqual([false, ends.includes("PROXY")]);
    }
    expect(said).not.toMatch(new RegExp(`${PASSWORD}|is not a function|TypeError`));
  });
});
