import { expect, it } from "vitest";
import type { PlanDocument } from "../../src/model/plan.ts";
import { describeDialects } from "../support/dialects.ts";
import { ACME } from "../support/acme.ts";
import { outcomesOf } from "../support/cli.ts";
import { linesWith } from "../support/normalized.ts";
import {
  SECRET,
  SEED,
  saml,
  S3,
  config,
  EXPORT,
  EXPORTS,
  ofProject,
  ENV,
  saved,
  writes,
  idOf,
  ssoOf,
} from "../support/saved-plan.ts";
import { workspace, type Workspace } from "../support/workspace.ts";
import { startWire } from "./properties/wire.ts";

describeDialects("a saved plan holds no secrets", () => {
  it.each([
    ["a secret by name", { ...EXPORT }],
    ["a secret in clear", ofProject({ events: { ...EXPORTS.events, destination: S3(SECRET) } })],
    [
      "a secret in an unexpected place",
      {
        projects: {
          web: {
            id: "2",
            insights: {
              s: {
                name: "Signups",
                query: { kind: "TrendsQuery", series: [], trendsFilter: { formula: "${secret:AWS}" } },
              },
            },
          },
        },
      },
    ],
  ])("%s", async (_name, more) => {
    const { text, apply, emulator } = await saved(config(more));
    expect(text).not.toContain(SECRET);
    expect((await apply([], ENV)).code).toBe(0);
    expect(JSON.stringify(emulator.dump())).toContain(SECRET);
  });

  it("not even one that the service returns in clear", async () => {
    const { document, text } = await saved(
      {
        driftline: 1,
        organizations: {
          acme: {
            id: ACME,
            batch_exports: { events: { name: "Events", interval: "hour", destination: S3("${secret:AWS}", "us") } },
          },
        },
      },
      [],
      {
        seed: {
          organizations: [
            {
              ...SEED.organizations[0],
              name: "Acme Inc",
              batch_exports: [{ name: "Events", destination: S3(SECRET) }],
            },
          ],
        },
      },
    );
    expect(document.summary.update).toBe(1);
    expect(text).not.toContain(SECRET);
  });
});

describeDialects("apply --plan requires the same config_hash, secrets hashed as expressions", () => {
  it("another value of a secret keeps the hash", async () => {
    const { apply, document, run } = await saved(config(EXPORT));
    const other = JSON.parse(
      (await run(["plan", "--format", "json"], { env: { AWS: "another" } })).stdout,
    ) as PlanDocument;
    expect(other.config_hash).toBe(document.config_hash);
    expect((await apply([], { AWS: "another" })).code).toBe(0);
  });

  it.each<[string, object]>([
    [
      "another expression of a secret",
      config(ofProject({ events: { ...EXPORTS.events, destination: S3("${secret:OTHER}") } })),
    ],
    ["another value", config({ ...EXPORT, enforce_2fa: true })],
    ["one resource less", config({})],
  ])("%s is another configuration: 12, and nothing is written", async (_name, other) => {
    const space = await saved(config(EXPORT));
    await space.configure(other);
    const result = await space.apply([], { AWS: SECRET, OTHER: SECRET });
    expect(result.code).toBe(12);
    expect(linesWith(result.stderr, "error stale_plan: ")).toMatchSnapshot("what is said");
    expect(space.emulator.requests).toEqual([]);
  });

  it("the same configuration with other comments and in another order is the same", async () => {
    const space = await saved();
    await space.configure(
      `# reordered\n${JSON.stringify({ organizations: { acme: { domains: { b: saml("b.acme.com"), a: saml("a.acme.com") }, id: ACME } }, driftline: 1 })}\n`,
    );
    expect((await space.apply()).code).toBe(0);
  });

  it("one without the addresses of the plan's limits is another configuration as well", async () => {
    const { apply, configure, emulator } = await saved(config(), ["--only", "acme/domains/a"]);
    await configure(config({ domains: { b: saml("b.acme.com") } }));
    const result = await apply();
    expect(result.code).toBe(12);
    expect(linesWith(result.stderr, "error stale_plan: ")).toMatchSnapshot();
    expect(writes({ emulator })).toEqual([]);
  });

  it("a variable with another value is another configuration", async () => {
    const domain = { domain: "a.acme.com", sso_enforcement: "${env:SSO}" };
    const space = await workspace({ seed: SEED });
    await space.configure(config({ domains: { a: domain } }));
    const run = (args: readonly string[], SSO: string) => space.run(args, { env: { SSO } });
    await run(["plan", "--out", "plan.json"], "google-oauth2");
    const apply = ["apply", "--plan", "plan.json", "--yes"];
    expect((await run(apply, "github")).code).toBe(12);
    expect((await run(apply, "google-oauth2")).code).toBe(0);
  });
});

describeDialects("apply --plan requires the same URL", () => {
  it("another service is refused with 12 before anything is asked of it", async () => {
    const space = await saved();
    const other = await startWire(space.emulator.url);
    expect((await space.apply([], { DRIFTLINE_URL: other.url })).code).toBe(12);
    expect(other.seen).toEqual([]);
  });

  it("a slash at its end makes no other service of it", async () => {
    const space = await saved();
    expect((await space.apply(["--url", `${space.emulator.url}/`])).code).toBe(0);
  });
});

describeDialects("prune, only and rotate come from the plan", () => {
  const pruned = config({ exclusive: ["domains"] });

  it("prune of the plan is applied without --prune", async () => {
    const space = await saved(pruned, ["--prune"]);
    expect((await space.apply()).code).toBe(0);
    expect(space.emulator.find("domain", (one) => one["domain"] === "old.acme.com")).toEqual([]);
  });

  it("only the addresses of the plan's `only` are applied", async () => {
    const space = await saved(config(), ["--only", "acme/domains/a"]);
    expect((await space.apply()).code).toBe(0);
    expect(ssoOf(space)).toEqual({ "a.acme.com": "google-oauth2", "b.acme.com": "", "old.acme.com": "" });
  });

  it("rotate of the plan sends the secret again, and no other", async () => {
    const space = await workspace({ seed: SEED });
    const two = ofProject({ ...EXPORTS, more: { ...EXPORTS.events, name: "More" } });
    await space.configure(config(two));
    expect((await space.run(["apply", "--yes"], { env: ENV })).code).toBe(0);
    await space.run(["plan", "--out", "plan.json", "--rotate", "acme/projects/web/batch_exports/events"]);
    space.emulator.clearRequests();
    const result = await space.run(["apply", "--plan", "plan.json", "--yes"], { env: { AWS: "hush-hush-43" } });
    expect(result.code).toBe(0);
    expect(writes(space)).toHaveLength(1);
    const secrets = space.emulator
      .find("batch_export")
      .map((one) => [one["name"], JSON.stringify(one["destination"]).includes("hush-hush-43")]);
    expect(Object.fromEntries(secrets)).toEqual({ Events: true, More: false });
  });
});

describeDialects("touched objects are read again before the first write", () => {
  it.each<[string, (space: Pick<Workspace, "emulator">) => void]>([
    [
      "a touched object whose declared field has changed",
      (space) => void space.emulator.edit("domain", idOf(space, "a.acme.com"), { sso_enforcement: "github" }),
    ],
    [
      "a touched object that already has the planned values",
      (space) => void space.emulator.edit("domain", idOf(space, "a.acme.com"), { sso_enforcement: "google-oauth2" }),
    ],
    ["a touched object that is gone", (space) => space.emulator.remove("domain", idOf(space, "a.acme.com"))],
    [
      "a touched object that was renamed",
      (space) => void space.emulator.edit("domain", idOf(space, "a.acme.com"), { domain: "c.acme.com" }),
    ],
    [
      "a second object with the key of a touched one",
      (space) => void space.emulator.insert("domain", { organization: ACME }, { domain: "a.acme.com" }),
    ],
  ])("%s: 12, and nothing is written", async (_name, happen) => {
    const space = await saved(config({ enforce_2fa: true, name: "Acme Inc" }));
    happen(space);
    const result = await space.apply(["--format", "text"]);
    expect([result.code, result.stdout]).toEqual([12, ""]);
    expect(linesWith(result.stderr, "error stale_plan: ")).toMatchSnapshot("what is said");
    expect(writes(space)).toEqual([]);
  });

  it("an object that now has a key to be created: 12, and nothing is written", async () => {
    const space = await saved(config({ domains: { a: saml("a.acme.com"), new: saml("new.acme.com") } }));
    space.emulator.insert("domain", { organization: ACME }, { domain: "new.acme.com" });
    expect((await space.apply()).code).toBe(12);
    expect(writes(space)).toEqual([]);
  });

  it("a person who has been invited meanwhile is not invited again", async () => {
    const space = await saved(config({ memberships: { "eve@acme.com": { level: "member" } } }));
    space.emulator.insert("invite", { organization: ACME }, { target_email: "Eve@acme.com" });
    expect((await space.apply()).code).toBe(12);
    expect(writes(space)).toEqual([]);
  });

  it.each<[string, (space: Pick<Workspace, "emulator">) => void]>([
    [
      "an object that the plan does not touch",
      (space) => void space.emulator.edit("domain", idOf(space, "old.acme.com"), { sso_enforcement: "github" }),
    ],
    [
      "an undeclared field of a touched object",
      (space) => void space.emulator.edit("domain", idOf(space, "a.acme.com"), { saml_entity_id: "urn:x" }),
    ],
    [
      "a new undeclared object",
      (space) => void space.emulator.insert("domain", { organization: ACME }, { domain: "new.acme.com" }),
    ],
    [
      "the time of its last change",
      (space) => void space.emulator.edit("organization", ACME, { updated_at: "2030-01-01T00:00:00Z" }),
    ],
  ])("%s may change: the plan is applied", async (_name, happen) => {
    const space = await saved(config({ enforce_2fa: true, name: "Acme Inc" }));
    happen(space);
    expect((await space.apply()).code).toBe(0);
    expect(ssoOf(space)).toMatchObject({ "a.acme.com": "google-oauth2", "b.acme.com": "google-oauth2" });
  });

  it("the whole value counts if an overlay of it would be sent", async () => {
    const insight = { name: "Signups", query: { kind: "Funnels" } };
    const space = await saved(config({ projects: { web: { id: "2", insights: { signups: insight } } } }));
    const [live] = space.emulator.find("insight");
    space.emulator.edit("insight", Number(live?.id), { query: { kind: "Trends", series: [1, 2] } });
    expect((await space.apply()).code).toBe(12);
    expect(writes(space)).toEqual([]);
  });
});

describeDialects("a later mismatch skips that object", () => {
  it("14, the others are written, and the outcome says why", async () => {
    const space = await saved();
    const id = idOf(space, "a.acme.com");
    // The first read of the object alone is that of the apply, right before it writes.
    const wire = await startWire(space.emulator.url, ({ path }) => {
      if (path.replace(/\/$/, "").endsWith(`/domains/${id}`))
        space.emulator.edit("domain", id, { sso_enforcement: "github" });
      return undefined;
    });
    await space.run(["plan", "--out", "plan.json", "--url", wire.url]);
    const result = await space.apply(["--url", wire.url]);
    expect(result.code).toBe(14);
    expect(ssoOf(space)).toMatchObject({ "a.acme.com": "github", "b.acme.com": "google-oauth2" });
    const outcome = outcomesOf(result).changes.find(({ address }) => address === "acme/domains/a");
    expect(outcome).toMatchObject({ status: "skipped", error: { code: "stale" } });
  });
});

describeDialects("exactly the plan that was shown is carried out", () => {
  it("changes that came up since are not", async () => {
    const space = await workspace({ seed: SEED });
    await space.configure(config());
    space.emulator.edit("domain", idOf(space, "b.acme.com"), { sso_enforcement: "google-oauth2" });
    await space.run(["plan", "--out", "plan.json"]);
    space.emulator.edit("domain", idOf(space, "b.acme.com"), { sso_enforcement: "github" });
    const leaves = "what changed since";
    const result = await space.run(["apply", "--plan", "plan.json", "--yes"], { leaves });
    expect(result.code).toBe(0);
    expect(ssoOf(space)).toMatchObject({ "a.acme.com": "google-oauth2", "b.acme.com": "github" });
    expect((await space.drift()).code).toBe(2);
  });

  it("exactly the objects that the plan listed are pruned", async () => {
    const space = await saved(config({ exclusive: ["domains"] }), ["--prune"]);
    space.emulator.insert("domain", { organization: ACME }, { domain: "new.acme.com" });
    const leaves = "what was added since";
    expect((await space.run(["apply", "--plan", "plan.json", "--yes"], { leaves })).code).toBe(0);
    expect(Object.keys(ssoOf(space)).toSorted()).toEqual(["a.acme.com", "b.acme.com", "new.acme.com"]);
  });

  it("the outcomes are those of the shown plan, under its hash", async () => {
    const { apply, document } = await saved();
    const outcomes = outcomesOf(await apply());
    expect(outcomes.hash).toBe(document.hash);
    expect(outcomes.changes.map(({ address, action }) => ({ address, action }))).toEqual(
      document.changes.map(({ address, action }) => ({ address, action })),
    );
    const { no_op: unchanged } = document.summary;
    expect(outcomes.statuses).toMatchObject({ applied: document.changes.length - unchanged, unchanged, failed: 0 });
  });

  it("a plan that was applied is stale: it is not applied again", async () => {
    const { apply } = await saved();
    expect((await apply()).code).toBe(0);
    expect((await apply()).code).toBe(12);
  });

  it("a change that it showed as blocked is not applied, even if nothing blocks it any more", async () => {
    const owners = {
      members: [
        { email: "ada@acme.com", level: 15 },
        { email: "owner@example.com", level: 8 },
      ],
    };
    const demote = {
      driftline: 1,
      service: { self: "owner@example.com" },
      organizations: { acme: { id: ACME, memberships: { "ada@acme.com": { level: "member" } } } },
    };
    const space = await saved(demote, [], { seed: { organizations: [{ id: ACME, name: "Acme Inc", ...owners }] } });
    expect(space.document.changes.map(({ blocked }) => blocked?.rule)).toEqual([undefined, "last_owner"]);
    space.emulator.insert("member", { organization: ACME }, { email: "eve@acme.com", level: 15 });
    expect((await space.apply()).code).not.toBe(0);
    expect(writes(space)).toEqual([]);
  });

  it("and nothing beyond the limit of deletes without the approval of its hash", async () => {
    const names = Array.from({ length: 21 }, (_, index) => `d${String(index)}.acme.com`);
    const seed = { organizations: [{ id: ACME, name: "Acme Inc", domains: names.map((domain) => ({ domain })) }] };
    const absent = Object.fromEntries(names.map((domain) => [domain, { domain, lifecycle: { state: "absent" } }]));
    const space = await saved(config({ domains: absent }), [], { seed });
    expect((await space.apply()).code).toBe(13);
    expect(writes(space)).toEqual([]);
    expect((await space.apply(["--approve", space.document.hash])).code).toBe(0);
    expect(space.emulator.find("domain")).toEqual([]);
  });

  it("shows the same text as when it was made", async () => {
    const { result, run } = await saved();
    const shown = (await run(["show", "plan.json"])).stdout;
    expect(shown.split("\n").slice(0, 5)).toEqual(result.stdout.split("\n").slice(0, 5));
  });
});
