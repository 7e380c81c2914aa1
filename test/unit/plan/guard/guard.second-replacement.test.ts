import { liftOf } from "../../../support/lift.ts";
import { expect, it } from "vitest";
import type { Blocked } from "../../../../src/model/change.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import type { Resource } from "../../../../src/model/resource.ts";
import { declare, live, plan } from "../world.ts";

const VALUES = { name: "E", interval: "hour", paused: false };
const HTTP = { type: "HTTP", config: { url: "https://a.com" } };
const OLD = { id: "old", ...VALUES, schema: null, destination: { type: "NoOp", config: {} } };
const NEW = { id: "new", ...VALUES, paused: true, destination: HTTP };
const E = "acme/batch_exports/e";

function declared(address: string, id: string, more: JsonObject = {}): Resource {
  return { ...declare(address, { ...VALUES, destination: HTTP, ...more }), pin: { field: "id", value: id } };
}

function blockOf(resources: readonly Resource[], rows: readonly JsonObject[]): Blocked | null | undefined {
  const { changes } = plan(resources, live({ "batch_exports.list": rows }));
  expect(changes.find(({ address }) => address === E)?.action).toBe("replace");
  return changes.find(({ address }) => address === E)?.blocked;
}

it("a replace is refused while an undeclared object has the name of the replacement, and both are named", () => {
  const blocked = blockOf([declared(E, "old")], [OLD, NEW]);
  expect(blocked?.rule).toBe("replacement_exists");
  expect(liftOf(blocked)).toMatch(/new.*old/u);
  // What it looks like proves nothing.
  expect(blockOf([declared(E, "old")], [OLD, { ...NEW, interval: "day" }])?.rule).toBe("replacement_exists");
});

it("every other object with the name is named once, however they are in the lists", () => {
  const blocked = blockOf([declared(E, "old")], [OLD, NEW, { ...NEW, id: "newer" }]);
  expect(liftOf(blocked)).toMatchSnapshot("sentence");
});

it("a replace is refused although a prune removes the other object, which may be the one that is needed", () => {
  const exclusive = [{ scope: "acme", kind: "batch_export" }] as const;
  const { changes } = plan(
    [declared(E, "old")],
    live({ "batch_exports.list": [OLD, NEW] }),
    { prune: true },
    { exclusive },
  );
  expect(changes.find(({ address }) => address === E)?.blocked?.rule).toBe("replacement_exists");
});

it("a replace goes ahead if the other object is declared as well, or has another name", () => {
  const other = declared("acme/batch_exports/other", "new", { paused: true });
  expect(blockOf([declared(E, "old"), other], [OLD, NEW])).toBeNull();
  expect(blockOf([declared(E, "old")], [OLD, { ...NEW, name: "F" }])).toBeNull();
});

it("no other change is refused because of it", () => {
  const pinned = (more: JsonObject, lifecycle = {}) => ({
    ...declare(E, { ...VALUES, ...more }, { lifecycle }),
    pin: { field: "id", value: "old" },
  });
  for (const [resource, action] of [
    [pinned({ interval: "day" }), "update"],
    [pinned({}, { state: "absent" }), "delete"],
  ] as const)
    expect(plan([resource], live({ "batch_exports.list": [OLD, NEW] })).changes).toMatchObject([
      { action, blocked: null },
    ]);
});

it("a rename with a replace looks for the new name", () => {
  const renamed = declared(E, "old", { name: "F" });
  expect(blockOf([renamed], [OLD, { ...NEW, name: "F" }])?.rule).toBe("replacement_exists");
  expect(blockOf([renamed], [OLD, NEW])).toBeNull();
});

it("one of several names is enough: a plugin is recognized by its url, whatever it is called", () => {
  const row = (id: number, url: string, name: string) => ({ id, url, name, plugin_type: "source" });
  const moved = declare(
    "acme/pipeline_destinations/p",
    { url: "https://a.b/new", name: "P", plugin_type: "source" },
    { pin: { field: "id", value: "1" } },
  );
  const ruleBeside = (other: JsonObject) => {
    const rows = [row(1, "https://a.b/old", "P"), other];
    const [change] = plan([moved], live({ "pipeline_destinations.list": rows })).changes;
    expect(change?.action).toBe("replace");
    return change?.blocked?.rule;
  };
  expect(ruleBeside(row(2, "https://a.b/new", "Q"))).toBe("replacement_exists");
  expect(ruleBeside(row(2, "https://a.b/other", "Q"))).toBeUndefined();
});

it("an invite is removed before its replacement is sent, so another one with its e-mail is none of an earlier run", () => {
  const row = { target_email: "bob@acme.com", first_name: "Bob", level: 1, message: null };
  const rows = [
    { id: "old", ...row },
    { id: "new", ...row, level: 8 },
  ];
  const resource = declare("acme/invites/bob@acme.com", { target_email: "bob@acme.com", level: 8 });
  const pinned = { ...resource, pin: { field: "id", value: "old" } };
  const [change] = plan([pinned], live({ "invites.list": rows })).changes;
  expect(change).toMatchObject({ action: "replace", blocked: null });
});

it.each([
  ["another open invite", { "invites.list": [{ id: "new", target_email: "eve@acme.com", level: 1 }] }],
  ["a member", { "members.list": [{ id: "m", level: 1, user: { uuid: "u", email: "eve@acme.com" } }] }],
])(
  "the e-mail of a pinned invite may be changed to one that %s has: nobody is to be removed for it",
  (_who, others) => {
    const resource = declare("acme/invites/x", { target_email: "eve@acme.com", level: 1 });
    const rows = { "members.list": [], ...others };
    const row = { id: "old", target_email: "bob@acme.com", level: 1 };
    const invites = "invites.list" in others ? [row, ...others["invites.list"]] : [row];
    const world = live({ ...rows, "invites.list": invites });
    const { changes } = plan([{ ...resource, pin: { field: "id", value: "old" } }], world);
    expect(changes).toMatchObject([{ action: "replace", blocked: null }]);
  },
);
