import type { Kind } from "../../kinds/kind.ts";
import { isDerived } from "../../kinds/registry.ts";
import type { JsonObject } from "../../model/json/json.ts";
import { computedOutputs, pickInputs, pickOutputs, type Properties } from "./properties.ts";

/**
 * Returns the outputs that the state will hold: all inputs, because only values under the names of inputs stay secret,
 * and the fields that the service computes. The result is plain JSON, because a state holds nothing else.
 */
export function outputs(
  kind: Kind,
  inputs: Properties,
  row: JsonObject | undefined,
  before: Properties = {},
): Properties {
  const all = { ...pickInputs(kind, inputs), ...pickOutputs(kind, before), ...computedOutputs(kind, row) };
  return JSON.parse(JSON.stringify(all)) as Properties;
}

/** Adds the provider's text to the outputs of a partial failure. The stock process adds it in all other cases. */
export function withProviderText(props: Properties, state: Properties): Properties {
  const provider = props["__provider"];
  return provider === undefined ? state : { ...state, __provider: provider };
}

/**
 * The id in Pulumi's state: the id of the object, or the e-mail if one person's invite and member replace each other.
 */
export function stateId(kind: Kind, id: string, name: string): string {
  return isDerived(kind) ? name : id;
}
