import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeDialects } from "../support/dialects.ts";
import { normalized } from "../support/normalized.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

/** As people write it: every style of YAML, comments at every place, and values that come from elsewhere. */
const CONFIG = `# who: growth team
driftline: 1
variables: { interval: week }
organizations:
  acme:
    name: Acme Inc
    projects:
      web:
        id: "2"
        insights:
          # the one for the board
          revenue:
            name: Revenue # in EUR
            query:
              kind: DataVisualizationNode
              source:
                kind: HogQLQuery
                query: |
                  SELECT
                    toStartOfWeek(timestamp) AS week, -- Mondays
                    count() AS events
                  FROM events
                # the board wants a line
              display: ActionsLineGraph
          signups:
            name: Signups
            tags: [growth, "core"] # sorted by hand
            query:
              kind: TrendsQuery
              interval: "\${var:interval}"
              series:
                - kind: EventsNode # the form
                  event: signed up
                  math: dau
                - { kind: EventsNode, event: paid }
              breakdownFilter: { breakdown: plan, breakdown_type: event }
              trendsFilter:
                display: ActionsBar # bars
          base: &base
            name: Base
            tags: [base]
            query: { kind: TrendsQuery, interval: week, series: [{ kind: EventsNode, event: c }] }
          copy:
            <<: *base
            name: Copy
          shared:
            name: Shared
            tags: &tags
              - one
            query: { kind: FunnelsQuery, series: [{ kind: EventsNode, event: a }, { kind: EventsNode, event: b }] }
          user:
            name: User
            tags: *tags
          old:
            name: Old # made by Bob
            # nothing refers to it
            tags: []
          # the end
`;

async function applied(): Promise<Workspace> {
  const space = await workspace();
  await space.configure(CONFIG);
  const { code, stderr } = await space.run(["apply", "--yes"]);
  expect([code, stderr.includes("error")]).toEqual([0, false]);
  return space;
}

/** Changes an insight in the web interface. */
function change({ emulator }: Workspace, name: string, values: Parameters<Workspace["emulator"]["edit"]>[2]): void {
  const found = emulator.find("insight").find((one) => one["name"] === name);
  emulator.edit("insight", Number(found?.id), values);
}

const EVENT = { kind: "EventsNode" };

async function accept(
  space: Workspace,
  ...more: readonly string[]
): Promise<{ code: number; stderr: string; text: string }> {
  const { code, stderr } = await space.run(["drift", "--accept", "--yes", ...more]);
  return { code, stderr: normalized(stderr), text: await readFile(join(space.folder, "driftline.yaml"), "utf8") };
}

describeDialects("drift --accept keeps the style", () => {
  it("of lists, removes keys that are gone, and adds those that are new", async () => {
    const space = await applied();
    change(space, "Signups", {
      query: {
        kind: "TrendsQuery",
        interval: "day",
        series: [
          { ...EVENT, event: "signed up" },
          { ...EVENT, event: "trial" },
          { ...EVENT, event: "paid" },
        ],
        breakdownFilter: { breakdowns: [{ property: "plan", type: "event" }] },
        dateRange: { date_from: "-7d" },
      },
    });
    const { code, stderr, text } = await accept(space, "--only", "acme/projects/web/insights/signups");
    expect(stderr).toMatchSnapshot("what it says");
    expect(text).toMatchSnapshot("the file");
    expect(code).toBe(2);
  });

  it("and refuses values that come from elsewhere, with their place", async () => {
    const space = await applied();
    change(space, "Base", { tags: ["other"] });
    change(space, "Copy", {
      tags: ["copy"],
      query: { kind: "TrendsQuery", interval: "day", dateRange: { date_from: "-7d" } },
    });
    change(space, "Shared", { tags: ["two"] });
    change(space, "User", { tags: ["three"] });
    const { code, stderr, text } = await accept(space);
    expect(stderr).toMatchSnapshot("what it says");
    expect(text).toMatchSnapshot("the file");
    expect(code).toBe(2);
    expect((await space.run(["validate"])).code).toBe(0);
  });
});
