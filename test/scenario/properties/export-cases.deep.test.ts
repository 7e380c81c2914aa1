import { describe, expect, it } from "vitest";
import type { Seed, SeedOrganization } from "../../../src/emulator/index.ts";
import type { JsonObject } from "../../../src/emulator/json.ts";
import { contentsOf } from "./contents.ts";
import { must, mustBeEmpty, withWorld } from "./world.ts";

/**
 * What the random organizations leave out, since each of these would make their property fail as a whole. The fields of the copies
 * that an export without ids makes of some objects; the plan of it has to be empty.
 */
async function copied(objects: Partial<SeedOrganization>): Promise<readonly JsonObject[]> {
  const seed: Seed = { organizations: [{ name: "Acme Inc", ...objects }] };
  const text = await withWorld({ seed }, async (world) => (await must(world, ["export", "--no-ids"])).stdout);
  return withWorld({ seed: { organizations: [{ name: "Acme Inc" }] } }, async (world) => {
    await world.write("driftline.yaml", text);
    await must(world, ["apply", "--yes"]);
    await mustBeEmpty(world, []);
    const [organization] = world.emulator.find("organization");
    return contentsOf(world.emulator, String(organization?.id))
      .filter(({ kind }) => !["organization", "member"].includes(kind))
      .map(({ fields }) => fields);
  });
}

describe("an export without ids, applied to an empty organization", () => {
  const plugin = (more: object): JsonObject => ({ name: "Sink", plugin_type: "source", ...more });

  it.each(["config_schema", "capabilities", "metrics", "public_jobs"])(
    "reproduces null for %s of a plugin",
    async (field) => {
      const [copy] = await copied({ pipeline_destinations: [plugin({ [field]: null })] });
      expect(copy?.[field]).toBeNull();
    },
  );

  it("has an empty plan with two plugins of one name, where the one without a type is left out", async () => {
    const copies = await copied({
      pipeline_destinations: [plugin({ plugin_type: null, tag: "a" }), plugin({ tag: "b" })],
    });
    expect(copies).toMatchObject([{ name: "Sink", tag: "b" }]);
  });

  it("leaves out an address that has several invites", async () => {
    const invite = (text: string, created_at: string): JsonObject => ({
      target_email: "eve@acme.com",
      message: text,
      created_at,
    });
    const invites = [invite("a", "2030-01-02T00:00:00Z"), invite("b", "2030-01-01T00:00:00Z")];
    expect(await copied({ invites })).toEqual([]);
  });

  it("reproduces a query that merely mentions something hidden", async () => {
    const query = "select properties.hidden from events";
    const [copy] = await copied({ batch_exports: [{ name: "Events", hogql_query: query }] });
    expect(copy?.["hogql_query"]).toBe(query);
  });
});
