import { expect, it } from "vitest";
import type { Action, Change } from "../../../../src/model/change.ts";
import type { KindName } from "../../../../src/model/kind-name.ts";
import { inRemovalOrder } from "../../../../src/apply/schedule/removal-order.ts";

const step = (action: Action, address: string, kind: KindName = "domain") => ({
  change: { action, address, kind } as Change,
});

it("replaces come before removals, children before parents, what may refer to others first, and equals run together", () => {
  const steps = [
    step("delete", "acme"),
    step("replace", "acme/domains/d"),
    step("delete", "acme/projects/web/insights/b"),
    step("delete", "acme/domains/e"),
    step("delete", "acme/identity_provider_configs/o", "identity_provider_config"),
    step("delete", "acme/projects/web/insights/a"),
    step("replace", "acme/projects/web/batch_exports/x"),
  ];
  const order = inRemovalOrder(steps).map((group) => group.map(({ change }) => `${change.action} ${change.address}`));
  expect(order).toEqual([
    ["replace acme/projects/web/batch_exports/x"],
    ["replace acme/domains/d"],
    ["delete acme/projects/web/insights/b", "delete acme/projects/web/insights/a"],
    ["delete acme/identity_provider_configs/o"],
    ["delete acme/domains/e"],
    ["delete acme"],
  ]);
});

it("of nothing is nothing", () => {
  expect(inRemovalOrder([])).toEqual([]);
});
