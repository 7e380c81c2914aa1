/** The provider of Pulumi, in this process, against a hostile service: the differences from the command line. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { kinds } from "../../src/kinds/registry.ts";
import type { KindName } from "../../src/model/kind-name.ts";
import { KindProvider } from "../../src/pulumi/provider/kind-provider.ts";
import type { Properties } from "../../src/pulumi/properties/properties.ts";
import type { Trick } from "../support/hostile-service.ts";
import { normalized } from "../support/normalized.ts";
import { against, listing, RAW } from "./hostile.ts";
import { ACME } from "./support.ts";

const BAD = "A\u001b[2J\u202e\u0000\u009b31m";
const BIG = "9007199254740993";
const INSIGHT = { projectId: "2", name: "Signups", filters: { a: 2 }, adopt: false };
const DOMAIN = { organizationId: ACME, domain: "a.acme.com", adopt: false };
const SEED = {
  organizations: [
    {
      id: ACME,
      name: "Acme Inc",
      domains: [{ domain: "a.acme.com" }],
      projects: [{ id: 2, name: "Web", insights: [{ id: 7, name: "Signups", filters: { a: 1, user: "$$" } }] }],
    },
  ],
};

async function provided(kind: KindName, trick: Trick) {
  const { service, emulator, folder } = await against(trick, undefined, { seed: SEED });
  vi.stubEnv("DRIFTLINE_URL", service.url);
  vi.stubEnv("DRIFTLINE_API_KEY", emulator.key);
  vi.stubEnv("DRIFTLINE_STATE_DIR", folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  return { service, emulator, provider: new KindProvider(kinds[kind]) };
}

const failureOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "",
    (error: unknown) => (error instanceof Error ? `${error.message} ${error.stack ?? ""}` : String(error)),
  );

const list = listing(`/api/organizations/${ACME}/domains`);

describe("Pulumi", () => {
  it.each<[string, Trick]>([
    ["a redirect", list("", { location: "https://evil.example/" }, 302)],
    ["HTML with 200", list("<html>", { "content-type": "text/html" })],
    ["a name that is null", list((text) => text.replace('"a.acme.com"', "null"))],
    ["an id that leads elsewhere", list((text) => text.replace(/"id":\s*"/, '"id":"../'))],
    ["an endless list", list((text) => text.replace('"count":1', '"count":9007199254740991'))],
  ])("reports no object as absent or present because of %s", async (_name, trick) => {
    const { provider, service } = await provided("domain", trick);
    const calls = [
      provider.create({ ...DOMAIN, domain: "new.acme.com" }),
      provider.read(ACME, DOMAIN),
      provider.update(ACME, DOMAIN, { ...DOMAIN, ssoEnforcement: "saml" }),
      provider.delete(ACME, DOMAIN),
    ];
    const said = (await Promise.all(calls.map(failureOf))).map((text) => normalized(text.split(" Error: ")[0]?.trim()));
    expect([...new Set(said)]).toMatchSnapshot();
    expect(service.writes()).toEqual([]);
  });

  it("prints no control characters to the engine's terminal", async () => {
    const { provider, service, emulator } = await provided("domain", () => undefined);
    const [{ id = "" } = {}] = emulator.find("domain") as { id?: string }[];
    service.trick = ({ method }) =>
      method === "PATCH" ? { status: 400, body: JSON.stringify({ code: BAD, detail: BAD, attr: BAD }) } : undefined;
    const refused = await failureOf(provider.update(id, DOMAIN, { ...DOMAIN, ssoEnforcement: "saml" }));
    expect(refused).toContain(" 400 ");
    const called = await failureOf(provider.create({ ...DOMAIN, domain: BAD, organizationId: ACME, adopt: "x\u202e" }));
    expect([refused, called].join("")).not.toMatch(RAW);
  });

  it("sends inexact numbers back unchanged, and keeps only JSON in the state", async () => {
    const trick: Trick = ({ method, path }) =>
      method === "GET" && path.startsWith("/api/projects/2/insights")
        ? { rewrite: (text) => text.replaceAll('"$$"', BIG) }
        : undefined;
    const { provider, service } = await provided("insight", trick);
    const declared: Properties = { ...INSIGHT, filters: { user: 5 } };
    const read = await provider.read("7", declared);
    expect(read.inputs).toEqual(JSON.parse(JSON.stringify(read.inputs)));
    expect(read.inputs?.["filters"]).toEqual({ user: BIG });
    await provider.update("7", INSIGHT, INSIGHT);
    expect(service.writes()[0]?.body).toContain(`"user":${BIG}`);
  });
});
