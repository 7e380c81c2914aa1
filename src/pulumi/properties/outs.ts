import type { Kind } from "../../kinds/kind.ts";
import { text } from "../../kinds/helpers.ts";
import { isJsonObject, type JsonObject } from "../../model/json.ts";
import { computedOf, inputsOf, outputsOf, type Properties } from "./properties.ts";

/**
 * What the state is to hold: all inputs, as only values under the names of inputs stay secret, and what the service computes.
 * Plain JSON: nothing else may stand in a state.
 */
export function outs(kind: Kind, inputs: Properties, row: JsonObject | undefined, before: Properties = {}): Properties {
  const all = { ...inputsOf(kind, inputs), ...outputsOf(kind, before), ...computedOf(kind, row) };
  return JSON.parse(JSON.stringify(all)) as Properties;
}

/** The same for a failure that is recorded: there the stock process leaves it to us to keep the provider's text. */
export function recorded(props: Properties, state: Properties): Properties {
  const provider = props["__provider"];
  return provider === undefined ? state : { ...state, __provider: provider };
}

/** The id in Pulumi's state: that of the object, or the e-mail where invites and members come and go for one person. */
export function stateId(kind: Kind, id: string, name: string): string {
  return kind.derived === true ? name : id;
}

/** The ids by which a row may be looked for: its own, and the person's where it is about one. */
export function idsOf(row: JsonObject): readonly string[] {
  const user = row["user"];
  return [text(row["id"]), isJsonObject(user) ? text(user["uuid"]) : undefined].flatMap((id) => id ?? []);
}
