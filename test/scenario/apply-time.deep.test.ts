/** What `apply` says about its time, and while that passes. */
import { describe, expect, it } from "vitest";
import { normalized } from "../support/normalized.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

/** So many insights that differ from their declaration in the same way. */
async function differing(count: number): Promise<Workspace> {
  const names = Array.from({ length: count }, (_, index) => `Insight ${String(index)}`);
  const insights = names.map((name) => ({ name, tags: ["old"] }));
  const space = await workspace({
    seed: { organizations: [{ name: "Acme Inc", projects: [{ id: 2, name: "Web", insights }] }] },
  });
  await space.configure({
    driftline: 1,
    organizations: {
      acme: {
        name: "Acme Inc",
        projects: {
          web: {
            name: "Web",
            insights: Object.fromEntries(names.map((name, index) => [`i${String(index)}`, { name, tags: ["new"] }])),
          },
        },
      },
    },
  });
  return space;
}

it("in a log, equal changes are counted in one line", async () => {
  const { run } = await differing(12);
  const { stdout } = await run(["apply", "--yes"]);
  expect(normalized(stdout)).toMatchSnapshot();
});

describe("before the question", () => {
  it("a run of minutes says how long it takes", async () => {
    const { run } = await differing(130);
    const { stderr } = await run(["apply", "--max-requests-per-minute", "60"], {
      runtime: { interactive: true, ask: () => Promise.resolve("no") },
    });
    expect(normalized(stderr)).toMatchSnapshot();
  });

  it("of a service that has shown no limit, the time at this pace and at the default limit", async () => {
    const { run } = await differing(130);
    const { stderr } = await run(["plan"]);
    expect(normalized(stderr)).toMatchSnapshot();
    expect((await run(["apply", "--yes"])).stderr).toContain("about 260 requests");
  });
});
