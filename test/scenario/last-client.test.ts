/** Drift says with which program an object was changed last, where the activity of the service names it. */
import { expect, it } from "vitest";
import { workspace, type Workspace } from "../support/workspace.ts";

const NAMES = ["Signups", "Visits", "Sales"];
const ACTIVITY = /\/insights\/(?:[^/]+\/)?activity\/$/u;

async function declared(options: Parameters<typeof workspace>[0]): Promise<Workspace> {
  const space = await workspace(options);
  const query = { kind: "DataVisualizationNode", source: { kind: "HogQLQuery", query: "SELECT 1" } };
  const insights = Object.fromEntries(NAMES.map((name) => [name, { name, description: "as declared", query }]));
  await space.configure({
    driftline: 1,
    organizations: { acme: { name: "Acme Inc", projects: { web: { id: 2, insights } } } },
  });
  await space.apply();
  return space;
}

const idOf = ({ emulator }: Workspace, name: string): number =>
  Number(emulator.find("insight", (one) => one["name"] === name)[0]?.id);

/** Changes an insight as another program does. */
async function change(space: Workspace, name: string, client: Readonly<Record<string, string>>): Promise<void> {
  const { emulator } = space;
  const response = await fetch(`${emulator.url}/api/projects/2/insights/${String(idOf(space, name))}/`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${emulator.key}`, "content-type": "application/json", ...client },
    body: JSON.stringify({ description: "edited" }),
  });
  expect(response.status).toBe(200);
}

async function clients(space: Workspace): Promise<readonly (string | undefined)[]> {
  space.emulator.clearRequests();
  const { document } = await space.drift();
  const differing = document.changes.filter(({ action }) => action !== "no_op");
  expect(differing.every(({ modified }) => modified?.by !== null)).toBe(true);
  return differing.map(({ modified }) => modified?.client);
}

const reads = ({ emulator }: Workspace): number => emulator.requests.filter(({ path }) => ACTIVITY.test(path)).length;

it("drift names the client beside who and when, with one read of the log", async () => {
  const space = await declared({ dialect: "current" });
  expect([(await space.drift()).code, reads(space)]).toEqual([0, 0]);
  await change(space, "Signups", { "x-posthog-client": "agent" });
  await change(space, "Visits", {});
  expect([await clients(space), reads(space)]).toEqual([["agent", undefined], 1]);
  for (const format of ["text", "markdown", "html", "json"])
    expect((await space.run(["drift", "--format", format])).stdout).toContain("agent");
});
