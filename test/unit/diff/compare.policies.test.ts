/** Every policy does what it promises: without code behind it, `explain` would describe an equivalence that does not exist. */
import { describe, expect, it } from "vitest";
import { compare } from "../../../src/diff/compare.ts";
import type { Policy } from "../../../src/kinds/comparison.ts";
import type { Kind } from "../../../src/kinds/kind.ts";
import { kinds } from "../../../src/kinds/registry.ts";
import type { JsonObject } from "../../../src/model/json/json.ts";

interface PolicyRow {
  /** A kind that has the policy at the declared field. */
  readonly kind: Kind;
  readonly declared: JsonObject;
  /** A live object that is equal only because of the policy. */
  readonly equal: JsonObject;
  /** A live object that the policy does not excuse. */
  readonly different: JsonObject;
}

const destination = (batch: number | string): JsonObject => ({
  destination: { type: "BigQuery", config: { use_json_type: batch } },
});
const node = (version: number, event: string): JsonObject => ({ query: { kind: "EventsNode", version, event } });

/** A new policy needs a row. Without one, this file does not compile. */
const POLICIES: Readonly<Record<Policy, PolicyRow>> = {
  lower_case: {
    kind: kinds.domain,
    declared: { domain: "Acme.com" },
    equal: { domain: "acme.com" },
    different: { domain: "acme.org" },
  },
  blank_is_null: {
    kind: kinds.insight,
    declared: { description: "" },
    equal: { description: null },
    different: { description: "x" },
  },
  null_is_default: {
    kind: kinds.batch_export,
    declared: { offset_day: null },
    equal: { offset_day: 0 },
    different: { offset_day: 1 },
  },
  scalars_as_strings: {
    kind: kinds.batch_export,
    declared: destination(7),
    equal: destination("7"),
    different: destination("8"),
  },
  absent_is_unknown: {
    kind: kinds.pipeline_destination,
    declared: { url: "https://a.com/x" },
    equal: { url: null },
    different: { url: "https://a.com/y" },
  },
  ignore_version: { kind: kinds.insight, declared: node(1, "a"), equal: node(2, "a"), different: node(1, "b") },
  without_query_string: {
    kind: kinds.pipeline_destination,
    declared: { url: "https://a.com/x?token=1" },
    equal: { url: "https://a.com/x" },
    different: { url: "https://a.com/y?token=1" },
  },
  without_end_slashes: {
    kind: kinds.identity_provider_config,
    declared: { saml_acs_url: "https://a.com/x/" },
    equal: { saml_acs_url: "https://a.com/x" },
    different: { saml_acs_url: "https://a.com/y" },
  },
};

describe.each(Object.entries(POLICIES))("the policy %s", (name, { kind, declared, equal, different }) => {
  const without: Kind = {
    ...kind,
    comparison: {
      ...kind.comparison,
      policies: Object.fromEntries(
        Object.entries(kind.comparison?.policies ?? {}).map(([path, policies]) => [
          path,
          policies.filter((policy) => policy !== name),
        ]),
      ),
    },
  };

  it("makes two forms of a value equal", () => {
    expect(compare(kind, declared, equal)).toEqual([]);
    expect(compare(without, declared, equal), "equal without it: the schema or another policy covers it").not.toEqual(
      [],
    );
  });

  it("does not make other values equal", () => {
    expect(compare(kind, declared, different)).not.toEqual([]);
  });
});
