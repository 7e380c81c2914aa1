import { isUnknownField } from "../../kinds/unknown-fields.ts";
import { EXTRA_FIELDS } from "../../model/extra-fields.ts";
import { own } from "../../model/json/json.ts";
import { lifecycleSchema, schemas } from "../../generated/schemas.ts";
import type { ProblemDetail } from "../problems.ts";
import { mapMembers, type Member } from "../tree/tree.ts";
import { undeclarable } from "../unknown-keys.ts";
import type { ResourceDraft } from "./declarations.ts";
import { isPin } from "./validate.ts";
import { collectionOf } from "../../kinds/registry.ts";

/** The members of `extra_fields`: fields that driftline has no name for. Those with an error are reported and left out. */
export function extraFields(draft: ResourceDraft): ReadonlyMap<string, Member> {
  const declared = draft.members.get(EXTRA_FIELDS);
  return new Map(
    [...(declared ? (mapMembers(declared.value) ?? []) : [])].filter(([name, member]) => {
      const problem = extraFieldProblem(name, draft);
      if (problem !== undefined) draft.problems.error(member, problem);
      return problem === undefined;
    }),
  );
}

/** Why a field does not belong under `extra_fields`, with the place where it does. */
function extraFieldProblem(name: string, draft: ResourceDraft): ProblemDetail | undefined {
  const { kind, otherKeys } = draft;
  const message = `${name} does not belong under ${EXTRA_FIELDS}`;
  if ([EXTRA_FIELDS, "lifecycle", ...otherKeys].includes(name))
    return { code: "known_field", message, hint: `Write ${name} one level higher.` };
  if (own(lifecycleSchema.properties, name) !== undefined)
    return { code: "known_field", message, hint: `Write it as lifecycle: { ${name}: ... }.` };
  if (isUnknownField(kind.name, name)) return undefined;
  const schema = own(schemas[kind.name].properties, name);
  const problem = isPin(draft, name) ? undefined : undeclarable(name, schema);
  const hint = `driftline knows it as a field of ${collectionOf(kind.name)}: write it one level higher, beside ${EXTRA_FIELDS}.`;
  return problem ?? { code: "known_field", message, hint };
}
