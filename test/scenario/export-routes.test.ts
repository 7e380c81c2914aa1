/** The interface shows batch exports on the organization's route only: a service that has no other is exported whole. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { workspace, type Workspace } from "../support/workspace.ts";

const ORG = "0190aa11-0000-4000-8000-00000000000a";
const EXPORT = { name: "Events", interval: "hour", destination: { type: "NoOp", config: {} } };
const SEED = {
  organizations: [
    {
      id: ORG,
      name: "Acme Inc",
      projects: [
        { id: 2, name: "Web", batch_exports: [EXPORT] },
        { id: 3, name: "App" },
      ],
    },
  ],
};

async function lacking(path: RegExp): Promise<Workspace> {
  const space = await workspace({ seed: SEED });
  space.emulator.faults.add({ path, fault: { type: "status", status: 404 } });
  return space;
}

it("export reads batch exports from the organization's list if projects have none, and the plan is empty", async () => {
  const space = await lacking(/\/projects\/\d+\/batch_exports\/?$/);
  const { code, stderr } = await space.run(["export", "--out", "live"]);
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("route_missing") as string });
  const file = join(space.folder, "live/acme-inc/organization.yaml");
  expect(await readFile(file, "utf8")).toContain("name: Events");
  expect(await space.run(["plan", "live", "--detailed-exitcode"])).toMatchObject({ code: 0 });
});

it.each([
  ["one project alone lacks the list", /\/projects\/3\/batch_exports\/?$/],
  ["the organization's list is not there either", /\/batch_exports\/?$/],
  ["a list is missing that the interface shows", /\/projects\/\d+\/insights\/?$/],
])("export is an error if %s", async (_, path) => {
  const { run } = await lacking(path);
  const { code, stderr } = await run(["export", "--out", "live"]);
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.not.stringContaining("route_missing") as string });
  expect(stderr).toContain("unreadable");
});

it("the profile document requests only lists of the interface document, without a diagnostic", async () => {
  const space = await workspace({ seed: SEED });
  const { code, stdout, stderr } = await space.run(["export", "--profile", "document"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringMatching(/warning|error/) as string });
  expect(stdout).toContain("name: Events");
  const paths = space.emulator.requests.map(({ path }) => path);
  expect(paths.filter((path) => /projects\/\d+\/batch_exports/.test(path))).toEqual([]);
});
