/** A saved plan and the ways to use it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { EmulatorOptions } from "../../src/emulator/index.ts";
import type { PlanDocument } from "../../src/model/plan.ts";
import { ACME, VERIFIED } from "./acme.ts";
import { workspace, type Workspace } from "./workspace.ts";

export const SECRET = "hush-hush-42";

export const SEED = {
  organizations: [
    {
      id: ACME,
      name: "Acme Inc",
      members: [{ email: "ada@acme.com", level: 8 }],
      domains: ["a.acme.com", "b.acme.com", "old.acme.com"].map((domain) => ({ domain, ...VERIFIED })),
      projects: [
        {
          id: 2,
          name: "Web",
          insights: [{ name: "Signups", query: { kind: "Trends", series: [1] }, description: "of old" }],
        },
      ],
    },
  ],
} satisfies NonNullable<EmulatorOptions["seed"]>;

export const saml = (domain: string) => ({ domain, sso_enforcement: "google-oauth2" });
export const S3 = (secret: string, region = "eu") => ({
  type: "S3",
  config: { bucket_name: "b", region, prefix: "p/", aws_secret_access_key: secret },
});

export function config(more: object = {}): object {
  return {
    driftline: 1,
    organizations: { acme: { id: ACME, domains: { a: saml("a.acme.com"), b: saml("b.acme.com") }, ...more } },
  };
}

export const EXPORTS = { events: { name: "Events", interval: "hour", destination: S3("${secret:AWS}") } };
/** On the route on which deployed servers take it. */
export const ofProject = (batch_exports: object): object => ({ projects: { web: { id: "2", batch_exports } } });
export const EXPORT = ofProject(EXPORTS);
export const ENV = { AWS: SECRET };

/** A configuration with a plan of it saved in `plan.json`. */
export async function saved(
  configuration: object = config(),
  args: readonly string[] = [],
  options: EmulatorOptions = { seed: SEED },
) {
  const space = await workspace(options);
  await space.configure(configuration);
  const result = await space.run(["plan", "--out", "plan.json", ...args]);
  const file = join(space.folder, "plan.json");
  const text = await readFile(file, "utf8");
  const apply = (more: readonly string[] = [], env: Readonly<Record<string, string>> = {}) =>
    space.run(["apply", "--plan", "plan.json", "--yes", "--format", "json", ...more], { env });
  space.emulator.clearRequests();
  return { ...space, file, text, result, document: JSON.parse(text) as PlanDocument, apply };
}

export function writes({ emulator }: Pick<Workspace, "emulator">): readonly string[] {
  return emulator.requests
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => `${method} ${path.replace(/\/$/, "")}`);
}

export function idOf({ emulator }: Pick<Workspace, "emulator">, domain: string): string {
  return String(emulator.find("domain", (one) => one["domain"] === domain)[0]?.id);
}

export function ssoOf({ emulator }: Pick<Workspace, "emulator">): Readonly<Record<string, unknown>> {
  return Object.fromEntries(emulator.find("domain").map((one) => [String(one["domain"]), one["sso_enforcement"]]));
}
