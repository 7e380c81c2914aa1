import type { Seed } from "../../src/emulator/index.ts";

/** What is there, and a configuration that declares it: planning the one against the other finds nothing to do. */
export interface Scenario {
  readonly name: string;
  readonly seed: Seed;
  readonly config: object;
}

const ORGANIZATION = "Acme Inc";

/** The scenarios, by number of declared objects. */
export const scenarios: readonly Scenario[] = [insights(200), insights(1_000), insights(10_000), memberships(50, 250)];

function insights(count: number): Scenario {
  const all = numbers(count).map((number) => ({
    name: `Insight ${String(number)}`,
    tags: ["bench"],
    query: {
      kind: "TrendsQuery",
      interval: "week",
      series: [{ kind: "EventsNode", event: `event_${String(number)}` }],
    },
  }));
  const declared = Object.fromEntries(all.map((insight, index) => [`i${String(index)}`, insight]));
  return {
    name: `${String(count)} insights`,
    seed: { organizations: [{ name: ORGANIZATION, projects: [{ id: 2, name: "Web", insights: all }] }] },
    config: {
      driftline: 1,
      organizations: { acme: { name: ORGANIZATION, projects: { web: { name: "Web", insights: declared } } } },
    },
  };
}

/** So many memberships declared, of so many members. */
function memberships(declared: number, members: number): Scenario {
  // The key's own user is a member, too.
  const all = numbers(members - 1).map((number) => ({ email: `member${String(number)}@acme.com`, level: 1 }));
  const some = Object.fromEntries(all.slice(0, declared).map(({ email }) => [email, { level: "member" }]));
  return {
    name: `${String(declared)} memberships of ${String(members)} members`,
    seed: { organizations: [{ name: ORGANIZATION, members: all }] },
    config: { driftline: 1, organizations: { acme: { name: ORGANIZATION, memberships: some } } },
  };
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
