import { EXTRA_FIELDS, EXTRA_FIELDS_DESCRIPTION } from "../../model/extra-fields.ts";
import { command, type Hint } from "../../model/command.ts";
import { kindSchema, type FieldSchema } from "../../kinds/fields.ts";
import type { Kind, Target } from "../../kinds/kind.ts";
import { allKinds } from "../../kinds/registry.ts";
import { type KindExplanation, type TopicExplanation, TOPICS } from "../../model/explain.ts";
import { suggest } from "../../model/suggest.ts";
import { renderExplain, renderKinds, renderTopic, type Format } from "../../report/index.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { fieldOf, fieldsOf } from "./explain/fields.ts";
import { policiesOf } from "./explain/policies.ts";
import { lifecycleFields, topicOf } from "./explain/topics.ts";
import { invalid } from "../failure.ts";
import { printResult } from "../terminal/output.ts";
import type { Runtime } from "../runtime.ts";

/**
 * `driftline explain [KIND[.FIELD]]`: lists the kinds, explains the fields of a kind and how driftline creates, changes and
 * removes its objects, or explains one field. What is no kind is a topic: `lifecycle` and `project`.
 */
export function explainCommand(
  runtime: Runtime,
  name: string | undefined,
  options: { readonly format: Exclude<Format, "html"> },
): Promise<ExitCode> {
  const view = { color: runtime.color.stdout, width: runtime.columns };
  const topic = name === undefined ? undefined : topicOf(name);
  if (name === undefined)
    printResult(runtime, options.format, renderKinds(allKinds.map(explain), options.format, view));
  else if (topic !== undefined) {
    if (options.format === "json") throw noJson(topic.name);
    printResult(runtime, options.format, renderTopic(topic, options.format, view));
  } else {
    const [explanation, field] = explanationOf(name);
    printResult(runtime, options.format, renderExplain(explanation, options.format, { ...view, field }));
  }
  return Promise.resolve(EXIT.ok);
}

/** A document is about a kind, and the keys of one kind are the same. */
function noJson(name: string): Error {
  const hint = name === "lifecycle" ? "Explain it as a part of a kind: insight.lifecycle." : "Leave out --format json.";
  return invalid("usage", `only kinds are explained as JSON, and ${name} is none`, hint);
}

/** The explanation of a kind, limited to a field if one is named. @throws Failure if there is no such kind or field */
function explanationOf(name: string): readonly [explanation: KindExplanation, field: string | undefined] {
  const [first = "", ...rest] = name.split(".");
  const kind = allKinds.find((one) => one.name === first || one.collection === first);
  if (first === "lifecycle") throw unknownField({ name: first, fields: lifecycleFields("") }, rest.join("."));
  if (kind === undefined) {
    const names = allKinds.map((one) => one.name);
    const close = suggest(first, [...names, ...TOPICS, ...allKinds.map(({ collection }) => collection)]);
    const named = `there is no kind ${JSON.stringify(first)}`;
    throw unknown("unknown_kind", named, close && [close, ...rest], `The kinds are ${names.join(", ")}.`);
  }
  const explanation = explain(kind);
  if (rest.length === 0) return [explanation, undefined];
  const field = rest.join(".");
  const fields = [...explanation.fields, ...lifecycleFields("lifecycle.")].filter(
    (one) => one.name === field || one.name.startsWith(`${field}.`),
  );
  if (fields.length === 0) throw unknownField(explanation, field);
  const policies = explanation.policies.filter(({ path }) => isWithin(path, `/${rest.join("/")}`));
  return [{ ...explanation, fields, policies }, field];
}

function isWithin(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}/`);
}

function unknownField({ name, fields }: Pick<TopicExplanation, "name" | "fields">, field: string): Error {
  const names = fields.map((one) => one.name);
  const close = suggest(field, names);
  const around = names.findLast((one) => field.startsWith(`${one}.`));
  const rest =
    around === undefined
      ? { hint: "To list its fields:", command: command("explain", {}, name) }
      : {
          hint: `The keys of ${around} are not listed one by one. To see it:`,
          command: command("explain", {}, `${name}.${around}`),
        };
  const message = `${name} has no field ${JSON.stringify(field)}`;
  return unknown("unknown_field", message, close && [name, close], rest);
}

/** @param close the words of the nearest name that there is; "" or undefined if none is near */
function unknown(code: string, message: string, close: readonly string[] | "" | undefined, otherwise: Hint): Error {
  const hint =
    close === undefined || close === ""
      ? otherwise
      : { hint: "Did you mean this?", command: command("explain", {}, close.join(".")) };
  return invalid(code, message, hint);
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
    collection: kind.writes.requiresExplicitCreate === true ? "" : kind.collection,
    scopes: kind.scopes,
    natural_key:
      kind.keyedBy === undefined
        ? kind.identity.keyFields.join(", else ")
        : `the ${kind.keyedBy} that it is declared under`,
    pins: schema["x-pins"],
    operations: operationsOf(kind),
    created: describeCreate(kind),
    changed: describeChange(kind),
    removed: describeRemoval(kind),
    policies: policiesOf(kind),
    fields: [...fieldsOf(schema, "", undefined), fieldOf(EXTRA, { name: EXTRA_FIELDS, required: false })],
  };
}

const EXTRA: FieldSchema = { type: "object", description: EXTRA_FIELDS_DESCRIPTION };

function targetsOf(kind: Kind): readonly Target[] {
  return kind.scopes.map((scope) => kind.writes.target(scope, { id: "", parts: { member: "", invites: [""] } }));
}

function operationsOf(kind: Kind): readonly string[] {
  const names = targetsOf(kind).flatMap((target, index) => {
    const scope = kind.scopes[index] ?? "organization";
    const calls = [
      kind.writes.create?.(scope, {}, ""),
      target.get,
      target.update?.({}),
      ...target.remove,
      target.restore,
    ];
    const moves = Object.values(target.transition?.operations ?? {});
    return [...kind.lists.operations(scope), ...calls.flatMap((call) => call?.operation ?? []), ...moves];
  });
  return [...new Set(names)];
}

function describeCreate(kind: Kind): string {
  if (kind.writes.create === undefined) return "never: an existing object is adopted, a missing one is an error";
  if (kind.writes.requiresExplicitCreate === true) return "only with lifecycle.create: true";
  const first = targetsOf(kind)[0]?.transition;
  const moved =
    first === undefined
      ? ""
      : `, with ${first.field}: ${String(first.createAs)}, which is then set to the declared value`;
  const note = kind.hints.createNote?.({});
  return `if no object has its natural key${moved}${note === undefined ? "" : ` (${note})`}`;
}

function describeChange(kind: Kind): string {
  if (targetsOf(kind).every(({ update }) => update === undefined)) return "never: a difference replaces the object";
  const parts =
    kind.lists.derived === true
      ? "a member is changed in place, a pending invite is replaced"
      : "with one PATCH of the fields that differ";
  return kind.writes.restorable === true ? `${parts}; a deleted object is restored if its id is pinned` : parts;
}

function describeRemoval(kind: Kind): string {
  const how = kind.writes.restorable === true ? "softly, so it can be restored" : "permanently";
  const lock = kind.writes.requiresExplicitCreate === true ? ", and only with --confirm-organization NAME" : "";
  return `${how}${lock}; only if it is declared absent, or undeclared in an exclusive collection and --prune is given`;
}
