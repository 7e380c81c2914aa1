import { describe, expect, it } from "vitest";
import { createPrerequisites } from "../../../../src/apply/schedule/prerequisites.ts";
import { partsOf } from "../../../../src/apply/schedule/parts.ts";
import type { Change } from "../../../../src/model/change.ts";
import type { LiveObject } from "../../../../src/model/live.ts";
import { change, removal } from "../support.ts";

const WEB = "acme/projects/web";

const insight = (
  name: string,
  key: string,
  { scope = WEB, live }: { scope?: string; live?: LiveObject } = {},
): Change => change("insight", { name: key }, { scope, name, live });

/** A live insight of these keys. */
const called = (...keys: readonly string[]): LiveObject => ({
  kind: "insight",
  scope: WEB,
  id: "1",
  pins: {},
  keys,
  values: { name: keys[0] ?? "" },
  onDifference: "update",
});

const exported = (scope: string, name = "E"): Change =>
  change("batch_export", { name, interval: "hour", destination: { type: "NoOp", config: {} } }, { scope });

/** Addresses of what has to end before a change may begin. */
function before(one: Change, ...others: readonly Change[]): readonly string[] {
  const prerequisitesOf = createPrerequisites({ changes: [one, ...others] } as never);
  return prerequisitesOf(one).map((other) => other.change.address);
}

describe("the prerequisites of a create", () => {
  it("are the create of its parent, and of nothing else", () => {
    const parent = change("organization", { name: "beta" }, { scope: "", name: "beta", lifecycle: { create: true } });
    const other = change("organization", { name: "gamma" }, { scope: "", name: "gamma", lifecycle: { create: true } });
    const child = change("domain", { domain: "a.com" }, { scope: "beta" });
    expect(before(child, other, parent)).toEqual(["beta"]);
    expect(before(parent, other, child)).toEqual([]);
  });

  const rename = insight("one", "New", { live: called("Old", "Older") });

  it.each<[string, Change, readonly Change[], readonly string[]]>([
    ["frees its name", insight("two", "Old"), [rename], [`${WEB}/insights/one`]],
    ["frees its name, if the object had several", insight("two", "Older"), [rename], [`${WEB}/insights/one`]],
    ["frees another name", insight("two", "Other"), [rename], []],
    ["keeps its own name", insight("two", "New"), [insight("one", "New", { live: called("New") })], []],
    ["is in another project", insight("two", "Old", { scope: "acme/projects/app" }), [rename], []],
    [
      "is of another kind",
      change("pipeline_destination", { name: "Old", plugin_type: "source" }),
      [{ ...rename, work: { ...rename.work, scope: "acme", body: {}, key: "New" } }],
      [],
    ],
    [
      "keeps its own name and changes something else",
      insight("two", "New"),
      [change("insight", { name: "New", description: "d" }, { scope: WEB, name: "one", live: called("New") })],
      [],
    ],
    ["is no update", insight("two", "Old"), [removal("insight", { name: "Old" }, called("Old"), WEB)], []],
    [
      "is no update, if the object had several names",
      insight("two", "Older"),
      [removal("insight", { name: "Old" }, called("Old", "Older"), WEB)],
      [],
    ],
    [
      "is one of several",
      insight("two", "Old"),
      [rename, insight("three", "Newer", { live: called("Old") })],
      [`${WEB}/insights/one`, `${WEB}/insights/three`],
    ],
  ])("include an update that %s", (_name, create, others, freeing) => {
    expect(before(create, ...others)).toEqual(freeing);
  });

  it.each<[string, Change, readonly Change[], readonly string[]]>([
    ["further inside", exported("acme"), [exported(WEB)], [`${WEB}/batch_exports/E`]],
    ["further inside, of another name", exported("acme"), [exported(WEB, "F")], []],
    ["further outside", exported(WEB), [exported("acme")], []],
    ["beside it", exported("acme"), [exported("acme-2/projects/web")], []],
    ["further inside, but it is no create", exported("acme"), [{ ...exported(WEB), action: "update" }], []],
    [
      "further inside, that replaces something",
      exported("acme"),
      [{ ...exported(WEB), action: "replace" }],
      [`${WEB}/batch_exports/E`],
    ],
  ])("include a create %s", (_name, create, others, inner) => {
    expect(before(create, ...others)).toEqual(inner);
  });
});

describe("the prerequisites of another change", () => {
  it("of a replace are those of a create", () => {
    const replace: Change = { ...exported("acme"), action: "replace" };
    expect(before(replace, exported(WEB))).toEqual([`${WEB}/batch_exports/E`]);
  });

  it.each(["update", "delete", "restore", "no_op", "unknown"] as const)("of %s are empty", (action) => {
    expect(before({ ...exported("acme"), action }, exported(WEB))).toEqual([]);
  });

  it("of a domain that enforces SAML are none for its first part: its provider names it", () => {
    const domain = change("domain", { domain: "a.com", sso_enforcement: "saml" }, { name: "corp" });
    const saml = { name: "Okta", config_scope: "saml", saml_x509_cert: "MIIB" };
    const provider = change("identity_provider_config", { ...saml, organization_domain_ids: [domain.address] });
    const [first, last] = [domain, provider].flatMap(partsOf);
    if (first === undefined || last === undefined) throw new Error("no parts");
    const prerequisitesOf = createPrerequisites({ changes: [first, last, provider] } as never);
    const waited = [first, last, provider].map((one) => prerequisitesOf(one).map(({ change: other }) => other));
    expect(waited).toEqual([[], [first, provider], [first]]);
    expect(last).toBe(domain);
  });

  it("without work are empty", () => {
    expect(before({ ...exported("acme"), work: null }, exported(WEB))).toEqual([]);
  });
});
