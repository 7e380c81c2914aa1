import { readFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Ajv } from "ajv";
import { describe, expect, it, onTestFinished } from "vitest";
import type { DoctorDocument } from "../../src/cli/commands/doctor/report.ts";
import { systemClock } from "../../src/api/limits/clock.ts";
import type { EmulatorOptions } from "../../src/emulator/index.ts";
import { spawnCli } from "../support/cli.ts";
import { describeDialects } from "../support/dialects.ts";
import { linesWith, normalized } from "../support/normalized.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const CONFIG = `
driftline: 1
organizations:
  acme:
    name: Acme Inc
    domains: { corp: { domain: acme.com } }
    projects: { web: { id: 2, insights: { signups: { name: Signups } } } }
`;

interface Examined {
  readonly code: number;
  readonly document: DoctorDocument;
  readonly of: (check: string, subject?: string) => DoctorDocument["findings"][number] | undefined;
}

async function examine(
  space: Workspace,
  env: Readonly<Record<string, string>> = {},
  ...args: readonly string[]
): Promise<Examined> {
  const { code, stdout, stderr } = await space.run(["doctor", "--format", "json", ...args], { env });
  expect(stderr).not.toContain("error:");
  const document = JSON.parse(stdout) as DoctorDocument;
  const schema = await readFile(new URL("../../schemas/doctor.schema.json", import.meta.url), "utf8");
  const validate = new Ajv({ strict: true, strictTypes: false, allowUnionTypes: true }).compile(
    JSON.parse(schema) as object,
  );
  validate(document);
  expect(validate.errors ?? []).toEqual([]);
  // Every problem has a way to fix it.
  for (const { status, fix } of document.findings) expect(status === "ok" || fix !== null).toBe(true);
  expect(space.emulator.requests.every(({ method }) => method === "GET")).toBe(true);
  return {
    code,
    document,
    of: (check, subject) =>
      document.findings.find((one) => one.check === check && (subject === undefined || one.subject === subject)),
  };
}

/** A service that answers in its own way. */
async function stub(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

function withKey(scopes: readonly string[], options: EmulatorOptions = {}): Promise<Workspace> {
  return workspace({ keys: [{ key: "scoped", scopes }], ...options });
}

describeDialects("doctor", () => {
  it("finds everything in order", async () => {
    const space = await workspace();
    await space.configure(CONFIG);
    const { code, document } = await examine(space);
    expect(code).toBe(0);
    expect(document.findings.filter(({ status }) => status === "error" || status === "warning")).toEqual([]);
    expect(document.url).toBe(space.emulator.url);
    expect(document.requests).toBe(space.emulator.requests.length);
    expect(document.scopes).toEqual({
      read: ["insight:read", "organization:read"],
      write: ["insight:write", "organization:write"],
    });
  });

  it("prints one line per check, each problem with a fix", async () => {
    const space = await withKey(["organization:read"]);
    await space.configure(CONFIG);
    const { code, stdout } = await space.run(["doctor"]);
    expect(code).toBe(11);
    expect(linesWith(stdout, "error    list")).toMatchSnapshot("problem");
    expect(stdout.slice(stdout.indexOf("\n\n"), stdout.lastIndexOf("\n", stdout.length - 2))).toMatchSnapshot("scopes");
  });

  it("works without a configuration, with a warning", async () => {
    const space = await workspace();
    const { code, document, of } = await examine(space);
    expect(code).toBe(0);
    expect(of("configuration")).toMatchObject({ status: "warning" });
    expect(document.scopes).toBeNull();
    expect(of("key_accepted")).toMatchObject({ status: "ok" });
  });

  it("checks the service even if the configuration is invalid: 10", async () => {
    const space = await workspace();
    await space.configure("driftline: 1\norganizations: { acme: { nmae: x } }\n");
    const { code, of } = await examine(space);
    expect(code).toBe(10);
    expect(of("configuration")).toMatchObject({ status: "error", fix: expect.any(String) });
    expect(of("configuration")?.fix).toMatchSnapshot();
    expect(of("reachable")).toMatchObject({ status: "ok" });
  });

  it("reports a given file that does not exist: 10", async () => {
    expect((await examine(await workspace(), {}, "nowhere.yaml")).code).toBe(10);
  });

  it("names secrets that an apply will need, and never shows their values", async () => {
    const space = await workspace();
    await space.configure(
      'driftline: 1\norganizations: { acme: { name: Acme Inc, batch_exports: { e: { name: E, interval: hour, destination: { type: HTTP, config: { url: "https://a.b", token: "${secret:HUSH}" } } } } } }\n',
    );
    expect((await examine(space)).of("secret")).toMatchObject({
      status: "warning",
      fix: expect.stringContaining("HUSH"),
    });
    expect((await examine(space, { HUSH: "x" })).of("secret")).toBeUndefined();
  });

  it("names all missing secrets in one finding", async () => {
    const space = await workspace();
    const exportOf = (name: string, url: string, token: string): string =>
      `${name}: { name: ${name}, interval: hour, destination: { type: HTTP, config: { url: "${url}", token: "${token}" } } }`;
    const exports = [
      exportOf("e", "${secret:PLACE}", "${secret:HUSH}"),
      exportOf("f", "https://a.b", "${secret:HUSH}"),
    ];
    await space.configure(
      `driftline: 1\norganizations: { acme: { name: Acme Inc, batch_exports: { ${exports.join(", ")} } } }\n`,
    );
    const found = (await examine(space)).document.findings.filter(({ check }) => check === "secret");
    expect(found).toHaveLength(1);
    expect([found[0]?.message, found[0]?.fix]).toMatchSnapshot();
    const one = await examine(space, { PLACE: "x" });
    expect(one.of("secret")?.fix).not.toContain("PLACE");
  });
});

describeDialects("where the service is not what it should be", () => {
  it("10: no URL, or an invalid one; nothing is sent", async () => {
    const space = await workspace();
    expect((await examine(space, { DRIFTLINE_URL: "" })).code).toBe(10);
    const { code, document } = await examine(space, { DRIFTLINE_URL: "ftp://x" });
    expect([code, document.url, document.requests]).toEqual([10, null, 0]);
  });

  it("11: no key, one with a line break, one that is not accepted", async () => {
    const space = await workspace();
    for (const key of ["", "a\nb"]) {
      const { code, of } = await examine(space, { DRIFTLINE_API_KEY: key });
      expect([code, of("key")?.status]).toEqual([11, "error"]);
    }
    expect(space.emulator.requests).toEqual([]);
    const { code, document, of } = await examine(space, { DRIFTLINE_API_KEY: "wrong" });
    expect([code, of("reachable")?.status, of("key_accepted")?.status]).toEqual([11, "ok", "error"]);
    expect(document.requests).toBe(1);
    const { stdout } = await space.run(["doctor"], { env: { DRIFTLINE_API_KEY: "wrong" } });
    expect(stdout).toMatch(/^1 request$/mu);
  });

  it("1: nothing listens there", async () => {
    const { code, of } = await examine(await workspace(), { DRIFTLINE_URL: "http://127.0.0.1:1" });
    expect([code, of("reachable")?.status, of("clock")?.status, of("list")]).toEqual([
      1,
      "error",
      "unknown",
      undefined,
    ]);
  });

  it("1: it is another kind of server", async () => {
    const url = await stub((_request, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<html>"),
    );
    const { code, of } = await examine(await workspace(), { DRIFTLINE_URL: url });
    expect([code, of("reachable")?.status]).toEqual([1, "error"]);
    expect(of("reachable")?.fix).toMatchSnapshot();
  });

  it("reports a clock that is off, and by how much", async () => {
    const space = await workspace();
    const clock = { ...systemClock, now: () => Date.now() - 600_000 };
    const { stdout } = await space.run(["doctor", "--format", "json"], { runtime: { clock } });
    const found = (JSON.parse(stdout) as DoctorDocument).findings.find(({ check }) => check === "clock");
    expect(found?.status).toBe("warning");
    expect(found?.message).toMatch(/\b(599|600) s\b/);
    expect(normalized(found?.message)).toMatchSnapshot();
  });

  it("reports nothing about the clock of a service without a date header", async () => {
    const url = await stub((_request, response) => {
      response.sendDate = false;
      response.writeHead(200, { "content-type": "application/json" }).end('{"count":0,"results":[]}');
    });
    expect((await examine(await workspace(), { DRIFTLINE_URL: url })).of("clock")?.status).toBe("unknown");
  });

  it("warns about a connection without TLS, unless it stays on this machine", async () => {
    const space = await workspace();
    expect((await examine(space)).of("tls")?.status).toBe("ok");
    const env = { DRIFTLINE_URL: "http://driftline.invalid" };
    const tls = (await examine(space, env)).of("tls");
    expect(tls?.status).toBe("warning");
    expect(tls?.fix).toMatchSnapshot();
  });

  it("reads the lists that a plan reads, and says how long they are", async () => {
    const space = await workspace({ maxPageSize: 10 });
    for (let id = 1; id <= 25; id += 1) space.emulator.insert("insight", { project: 2 }, { id, name: String(id) });
    await space.configure(CONFIG);
    const { of } = await examine(space);
    expect(of("list", "acme/projects/web")?.message).toBe("insights.list, 25 rows on 3 pages");
    const sent = space.emulator.requests.map(({ path }) => path).toSorted();
    space.emulator.clearRequests();
    await space.plan();
    const planned = space.emulator.requests.map(({ path }) => path);
    expect(sent).toEqual([...planned, "/api/organizations/"].toSorted());
  });

  it("reports a rate limit that it ran into, and does not wait for long", async () => {
    const space = await workspace();
    space.emulator.faults.add({ path: "/domains", nth: 1, fault: { type: "throttle", retryAfter: 3600 } });
    await space.configure(CONFIG);
    const { of } = await examine(space);
    expect(of("rate_limit")).toMatchObject({ status: "warning" });
    expect(of("rate_limit")?.fix).toContain("--max-requests-per-minute");
    expect(of("list")?.status).toBe("ok");
  });
});

describe("what the files declare and the service does not have", () => {
  const ACME = "0190aa11-0000-4000-8000-00000000000a";
  const VARYING = `
driftline: 1
organizations:
  acme:
    name: Acme Inc
    is_member_join_email_enabled: true
    domains:
      corp: { domain: acme.com, saml_entity_id: "https://idp" }
      labs: { domain: acme.dev, saml_entity_id: "https://idp" }
    pipeline_frontend_apps: { banner: { name: Banner, plugin_type: source } }
`;
  it("is said once for each thing, with the way out, and is no reason to fail", async () => {
    const space = await workspace({ dialect: "current", switches: { plugins_gone: true } });
    for (const domain of ["acme.com", "acme.dev"]) space.emulator.insert("domain", { organization: ACME }, { domain });
    await space.configure(VARYING);
    const { code, document } = await examine(space);
    expect(code).toBe(0);
    const found = document.findings.filter(({ check }) => check === "not_on_service");
    expect(found.map(({ subject, status }) => [subject, status])).toEqual([
      ["acme/domains/corp", "warning"],
      ["acme/pipeline_frontend_apps/banner", "warning"],
      ["acme", "warning"],
    ]);
    expect(found.map(({ message, fix }) => [message, fix])).toMatchSnapshot();
    const planned = (await space.plan()).diagnostics;
    expect(planned.map(({ hint }) => hint)).toEqual(expect.arrayContaining(found.map(({ fix }) => fix)));
  });
});

describeDialects("scopes", () => {
  it("11: one that is needed is missing, in the words of a plan, once", async () => {
    const space = await withKey(["organization:read"]);
    await space.configure(CONFIG);
    const { code, document } = await examine(space);
    expect(code).toBe(11);
    const errors = document.findings.filter(({ status }) => status === "error");
    expect(errors).toMatchObject([{ check: "list", fix: expect.stringContaining("insight:read") as string }]);
    const { diagnostics } = await space.plan();
    expect(diagnostics.map(({ message, hint }) => [message, hint])).toEqual(
      errors.map(({ message, fix }) => [message, fix]),
    );
  });

  it("that nothing declared needs may be missing", async () => {
    const space = await withKey(["organization:read", "insight:read"]);
    await space.configure(CONFIG);
    const { code, document } = await examine(space);
    expect([code, JSON.stringify(document).includes("plugin:read")]).toEqual([0, false]);
  });

  it("and all other lines are wrapped at the width of the terminal", async () => {
    const space = await workspace();
    await space.configure(CONFIG);
    const { stdout } = await space.run(["doctor"], { runtime: { columns: 60 } });
    expect(stdout.split("\n").filter((line) => line.length > 60)).toEqual([]);
    expect(stdout).toMatch(/^ok {7}version: /mu);
  });

  const PINNED = `
driftline: 1
organizations:
  acme:
    id: 0190aa11-0000-4000-8000-00000000000a
    projects: { web: { id: 2, insights: { signups: { name: Signups } } } }
`;

  it("of organizations are not needed if ids are declared", async () => {
    const space = await withKey(["insight:read"]);
    await space.configure(PINNED);
    const { code, document, of } = await examine(space);
    expect(code).toBe(0);
    expect(document.scopes).toEqual({ read: ["insight:read"], write: ["insight:write"] });
    expect(of("list")).toMatchObject({ status: "ok", subject: "acme/projects/web" });
  });

  it("10: a declared project is not there", async () => {
    const space = await workspace();
    await space.configure(CONFIG.replace("id: 2", "id: 99"));
    const { code, of } = await examine(space);
    expect(code).toBe(10);
    expect(of("list", "acme/projects/web")).toMatchObject({ status: "error" });
  });
});

it("ends with the code of the worst finding", async () => {
  const space = await workspace();
  const codeWith = async (env: Readonly<Record<string, string>>): Promise<number> =>
    (await space.run(["doctor"], { env })).code;
  expect(await codeWith({})).toBe(0);
  expect(await codeWith({ DRIFTLINE_API_KEY: "wrong" })).toBe(11);
  expect(await codeWith({ DRIFTLINE_URL: "http://127.0.0.1:1" })).toBe(1);
  expect(await codeWith({ DRIFTLINE_URL: "nonsense" })).toBe(10);
});

it("the real process ends with that code as well", async () => {
  const space = await workspace();
  const env = { ...space.env, DRIFTLINE_API_KEY: "wrong" };
  expect((await spawnCli(["doctor"], { cwd: space.folder, env }).result).code).toBe(11);
});
