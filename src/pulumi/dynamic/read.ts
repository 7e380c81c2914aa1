import type { Kind } from "../../kinds/kind.ts";
import type { LiveObject } from "../../model/live.ts";
import { readLive, type Live } from "./live.ts";
import { outs } from "../properties/outs.ts";
import { projected } from "./project.ts";
import { declaredOf, inPulumi, inputsOf, outputsOf, type Declared, type Properties } from "../properties/properties.ts";
import type { ReadResult } from "./provider.ts";
import type { Session } from "./session.ts";

/**
 * What the service shows of a resource, for a refresh. It is missing only if a proven list lacks it; whatever else happens is
 * an error, so that a lost parent or a narrower key drops nothing from the state.
 */
export async function read(session: Session, kind: Kind, id: string, props: Properties): Promise<ReadResult> {
  const declared = declaredOf(kind, props);
  if (declared.scope === "" && !kind.scopes.includes("service"))
    throw new Error(
      `a ${kind.name} is read by its ${kind.scopes.map((scope) => `${scope}Id`).join(" or ")} and its id: give both`,
    );
  const live = await readLive(session, kind, declared);
  const found = objectOf(live, kind, declared, id);
  const inputs = inputsOf(kind, props);
  if (found === undefined || found.deleted === true) return missing(kind, id, props, inputs);
  if (found.standIn === true) return { id, props: { ...inputs, ...outputsOf(kind, props) }, inputs };
  const shown = { ...inputs, ...inPulumi(kind, projected(kind, declared.values, found.values)) };
  return { id, props: outs(kind, shown, live.row(found.id), props), inputs: shown };
}

function objectOf(live: Live, kind: Kind, { name, values }: Declared, id: string): LiveObject | undefined {
  if (kind.keyedBy !== undefined) return live.objects.find((one) => one.keys.includes(name));
  const keys = kind.declaredKeys(values, name);
  return (
    live.byId.get(id.toLowerCase()) ??
    live.objects.find((one) => one.standIn === true && one.keys.some((key) => keys.includes(key)))
  );
}

function missing(kind: Kind, id: string, props: Properties, inputs: Properties): ReadResult {
  // It can be brought back under its id, which would be lost with the state: `up` restores it. Only inputs show as a change.
  if (kind.restorable === true) {
    const deleted = { ...inputs, deleted: true };
    return { id, props: { ...deleted, ...outputsOf(kind, props) }, inputs: deleted };
  }
  if (kind.foundational === true) {
    const hint = "if it is gone for good, take it out of the state with `pulumi state delete`";
    throw new Error(`the key does not see the ${kind.name} ${id}, which does not say that it is gone: ${hint}`);
  }
  return {};
}
