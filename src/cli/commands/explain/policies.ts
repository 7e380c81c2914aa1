import { own } from "../../../model/json.ts";
import { declarableFields, kindSchema, typesOf } from "../../../kinds/fields.ts";
import type { Policy } from "../../../kinds/comparison.ts";
import type { Kind } from "../../../kinds/kind.ts";
import type { PolicyExplanation } from "../../../model/explain.ts";

/** What each policy treats as equal. */
const POLICY_MEANING: Readonly<Record<Policy, string>> = {
  lower_case: "upper and lower case",
  blank_is_null: "an empty value and null",
  null_is_default: "null and the default",
  scalars_as_strings: '7 and "7", true and "True"',
  absent_is_unknown: "any value and one that the service does not return",
  ignore_version: "all values of a `version` key, which the service sets",
  without_query_string: "URLs that differ only in their query string",
  without_end_slashes: "URLs that differ only in slashes at the end",
};

/** What the schema of a field implies, for every kind. */
const SCHEMA_MEANING = {
  trimmed: "texts that differ only in surrounding white space",
  time_zone: "the same time in different time zones",
  unordered: "lists with the same elements, in any order and number",
  declared_keys: "objects that differ only in undeclared keys or in the order of keys",
  key_order: "objects that differ only in the order of keys, or in keys that are null",
} as const;

/** Lists which values of each field count as equal, by the policies of the kind and by its schema. */
export function policiesOf(kind: Kind): readonly PolicyExplanation[] {
  const mine = Object.entries(kind.comparison.policies ?? {}).map(([path, policies]): PolicyExplanation => ({
    path,
    policies,
    meaning: policies.map((policy) => POLICY_MEANING[policy]),
  }));
  const implied = declarableFields(kind.name).flatMap((field) => bySchema(kind, field));
  const paths = [...new Set([...implied, ...mine].map(({ path }) => path))];
  return paths.map((path) => {
    const all = [...implied, ...mine].filter((one) => one.path === path);
    return {
      path,
      policies: all.flatMap(({ policies }) => policies),
      meaning: all.flatMap(({ meaning }) => meaning),
    };
  });
}

function bySchema(kind: Kind, field: string): readonly PolicyExplanation[] {
  const schema = own(kindSchema(kind.name).properties, field);
  const isWhole = kind.comparison.wholeFields?.includes(field) === true;
  const types = typesOf(schema);
  const isText = types.includes("string") && schema?.enum === undefined;
  const names = [
    ...(isText && schema?.format !== "date-time" ? (["trimmed"] as const) : []),
    ...(schema?.format === "date-time" ? (["time_zone"] as const) : []),
    ...(schema?.["x-unordered"] === true ? (["unordered"] as const) : []),
    ...(types.includes("object") ? [isWhole ? ("key_order" as const) : ("declared_keys" as const)] : []),
  ];
  return names.length === 0
    ? []
    : [{ path: `/${field}`, policies: names, meaning: names.map((name) => SCHEMA_MEANING[name]) }];
}
