import type { Intent } from "../../../src/apply/journal/intents.ts";
import type { Change } from "../../../src/model/change.ts";
import type { JsonObject } from "../../../src/model/json/json.ts";
import type { KindName } from "../../../src/model/kind-name.ts";
import type { Outcome } from "../../../src/model/outcome.ts";
import { apiError, change, world, type Declared, type World } from "./support.ts";

export const EXPORT = { name: "E", interval: "hour", paused: false, destination: { type: "NoOp", config: {} } };
export const SAML = { domain: "a.com", sso_enforcement: "saml" };

const FAMILIES: Partial<Record<KindName, string>> = { insight: "insights", domain: "domains" };

export const refused = (operation: string, code = "nope") =>
  apiError(operation, { kind: "invalid", status: 400, tookEffect: "no", code });

/** The outcome of the only change. */
export async function only(given: World, one: Change): Promise<Outcome> {
  const [outcome] = await given.apply(one);
  if (outcome === undefined) throw new Error("no outcome");
  return outcome;
}

/** The intents that are journaled from now on. */
export function journaledIntents({ journal }: World): readonly Intent[] {
  const begun: Intent[] = [];
  const { begin } = journal;
  Object.assign(journal, {
    begin: (intent: Intent) => {
      begun.push(intent);
      return begin(intent);
    },
  });
  return begun;
}

interface Updating {
  readonly given: World;
  readonly update: Change;
}

/** A world with one object, and the update of it that is decided on. */
export function updating(kind: KindName, row: JsonObject, values: JsonObject, declared: Declared = {}): Updating {
  const given = world();
  given.add(FAMILIES[kind] ?? "batch_exports", row);
  const [live] = given.live(kind, declared.scope ?? "acme");
  return { given, update: change(kind, values, { ...declared, live }) };
}

/** A world with one domain, and the update that turns on SAML for it. */
export function updatingDomain(row: JsonObject = { domain: "a.com", sso_enforcement: "" }): Updating {
  return updating("domain", row, SAML);
}
