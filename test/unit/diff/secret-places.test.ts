/** Live values that may be a secret of the configuration are not shown. */
import { describe, expect, it } from "vitest";
import { Secret, type Value, type ValueObject } from "../../../src/model/json/json.ts";
import { SENSITIVE } from "../../../src/model/secret-values.ts";
import { withoutSecretsOf } from "../../../src/diff/secret-places.ts";

const SECRET = new Secret("${secret:X}");
const element = (event: string, more: ValueObject = {}): ValueObject => ({ event, ...more });

describe("a live value", () => {
  it.each<[name: string, declared: ValueObject, path: readonly string[], live: Value, shown: Value]>([
    ["in the place of a secret is concealed", { a: SECRET }, ["a"], "live", SENSITIVE],
    ["beside a secret is shown", { a: { b: SECRET, c: "x" } }, ["a", "c"], "live", "live"],
    [
      "of an element that moved is concealed at the key of a secret only",
      { list: [element("a", { name: SECRET }), element("b")] },
      ["list"],
      [element("b"), element("c", { name: "live" })],
      [element("b"), element("c", { name: SENSITIVE })],
    ],
    ["in a list of texts with a secret is concealed", { list: [SECRET, "a"] }, ["list", "1"], "live", SENSITIVE],
    ["that is declared openly is shown", { list: [SECRET, "a"] }, ["list"], ["a", "live"], ["a", SENSITIVE]],
    [
      "at a key that no element declares is concealed, also if it is a number, and a flag is shown",
      { list: [element("a", { name: SECRET })] },
      ["list", "0", "other"],
      { text: "live", number: 12_345_678, flag: true, none: null },
      { text: SENSITIVE, number: SENSITIVE, flag: true, none: null },
    ],
    [
      "of another node is concealed where the declared one has nothing open",
      { query: { kind: "B", source: { text: SECRET } } },
      ["query"],
      { kind: "A", text: "live" },
      { kind: "A", text: SENSITIVE },
    ],
    ["of a list without a secret is shown", { list: ["a"], other: SECRET }, ["list"], ["live"], ["live"]],
  ])("%s", (_name, declared, path, live, shown) => {
    expect(withoutSecretsOf(declared, path, live)).toEqual(shown);
  });
});
