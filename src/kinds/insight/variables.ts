import { isValueObject, own, pointer, type Value, type ValueObject } from "../../model/json.ts";

/**
 * JSON Pointers of the declared SQL variables that a read by id leaves out: the project does not have them. One that was made anew
 * has another id there, and the same `code_name`.
 */
export function missingVariables(declared: ValueObject, shown: ValueObject): readonly string[] {
  const known = variablesOf(shown);
  const names = new Set(Object.values(known).map(codeName));
  return Object.entries(variablesOf(declared)).flatMap(([id, variable]) =>
    Object.hasOwn(known, id) || names.has(codeName(variable)) ? [] : [pointer("query", "source", "variables", id)],
  );
}

function variablesOf(values: ValueObject): ValueObject {
  return memberOf(memberOf(memberOf(values, "query"), "source"), "variables");
}

function memberOf(value: ValueObject, key: string): ValueObject {
  const member = own(value, key);
  return isValueObject(member) ? member : {};
}

function codeName(variable: Value): Value | undefined {
  return isValueObject(variable) ? own(variable, "code_name") : undefined;
}
