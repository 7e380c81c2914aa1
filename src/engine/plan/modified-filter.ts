import { CODES } from "../../model/diagnostic-codes.ts";
import { type Diagnostic, warningAt } from "../../model/diagnostic.ts";
import { firstOf, MAX_NAMES, plural } from "../../model/text/plural.ts";
import type { Plan } from "../../model/plan.ts";
import { type Change, isDifference } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import { withChanges } from "../../plan/summarize.ts";
import { isPerson } from "../../kinds/registry.ts";
import type { LiveWorld } from "../../model/live.ts";
import { quoted, visible } from "../../model/text/quote.ts";
import { didYouMean, suggest } from "../../model/text/suggest.ts";

/** Which differences a drift report shows. */
export interface ModifiedFilter {
  /** Those of objects that were changed at this time or later. Milliseconds since 1970. */
  readonly since?: number | undefined;
  /** Those of objects that this person changed last: the e-mail or the first name, as the service shows it. */
  readonly by?: string | undefined;
}

/**
 * Leaves out the differences of objects that others changed last, or that were changed earlier. If the service does not say who or
 * when, the difference is left out too, with its address: it may be that of somebody else.
 */
export function onlyModified(
  plan: Plan,
  filter: ModifiedFilter,
  { lists }: Pick<LiveWorld, "lists">,
): { readonly plan: Plan; readonly diagnostics: readonly Diagnostic[] } {
  const reasons = groupBy(plan.changes, (change) => whyLeftOut(change, filter));
  const changes = reasons.get(undefined) ?? [];
  if (changes.length === plan.changes.length) return { plan, diagnostics: [] };
  const hint = "Leave out --since and --by to see everything.";
  const left = [...reasons].flatMap(([reason, some]): readonly Diagnostic[] => {
    if (reason === undefined) return [];
    if (reason !== OTHERS)
      return some.map(({ address }) => warningAt({ address }, { code: CODES.filtered, message: reason, hint }));
    const message = `${plural(some.length, "difference")} ${some.length === 1 ? "is" : "are"} left out: ${reason}`;
    return [{ severity: "warning", code: CODES.filtered, message, hint }];
  });
  const objects = [...lists.values()].flatMap((list) => list.objects);
  const members = objects.flatMap(({ kind, keys }) => (isPerson(kind) ? keys : []));
  const live = [...plan.changes.map(({ work }) => work?.live), ...objects];
  const unknown = unknownAuthor(filter, new Set(live.flatMap((one) => one?.modified?.by ?? [])), members);
  return { plan: withChanges(plan, changes), diagnostics: [...unknown, ...left] };
}

/** A misspelt name would make a check that never finds anything. */
function unknownAuthor(
  { by }: ModifiedFilter,
  authors: ReadonlySet<string>,
  members: readonly string[],
): readonly Diagnostic[] {
  if (by === undefined || [...authors, ...members].some((one) => one.toLowerCase() === by.toLowerCase())) return [];
  const seen =
    authors.size === 0
      ? "The service shows no author."
      : `Known authors: ${firstOf([...authors].map(visible), MAX_NAMES)}.`;
  const near = suggest(by, [...authors, ...members]);
  const hint = didYouMean(near && visible(near)) ?? seen;
  return [{ severity: "error", code: "unknown_author", message: `no known author has the name ${quoted(by)}`, hint }];
}

const OTHERS = "older, or made by somebody else";

/** Undefined if a change is shown. */
function whyLeftOut(change: Change, { since, by }: ModifiedFilter): string | undefined {
  if (!isDifference(change)) return undefined;
  const modified = change.work?.live?.modified;
  const at = Date.parse(modified?.at ?? "");
  const person = modified?.by?.toLowerCase();
  if (since !== undefined && at < since) return OTHERS;
  if (by !== undefined && person !== undefined && person !== by.toLowerCase()) return OTHERS;
  if (by !== undefined && person === undefined)
    return "left out, because the service does not show who made this difference";
  if (since !== undefined && Number.isNaN(at))
    return "left out, because the service does not show when this difference was made";
  return undefined;
}
