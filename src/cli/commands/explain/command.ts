import { isSecretField, kindSchema, type FieldSchema } from "../../../kinds/fields.ts";
import type { Kind, Target } from "../../../kinds/kind.ts";
import { allKinds } from "../../../kinds/registry.ts";
import type { FieldExplanation, KindExplanation } from "../../../model/explain.ts";
import { suggest } from "../../../model/suggest.ts";
import { renderExplain } from "../../../report/index.ts";
import { EXIT, type ExitCode } from "../../exit-codes.ts";
import { policiesOf } from "./policies.ts";
import { failure } from "../../failure.ts";
import type { FormatOptions } from "../../options.ts";
import { printResult } from "../../output.ts";
import type { Runtime } from "../../runtime.ts";

/** `driftline explain KIND`: its fields, and what driftline does with it. */
export function explainCommand(runtime: Runtime, name: string, options: FormatOptions): Promise<ExitCode> {
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

/** Everything about a kind that its schema and its descriptor say. */
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
    created: createdWords(kind),
    changed: changedWords(kind),
    removed: removedWords(kind),
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

function createdWords(kind: Kind): string {
  if (kind.create === undefined) return "never: it is adopted where it is there, and an error where it is not";
  if (kind.requiresExplicitCreate === true) return "only with lifecycle.create: true";
  const first = targetsOf(kind)[0]?.transition;
  const moved =
    first === undefined
      ? ""
      : ` with ${first.field}: ${String(first.createAs)}, and moved to the declared value once it is there`;
  return `where no object has its natural key${moved}${kind.createNote === undefined ? "" : ` (${kind.createNote})`}`;
}

function changedWords(kind: Kind): string {
  if (targetsOf(kind).every(({ update }) => update === undefined))
    return "it cannot be changed: a difference is a replace";
  const parts =
    kind.derived === true
      ? "a member is changed in place, a pending invite is replaced"
      : "by one PATCH of the fields that differ";
  return kind.restorable === true ? `${parts}; a pinned one that is gone is restored` : parts;
}

function removedWords(kind: Kind): string {
  const how = kind.restorable === true ? "softly: it can be restored" : "for good";
  const lock = kind.requiresExplicitCreate === true ? ", and only with --confirm-organization NAME" : "";
  return `${how}${lock}; only where declared absent, or undeclared, exclusive and --prune`;
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
    ...described(field.description ?? ""),
  };
}

/** Descriptions end with where each fact comes from. */
function described(text: string): Pick<FieldExplanation, "description" | "sources"> {
  const sources = /\s*\b(Interface: [^.]+|Server facts)\./g;
  return {
    description: text.replaceAll(sources, "").trim(),
    sources: [...text.matchAll(sources)].map(([, source = ""]) => source),
  };
}
