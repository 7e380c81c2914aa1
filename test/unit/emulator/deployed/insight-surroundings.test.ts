import { describe, expect, test } from "vitest";
import { idOf, ORG, rows, start, type Body } from "../harness.ts";

const TAGGING = [{ key: "tagging", name: "Tagging" }];
const OTHER = "33333333-3333-4333-8333-333333333333";

// A number in a test name is that of the observation of a real server which the test repeats.
describe("deployed: what the insights of a project depend on", () => {
  test("102 a new project comes with sample insights on a dashboard, whose queries are valid", async () => {
    const { send } = await start({ dialect: "deployed" });
    const { json } = await send("POST", "/api/organizations/", { name: "New" });
    const [team] = json["teams"] as unknown as readonly Body[];
    const list = `/api/projects/${idOf(team ?? {})}/insights/`;
    const starters = rows(await send("GET", `${list}?order=id`));
    expect(starters.map(({ name }) => name)).toEqual([
      "Daily active users (DAUs)",
      "Weekly active users (WAUs)",
      "Retention",
      "Growth accounting",
      "Referring domain (last 14 days)",
      "Pageview funnel, by browser",
    ]);
    const [first] = starters;
    expect(
      starters.every(({ is_sample, dashboards }) => String(is_sample) === "true" && String(dashboards) !== ""),
    ).toBe(true);
    for (const { query } of starters) expect((await send("POST", list, { query })).status).toBe(201);
    expect((await send("POST", list, { dashboards: first?.["dashboards"] })).status).toBe(201);
  });

  test("102 projects of a seed and of the control interface, and of the document, are empty", async () => {
    const { emulator } = await start({ dialect: "deployed", seed: { organizations: [{ id: ORG, name: "Acme" }] } });
    emulator.addProject(ORG, "Another");
    expect(emulator.find("insight")).toEqual([]);
    const document = await start();
    await document.send("POST", "/api/organizations/", { name: "New" });
    expect(document.emulator.find("insight")).toEqual([]);
  });

  test("106 tags are judged by the plan of the caller's current organization", async () => {
    const seed = {
      organizations: [
        { id: ORG, name: "Acme", projects: [{ id: 2, name: "Web" }] },
        { id: OTHER, name: "Other", projects: [{ id: 3, name: "App" }], available_product_features: TAGGING },
      ],
    };
    const { emulator, send } = await start({ dialect: "deployed", planLimits: true, seed });
    const tagsOf = async (project: number): Promise<unknown> =>
      (await send("POST", `/api/projects/${String(project)}/insights/`, { tags: ["a"] })).json["tags"];
    expect([await tagsOf(2), await tagsOf(3)]).toEqual([[], []]);
    emulator.edit("organization", ORG, { available_product_features: TAGGING });
    emulator.edit("organization", OTHER, { available_product_features: [] });
    expect([await tagsOf(2), await tagsOf(3)]).toEqual([["a"], ["a"]]);
  });

  test("106 without tagging, tags are kept but never shown", async () => {
    const { emulator, send } = await start({ dialect: "deployed", planLimits: true });
    emulator.insert("insight", { project: 2 }, { id: 5, tags: ["a"] });
    const { json } = await send("PATCH", "/api/projects/2/insights/5/", { tags: ["b"] });
    expect([json["tags"], emulator.find("insight")[0]?.["tags"]]).toEqual([[], ["a"]]);
  });
});
