import type { Action } from "../model/change.ts";
import type { PlanDocument, ShownChange } from "../model/plan.ts";
import { plural } from "../model/plural.ts";
import { sanitize } from "./escape.ts";
import { ACTIONS, isShown } from "./phrases.ts";

const ORDER = Object.keys(ACTIONS) as readonly Action[];

/** Whether there is nothing to do and nothing to worry about. */
export function isClean(document: PlanDocument): boolean {
  return !document.changes.some(isShown) && errorCount(document) === 0;
}

/** Everything that is counted, as phrases: "1 to create", "2 to delete (1 blocked)", "3 unchanged", "2 unmanaged". */
export function counts(document: PlanDocument): readonly string[] {
  const { unmanaged } = document.summary;
  return [...differences(document), ...same(document), ...(unmanaged > 0 ? [`${unmanaged} unmanaged`] : [])];
}

/** The phrases for what differs. */
export function differences(document: PlanDocument): readonly string[] {
  return phrases(
    document,
    document.changes.filter(({ action }) => action !== "no_op"),
  );
}

function same(document: PlanDocument): readonly string[] {
  return phrases(
    document,
    document.changes.filter(({ action }) => action === "no_op"),
  );
}

function phrases(document: PlanDocument, changes: readonly ShownChange[]): readonly string[] {
  const drift = document.type === "driftline.drift";
  const groups = new Map<string, { all: number; blocked: number }>();
  for (const action of ORDER) {
    const own = changes.filter((change) => change.action === action);
    const word = drift ? ACTIONS[action].drift : ACTIONS[action].todo;
    const group = groups.get(word) ?? { all: 0, blocked: 0 };
    groups.set(word, {
      all: group.all + own.length,
      blocked: group.blocked + own.filter(({ blocked }) => blocked !== null).length,
    });
  }
  return [...groups].flatMap(([word, { all, blocked }]) => {
    if (all === 0) return [];
    // That putting it back is refused says nothing about what differs.
    if (blocked === 0 || drift) return [`${all} ${word}`];
    return [`${all} ${word} (${blocked === all ? "blocked" : `${blocked} blocked`})`];
  });
}

/** One line for where nothing differs. */
export function cleanText({ changes, options, summary }: PlanDocument): string {
  const where = options.only.length === 0 ? "" : ` in ${sanitize(options.only.join(", "))}`;
  const left = summary.unmanaged === 0 ? "" : `, and ${plural(summary.unmanaged, "unmanaged object")} left alone`;
  if (changes.length === 0) return `Nothing is declared${where}, so there is nothing to compare${left}.`;
  const all = changes.length === 1 ? "the one resource is" : `all ${changes.length} resources are`;
  return `Nothing differs${where}: ${all} as declared${left}.`;
}

/** What to do now, one sentence per line. */
export function nextSteps(document: PlanDocument): readonly string[] {
  const { changes, hash } = document;
  const drift = document.type === "driftline.drift";
  const ready = changes.some(({ action, blocked }) => blocked === null && action !== "no_op" && action !== "unknown");
  const held = changes.filter(({ blocked }) => blocked !== null);
  const limited = held.some(({ blocked }) => blocked?.rule === "delete_limit");
  const steps: string[] = [];
  if (ready && drift)
    steps.push("`driftline apply` puts this right; to keep what is live, change the configuration instead.");
  if (ready && !drift) steps.push("This is only a plan: `driftline apply` carries it out.");
  if (held.length > 0) steps.push(heldText(held.length, drift));
  if (limited) steps.push(`To approve the removals: \`driftline apply --approve ${sanitize(hash)}\`.`);
  if (changes.some(({ action }) => action === "unknown"))
    steps.push("What is marked ? could not be determined, so nothing is done about it.");
  const errors = errorCount(document);
  if (errors > 0)
    steps.push(
      `${plural(errors, "error")} ${errors === 1 ? "was" : "were"} reported, so this is not the whole picture.`,
    );
  return steps;
}

function heldText(held: number, drift: boolean): string {
  const which = `${plural(held, drift ? "difference" : "change")} ${held === 1 ? "is" : "are"} blocked`;
  return `${which}${drift ? ": apply leaves" : " and left out: apply leaves"} ${held === 1 ? "it" : "them"} as ${held === 1 ? "it is" : "they are"} until that is lifted.`;
}

/** How many of the diagnostics are errors. */
export function errorCount({ diagnostics }: PlanDocument): number {
  return diagnostics.filter(({ severity }) => severity === "error").length;
}

const DRIFT_LEGEND: Readonly<Record<Action, string>> = {
  create: "missing",
  update: "drifted",
  replace: "drifted, apply replaces it",
  delete: "unexpected",
  restore: "missing, apply restores it",
  unknown: "unknown",
  no_op: "as declared",
};

/** Which symbols are in use, and what they mean. */
export function legend(changes: readonly ShownChange[], type: PlanDocument["type"]): string {
  const drift = type === "driftline.drift";
  const used = ORDER.filter(
    (action) => action !== "no_op" && changes.some((change) => change.action === action && change.blocked === null),
  );
  const words = used.map(
    (action) => `${ACTIONS[action].symbol} ${drift ? DRIFT_LEGEND[action] : ACTIONS[action].verb}`,
  );
  return [
    ...words,
    ...(changes.some(({ blocked }) => blocked !== null) ? [drift ? "! apply is blocked" : "! blocked"] : []),
  ].join("   ");
}
