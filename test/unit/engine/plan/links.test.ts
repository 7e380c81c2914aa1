import { describe, expect, it } from "vitest";
import { addLinks } from "../../../../src/engine/plan/links.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import type { LiveWorld } from "../../../../src/model/live.ts";
import { declare, live, plan } from "../../plan/world.ts";

const ROW = { id: 7, short_id: "abcdefgh", name: "A", description: "b" };
const A = declare("acme/projects/web/insights/a", { name: "A", description: "a" });
const listed = (row: JsonObject = ROW): LiveWorld => live({}, { "insights.list": [row] });

function linkOf(world: LiveWorld, resource = A): string | undefined {
  return addLinks(plan([resource], world), world, "https://key:secret@analytics.example/base/").changes[0]?.link;
}

describe("the link of a change", () => {
  it("leads to the page of the object, without credentials", () => {
    expect(linkOf(listed())).toBe("https://analytics.example/base/project/2/insights/abcdefgh");
  });

  it.each<[string, LiveWorld, typeof A]>([
    ["nothing differs", listed({ ...ROW, description: "a" }), A],
    ["the object does not exist yet", live({}, { "insights.list": [] }), A],
    ["the object has no id for its page", listed({ ...ROW, short_id: null }), A],
    ["the object is deleted", listed({ ...ROW, deleted: true }), { ...A, pin: { field: "id", value: "7" } }],
    [
      "the kind has no page",
      live({ "domains.list": [{ id: "d", domain: "a.com", jit_provisioning_enabled: true }] }),
      declare("acme/domains/a", { domain: "a.com", jit_provisioning_enabled: false }),
    ],
  ])("is absent if %s", (_name, world, resource) => {
    expect(linkOf(world, resource)).toBeUndefined();
  });
});
