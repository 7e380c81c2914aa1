import { declarableFields, kindSchema, type FieldSchema } from "../../../kinds/fields.ts";
import type { Kind, Policy } from "../../../kinds/kind.ts";
import type { PolicyExplanation } from "../../../model/explain.ts";

/** What each policy takes for no difference, in words. */
const WORDS: Readonly<Record<Policy, string>> = {
  lower_case: "capital and small letters",
  blank_is_null: "an empty text and null",
  scalars_as_strings: '7 and "7", true and "True"',
  absent_is_unknown: "a value that is not shown",
  ignore_version: "the keys called version, which are the service's",
  without_query_string: "what follows the ? of a URL",
  generated_query: "no filters, but a query that the service has generated from them",
};

/** What follows from the schema of a field, for every kind alike. */
const BY_SCHEMA = {
  trimmed: "white space around the text",
  time_zone: "the time zone that a time is written in",
  unordered: "the order of the elements, and how often each is there",
  declared_keys: "keys that are not declared, and the order of keys",
} as const;

/** What is no difference in which field: by the kind's own policies, and by what its schema says. */
export function policiesOf(kind: Kind): readonly PolicyExplanation[] {
  const { properties } = kindSchema(kind.name);
  const own = Object.entries(kind.policies).map(([path, policies]): PolicyExplanation => ({
    path,
    policies,
    meaning: policies.map((policy) => WORDS[policy]),
  }));
  const implied = declarableFields(kind.name).flatMap((field) => bySchema(`/${field}`, properties[field]));
  const paths = [...new Set([...implied, ...own].map(({ path }) => path))];
  return paths.map((path) => {
    const all = [...implied, ...own].filter((one) => one.path === path);
    return {
      path,
      policies: all.flatMap(({ policies }) => policies),
      meaning: all.flatMap(({ meaning }) => meaning),
    };
  });
}

function bySchema(path: string, schema: FieldSchema | undefined): readonly PolicyExplanation[] {
  const types = schema?.type === undefined ? [] : [schema.type].flat();
  const isText = types.includes("string") && schema?.enum === undefined;
  const names = [
    ...(isText && schema?.format !== "date-time" ? (["trimmed"] as const) : []),
    ...(schema?.format === "date-time" ? (["time_zone"] as const) : []),
    ...(schema?.["x-unordered"] === true ? (["unordered"] as const) : []),
    ...(types.includes("object") ? (["declared_keys"] as const) : []),
  ];
  return names.length === 0 ? [] : [{ path, policies: names, meaning: names.map((name) => BY_SCHEMA[name]) }];
}
