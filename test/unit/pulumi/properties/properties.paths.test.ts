import { expect, it } from "vitest";
import { kinds } from "../../../../src/kinds/registry.ts";
import { interfaceKeys, propertyPath } from "../../../../src/pulumi/properties/properties.ts";

const QUERY = { query: { source: { limits: [1, 2], 7: "a", "a.b": true } } };

it.each([
  [["query", "source", "limits", "1"], QUERY, "query.source.limits[1]"],
  [["query", "source", "7"], QUERY, 'query.source["7"]'],
  [["query", "source", "a.b"], QUERY, 'query.source["a.b"]'],
  [["query", "source", "series", "0"], undefined, "query.source.series[0]"],
  [["query", "*", "kind"], undefined, "query[*].kind"],
])("the path of %j in %j is %s", (keys, props, path) => {
  expect(propertyPath(keys, props)).toBe(path);
  expect(interfaceKeys(kinds.insight, path)).toEqual(keys);
});
