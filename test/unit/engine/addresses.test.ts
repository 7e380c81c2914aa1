import { describe, expect, it } from "vitest";
import type { LoadedConfig } from "../../../src/config/index.ts";
import { requireAddresses } from "../../../src/engine/addresses.ts";
import { sentencesOf, thrownBy } from "../../support/sentences.ts";

const INSIGHTS = ["a1", "a2", "a3", "a4", "a5", "signups"].map((name) => `acme/projects/web/insights/${name}`);
const RESOURCES = ["acme", "acme/domains/corp", ...INSIGHTS, "acme/projects/app/insights/signups"];
const kindAt = (address: string): string => {
  if (address.includes("/insights/")) return "insight";
  return address.includes("/domains/") ? "domain" : "organization";
};
const CONFIG = {
  graph: {
    resources: RESOURCES.map((address) => ({ address, kind: kindAt(address) })),
    projects: ["acme/projects/app", "acme/projects/web"].map((address) => ({ address })),
    exclusive: [{ scope: "acme", kind: "invite" }],
  },
} as unknown as LoadedConfig;

function saidOf(only: readonly string[], rotate: readonly string[] = []): readonly string[] {
  return sentencesOf(thrownBy(() => requireAddresses(CONFIG, { prune: false, only, rotate })));
}

describe("--only takes", () => {
  it.each([
    "acme",
    "acme/domains",
    "acme/projects",
    "acme/projects/web",
    "acme/projects/web/insights",
    INSIGHTS[0] ?? "",
    // Undeclared objects of an exclusive collection can be removed one by one.
    "acme/invites",
    "acme/invites/id=7",
  ])("%s", (address) => {
    expect(() => requireAddresses(CONFIG, { prune: false, only: [address], rotate: [] })).not.toThrow();
  });
});

it.each(["acme/domain", "acme/dashboards", "acme/invites/eve", "acme/projects/we", "acme/projects/web/insights/typo"])(
  "--only does not take %s, although a collection beside it is exclusive",
  (address) => expect(saidOf([address])).not.toEqual([]),
);

describe("an unknown address names what is near", () => {
  it.each([
    ["a field of an organization", "acme/enforce_2fa"],
    ["a field of an insight", "acme/projects/web/insights/signups/query"],
    ["what no resource has", "acme/domains/corp/more"],
    ["a misspelled collection", "acme/projects/web/insigths"],
    ["a collection with a slash at its end", "acme/projects/web/insights/"],
    ["a collection in the singular", "acme/projects/web/insight"],
    ["a misspelled name in a collection in the singular", "acme/project/web/insight/signup"],
    ["a project without its collection", "acme/web"],
    ["an insight without its project", "acme/insights/signups"],
    ["the end of an address", "domains/corp"],
    ["a name only", "a1"],
    ["a name that the collection does not have", "acme/projects/web/insights/revenue"],
    ["a collection that nothing is declared in", "acme/projects/web/batch_exports"],
    ["another organization", "globex/domains/corp-eu"],
  ])("%s: %s", (_name, address) => {
    expect(saidOf([address])).toMatchSnapshot("what is said");
  });

  it.each(["acme/projects/web/insights", "acme/projects/web/insight/signup", "acme/projects/web"])(
    "of a resource, where only resources count: %s",
    (address) => {
      expect(saidOf([], [address])).toMatchSnapshot("what is said");
    },
  );
});
