/**
 * The inputs of an object that a state does not hold yet.
 *
 * Premise: the inputs of an import become a program, so they are what an export would write: without values that the
 * service never shows, without secrets, and without defaults. They pass the same checks as the inputs of a program, so
 * that the next preview shows no change.
 */
import { exportResources } from "../../export/resources.ts";
import { ExportSession } from "../../export/session.ts";
import { type Declaration, PULUMI_SECRETS, toDeclaration } from "../../export/pulumi/declaration.ts";
import type { ExportedResource } from "../../export/types.ts";
import { declarableFields } from "../../kinds/fields.ts";
import type { Kind } from "../../kinds/kind.ts";
import type { Json } from "../../model/json/json.ts";
import type { LiveObject } from "../../model/live.ts";
import { filterKeys } from "../../model/json/object.ts";
import { outputs } from "../properties/outputs.ts";
import { MARK, parseDeclared, type Properties } from "../properties/properties.ts";
import type { FoundObject, ReadResult } from "../provider/calls.ts";
import { isKeyedByEmail } from "../../kinds/registry.ts";

/**
 * The inputs and outputs of an imported resource.
 *
 * @param warn takes what no program can declare of it
 * @throws Error if no program could declare it
 */
export async function importState(
  kind: Kind,
  object: FoundObject,
  place: Properties,
  warn: (text: string) => Promise<void>,
): Promise<ReadResult> {
  const { declaration, reasons } = declare(kind, object, place);
  if (declaration === undefined)
    throw new Error(`the ${kind.name} ${object.live.id} cannot be imported: ${reasons.join("; ")}`);
  for (const reason of reasons) await warn(`the ${kind.name} ${object.live.id}: ${reason}`);
  const { id, inputs } = declaration;
  // The mark lets a resource that is later renamed in the program keep its object.
  return { id, inputs, props: outputs(kind, inputs, object.row, { [MARK]: "imported" }) };
}

/** The inputs that an import of the object would have. Undefined if no program could declare it. */
export function importInputs(kind: Kind, object: FoundObject, place: Properties): Properties | undefined {
  return declare(kind, object, place).declaration?.inputs;
}

/** The object as a program would declare it, or why none could. */
function declare(
  kind: Kind,
  { live, isSecret }: FoundObject,
  place: Properties,
): { readonly declaration: Declaration | undefined; readonly reasons: readonly string[] } {
  const session = new ExportSession({ ids: true, isSecret }, PULUMI_SECRETS);
  const { scope } = parseDeclared(kind, place);
  const exported = isKeyedByEmail(kind.name)
    ? exportPerson(kind, live, scope)
    : exportResources([live], scope, session)[0];
  const parent = filterKeys(place, (name) => name !== "email");
  return {
    declaration: exported === undefined ? undefined : toDeclaration(exported, parent, session),
    reasons: session.diagnostics.map(({ message }) => message),
  };
}

/** A resource that an e-mail identifies. It has no name, and its fields are levels. */
function exportPerson(kind: Kind, live: LiveObject, address: string): ExportedResource {
  const fields = declarableFields(kind.name).flatMap((field): [string, Json][] => {
    const value = live.values[field] ?? null;
    return value === null ? [] : [[field, value]];
  });
  return { live, kind: kind.name, name: live.keys[0] ?? live.id, address, fields: Object.fromEntries(fields) };
}
