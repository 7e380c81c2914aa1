import { isSecretField, kindSchema, type FieldSchema } from "../../../kinds/fields.ts";
import type { Kind, Target } from "../../../kinds/kind.ts";
import { allKinds } from "../../../kinds/registry.ts";
import type { FieldExplanation, KindExplanation } from "../../../model/explain.ts";
import { suggest } from "../../../model/suggest.ts";
import { renderExplain, type Format } from "../../../report/index.ts";
import { EXIT, type ExitCode } from "../../exit-codes.ts";
import { policiesOf } from "./policies.ts";
import { failure } from "../../failure.ts";
import { printResult } from "../../output.ts";
import type { Runtime } from "../../runtime.ts";

/** `driftline explain KIND`: explains the fields of a kind, and how driftline creates, changes and removes its objects. */
export function explainCommand(
  runtime: Runtime,
  name: string,
  options: { readonly format: Exclude<Format, "html"> },
): Promise<ExitCode> {
  const kind = allKinds.find((one) => one.name === name || one.collection === name);
  if (kind === undefined) {
    const names = allKinds.map((one) => one.name);
    const close = suggest(name, names);
    throw failure(
      EXIT.invalid,
      "unknown_kind",
      `there is no kind ${JSON.stringify(name)}`,
      close === undefined ? `The kinds are ${names.join(", ")}.` : `Did you mean ${close}?`,
    );
  }
  printResult(runtime, options.format, renderExplain(explain(kind), options.format, { color: runtime.color.stdout }));
  return Promise.resolve(EXIT.ok);
}

/** Describes a kind from its schema and its descriptor. */
export function explain(kind: Kind): KindExplanation {
  const schema = kindSchema(kind.name);
  return {
    type: "driftline.explanation",
    schema_version: 1,
    name: kind.name,
    title: schema.title,
    description: schema.description,
    collection: kind.requiresExplicitCreate === true ? "" : kind.collection,
    scopes: kind.scopes,
    natural_key:
      kind.keyedBy === undefined ? kind.keyFields.join(", else ") : `the ${kind.keyedBy} that it is declared under`,
    pins: schema["x-pins"],
    operations: operationsOf(kind),
    created: describeCreate(kind),
    changed: describeChange(kind),
    removed: describeRemoval(kind),
    policies: policiesOf(kind),
    fields: fieldsOf(schema, ""),
  };
}

function targetsOf(kind: Kind): readonly Target[] {
  return kind.scopes.map((scope) => kind.target(scope, { id: "", parts: { member: "", invites: [""] } }));
}

function operationsOf(kind: Kind): readonly string[] {
  const names = targetsOf(kind).flatMap((target, index) => {
    const scope = kind.scopes[index] ?? "organization";
    const calls = [kind.create?.(scope, {}, ""), target.get, target.update?.({}), ...target.remove, target.restore];
    const moves = Object.values(target.transition?.operations ?? {});
    return [...kind.lists(scope), ...calls.flatMap((call) => call?.operation ?? []), ...moves];
  });
  return [...new Set(names)];
}

function describeCreate(kind: Kind): string {
  if (kind.create === undefined) return "never: an existing object is adopted, a missing one is an error";
  if (kind.requiresExplicitCreate === true) return "only with lifecycle.create: true";
  const first = targetsOf(kind)[0]?.transition;
  const moved =
    first === undefined
      ? ""
      : `, with ${first.field}: ${String(first.createAs)}, which is then set to the declared value`;
  return `if no object has its natural key${moved}${kind.createNote === undefined ? "" : ` (${kind.createNote})`}`;
}

function describeChange(kind: Kind): string {
  if (targetsOf(kind).every(({ update }) => update === undefined)) return "never: a difference replaces the object";
  const parts =
    kind.derived === true
      ? "a member is changed in place, a pending invite is replaced"
      : "with one PATCH of the fields that differ";
  return kind.restorable === true ? `${parts}; a deleted object is restored if its id is pinned` : parts;
}

function describeRemoval(kind: Kind): string {
  const how = kind.restorable === true ? "softly, so it can be restored" : "permanently";
  const lock = kind.requiresExplicitCreate === true ? ", and only with --confirm-organization NAME" : "";
  return `${how}${lock}; only if it is declared absent, or undeclared in an exclusive collection and --prune is given`;
}

function fieldsOf(
  schema: FieldSchema & { readonly required?: readonly string[] },
  prefix: string,
): readonly FieldExplanation[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const own = fieldOf(`${prefix}${name}`, field, schema.required?.includes(name) === true);
    return field.readOnly === true ? [own] : [own, ...fieldsOf(field, `${prefix}${name}.`)];
  });
}

function fieldOf(name: string, field: FieldSchema, required: boolean): FieldExplanation {
  const types = field.type === undefined ? ["object"] : typeof field.type === "string" ? [field.type] : field.type;
  return {
    name,
    type: types.join(" or "),
    required,
    writable: field.readOnly !== true && field["x-undeclarable"] !== true,
    secret: isSecretField(field),
    immutable: field["x-immutable"] === true,
    unordered: field["x-unordered"] === true,
    deprecated: field.deprecated === true,
    default: field.default,
    values: field.enum ?? [],
    names: field["x-names"],
    ...splitSources(field.description ?? ""),
  };
}

/** Splits a description from its sources, which stand at its end. */
function splitSources(text: string): Pick<FieldExplanation, "description" | "sources"> {
  const sources = /\s*\b(Interface: [^.]+|Server facts)\./g;
  return {
    description: text.replaceAll(sources, "").trim(),
    sources: [...text.matchAll(sources)].map(([, source = ""]) => source),
  };
}
