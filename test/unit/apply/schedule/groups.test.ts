import { expect, it } from "vitest";
import { inGroups } from "../../../../src/apply/schedule/groups.ts";
import type { PrerequisitesOf } from "../../../../src/apply/schedule/prerequisites.ts";
import type { Action, Change } from "../../../../src/model/change.ts";
import type { KindName } from "../../../../src/model/kind-name.ts";

const change = (action: Action, address: string, kind: KindName = "domain"): Change =>
  ({ action, address, kind, blocked: null }) as Change;

/** Each change as `action address`. @param waits what each change waits for, by addresses */
function groupsOf(changes: readonly Change[], waits: Readonly<Record<string, readonly string[]>> = {}) {
  const prerequisitesOf: PrerequisitesOf = ({ address }) =>
    changes
      .filter((other) => waits[address]?.includes(other.address))
      .map((other) => ({ change: other, isAwaited: true, refusal: () => undefined }));
  const groups = inGroups({ changes } as never, prerequisitesOf);
  return groups.map((group) => group.map(({ action, address }) => `${action} ${address}`));
}

it("replaces come before removals, children before parents, what may refer to others first, and equals run together", () => {
  const changes = [
    change("delete", "acme"),
    change("replace", "acme/projects/web/insights/c", "insight"),
    change("delete", "acme/projects/web/insights/b", "insight"),
    change("delete", "acme/domains/e"),
    change("delete", "acme/identity_provider_configs/o", "identity_provider_config"),
    change("delete", "acme/projects/web/insights/a", "insight"),
    change("replace", "acme/projects/web/batch_exports/x", "batch_export"),
    change("replace", "acme/batch_exports/y", "batch_export"),
    change("create", "acme/domains/new"),
  ];
  expect(groupsOf(changes)).toEqual([
    ["create acme/domains/new"],
    ["replace acme/projects/web/insights/c", "replace acme/projects/web/batch_exports/x"],
    ["replace acme/batch_exports/y"],
    ["delete acme/projects/web/insights/b", "delete acme/projects/web/insights/a"],
    ["delete acme/identity_provider_configs/o"],
    ["delete acme/domains/e"],
    ["delete acme"],
  ]);
});

it("what waits for a last step comes right after it, one by one, and before the other last steps", () => {
  const changes = [
    change("create", "b", "insight"),
    change("create", "c", "insight"),
    change("create", "d", "insight"),
    change("delete", "old", "insight"),
    change("delete", "other", "insight"),
    change("replace", "taken", "insight"),
  ];
  expect(groupsOf(changes, { c: ["b"], b: ["taken"], taken: ["old"] })).toEqual([
    ["create d"],
    ["delete old"],
    ["replace taken"],
    ["create b"],
    ["create c"],
    ["delete other"],
  ]);
});

it("nothing waits for a removal that is blocked", () => {
  const blocked: Change = { ...change("delete", "old"), blocked: { rule: "protect", lift: "" } };
  expect(groupsOf([change("create", "new"), blocked], { new: ["old"] })).toEqual([["create new", "delete old"]]);
});

it("of nothing is one empty group", () => {
  expect(groupsOf([])).toEqual([[]]);
});
