/**
 * The lines of an apply while it goes on.
 *
 * Premise: 500 equal changes are read once, but a failure, a removal and a person are never missed.
 * Algorithm: changes that the plan shows as one group are counted in one line, which comes at its end. Everything else has a line of
 * its own at once. The status says how far it is.
 */
import { isPerson } from "../../../kinds/registry.ts";
import { CODES } from "../../../model/diagnostic-codes.ts";
import { isReady, isRemoval } from "../../../model/change.ts";
import type { Outcome } from "../../../model/outcome.ts";
import type { ShownChange } from "../../../model/plan.ts";
import { sharedError } from "../../../report/grouping.ts";
import { type ShownGroup, groupsOf } from "../../../report/change-groups.ts";
import type { RenderOptions } from "../../../report/options.ts";
import { groupLine, outcomeLine } from "../../../report/text/outcomes.ts";

interface Counted {
  readonly group: ShownGroup;
  done: number;
}

export interface LineOptions extends RenderOptions {
  /** The time that is left, in words. */
  readonly timeLeft: () => string | undefined;
}

export class OutcomeLines {
  readonly #options: LineOptions;
  readonly #groups = new Map<string, Counted>();
  readonly #planned: number;
  #done = 0;
  #failed = 0;
  #last: ShownChange | undefined;
  /** A reason is said once, but for people and removals. The end lists what it is true of. */
  readonly #said = new Set<string>();

  /** @param changes those of the plan */
  constructor(changes: readonly ShownChange[], options: LineOptions) {
    this.#options = options;
    const ready = changes.filter(isReady);
    this.#planned = ready.length;
    const foldable = ready.filter((change) => !isRemoval(change) && !isPerson(change.kind));
    for (const group of groupsOf(foldable, { verbose: options.verbose, type: "driftline.plan" }).groups) {
      if (group.members.length === 0) continue;
      const counted = { group, done: 0 };
      for (const { address } of group.changes) this.#groups.set(address, counted);
    }
  }

  /** The line for an outcome; "" if one of its group will count it. */
  add(outcome: Outcome): string {
    this.#done += 1;
    this.#last = outcome;
    if (outcome.status === "failed") this.#failed += 1;
    const counted = this.#groups.get(outcome.address);
    if (this.#isSaid(outcome, counted)) return "";
    if (counted === undefined || outcome.status !== "applied")
      return outcomeLine(outcome, this.#done, this.#total, this.#options);
    counted.done += 1;
    return counted.done === counted.group.changes.length ? this.#lineOf(counted) : "";
  }

  /** The lines of groups that did not come to their end. */
  rest(): string {
    const open = [...new Set(this.#groups.values())].filter(
      ({ done, group }) => done > 0 && done < group.changes.length,
    );
    this.#groups.clear();
    return open.map((counted) => this.#lineOf(counted)).join("");
  }

  /** How far it is: the count, what is being done, what has failed, and the time that is left. */
  state(): string {
    const { action = "no_op", kind = "" } = this.#last ?? {};
    const left = this.#options.timeLeft();
    const what = this.#last === undefined ? "" : `${action.replace(/e$/u, "ing")} ${kind.replaceAll("_", " ")}s`;
    const failed = this.#failed === 0 ? [] : [`${String(this.#failed)} failed`];
    const parts = [what, ...failed, ...(left === undefined ? [] : [`${left} left`])].filter((part) => part !== "");
    return `[${String(this.#done)}/${String(this.#total)}] ${parts.join(", ")}`.trimEnd();
  }

  #isSaid({ error }: Outcome, counted: Counted | undefined): boolean {
    if (error === null || (counted === undefined && error.code !== CODES.outage)) return false;
    const reason = JSON.stringify(sharedError(error));
    const isSaid = this.#said.has(reason);
    this.#said.add(reason);
    return isSaid;
  }

  get #total(): number {
    return Math.max(this.#done, this.#planned);
  }

  #lineOf({ group, done }: Counted): string {
    return groupLine(group, done, { done: this.#done, total: this.#total }, this.#options);
  }
}
