/**
 * What hangs on an insight is not destroyed before somebody has seen what would be lost. Current service 215: a deletion destroys its
 * alerts and takes it off its dashboards.
 *
 * Premise: a list does not show it, and unknown is not nothing. The fingerprint covers it, so that apply notices what is added later.
 * Algorithm: read each insight that is to be removed, or changed in a way that may destroy something. No other one is read.
 */
import { isRemoval, type ChangeWithWork } from "../../model/change.ts";
import { command } from "../../model/command.ts";
import { isValueObject, own, type JsonObject, type ValueObject } from "../../model/json/json.ts";
import type { Attached, LiveObject } from "../../model/live.ts";
import { plural } from "../../model/text/plural.ts";
import type { Check, Finding } from "../check.ts";
import { rowsIn, type RowsAnswer } from "../world.ts";
import { attachedOf } from "./attached.ts";
import { readOf, rowIn } from "./read-by-id.ts";
import { valuesOf } from "./values.ts";

export const destroyedAlerts: Check = {
  rule: "destroys_more",
  ofWholePlan: true,
  inspect:
    ({ world }) =>
    (change) => {
      const { live } = change.work;
      if (live === undefined || !mayDestroy(change, live)) return undefined;
      const read = readOf(world, live);
      const answer = read && rowsIn(world, read);
      if (read !== undefined && answer === undefined) return { needs: [read] };
      return lossOf(change, attachedIn(live, answer));
    },
};

/** A delete that waits for `--prune` need not be read: a plan with it says what it destroys. */
function mayDestroy({ action, blocked, work }: ChangeWithWork, { values }: LiveObject): boolean {
  if (blocked?.rule === "prune") return false;
  return isRemoval({ action }) || (action === "update" && changesKind(work.body, values));
}

/** What hangs on an insight; undefined if that could not be read. */
function attachedIn(live: LiveObject, answer: RowsAnswer | undefined): Attached | undefined {
  const row = rowIn(live, answer);
  return row === undefined ? undefined : attachedOf(row, valuesOf(row));
}

/** Says what a change destroys or leaves, and refuses it if something would be lost. */
function lossOf(change: ChangeWithWork, found: Attached | undefined): Finding {
  const note = found === undefined ? "it could not be read whether it has alerts" : lossText(change, found);
  const isHarmless = found?.destroyed.length === 0;
  const blocked = { lift: "allow the loss:", command: command("apply", { allowLoss: change.address }) };
  return { note, work: { attached: found }, ...(isHarmless ? {} : { blocked }) };
}

/** What a change does besides; "" if nothing. */
function lossText(change: ChangeWithWork, { destroyed, left }: Attached): string {
  const alerts = plural(destroyed.length, "alert");
  if (!isRemoval(change))
    return destroyed.length === 0 ? "" : `may delete ${alerts} for good: a query of another kind may have none`;
  const parts = [
    ...(destroyed.length === 0 ? [] : [`deletes ${alerts} for good`]),
    ...(left.length === 0 ? [] : [`leaves ${plural(left.length, "dashboard")}`]),
  ];
  return parts.join(", ");
}

/**
 * Whether a write changes the kind of the query. Current service 215: kinds that cannot have alerts destroy them. Which kinds
 * those are is not known.
 */
function changesKind(body: ValueObject, live: JsonObject): boolean {
  return Object.hasOwn(body, "query") && kindOf(body) !== kindOf(live);
}

function kindOf(values: ValueObject): unknown {
  const query = own(values, "query");
  const source = isValueObject(query) ? (own(query, "source") ?? query) : null;
  return isValueObject(source) ? (own(source, "kind") ?? null) : null;
}
