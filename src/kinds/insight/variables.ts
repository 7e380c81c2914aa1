import { isValueObject, own, type Value, type ValueObject } from "../../model/json/json.ts";
import { pointer } from "../../model/pointer.ts";

/**
 * JSON Pointers of the declared SQL variables that a read by id leaves out: the project does not have them. One that was made anew
 * has another id there, and the same `code_name`.
 */
export function missingVariables(declared: ValueObject, shown: ValueObject): readonly string[] {
  const known = variablesOf(shown);
  const names = new Set(Object.values(known).map(codeName));
  const above = isBare(declared) ? ["query"] : ["query", "source"];
  return Object.entries(variablesOf(declared)).flatMap(([id, variable]) =>
    Object.hasOwn(known, id) || names.has(codeName(variable)) ? [] : [pointer(...above, "variables", id)],
  );
}

function isBare(values: ValueObject): boolean {
  return !Object.hasOwn(memberOf(values, "query"), "source");
}

function variablesOf(values: ValueObject): ValueObject {
  const query = memberOf(values, "query");
  return memberOf(isBare(values) ? query : memberOf(query, "source"), "variables");
}

function memberOf(value: ValueObject, key: string): ValueObject {
  const member = own(value, key);
  return isValueObject(member) ? member : {};
}

function codeName(variable: Value): Value | undefined {
  return isValueObject(variable) ? own(variable, "code_name") : undefined;
}
