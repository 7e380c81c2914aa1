/**
 * The lines of an apply while it goes on.
 *
 * Premise: 500 equal changes are read once, but a failure, a removal and a person are never missed.
 * Algorithm: changes that the plan shows as one group are counted in one line, which comes at its end, and on the way not more often
 * than a log can bear. Everything else has a line of its own at once.
 */
import type { Clock } from "../../../api/client.ts";
import { isOfPeople } from "../../../kinds/access.ts";
import { isReady, isRemoval } from "../../../model/change.ts";
import type { Outcome } from "../../../model/outcome.ts";
import type { ShownChange } from "../../../model/plan.ts";
import { type Group, groupsOf } from "../../../report/change-groups.ts";
import type { RenderOptions } from "../../../report/options.ts";
import { groupLine, outcomeLine } from "../../../report/text/outcomes.ts";

/** A group has a line in a log not more often than this. Milliseconds. */
const LOG_EVERY = 10_000;

interface Counted {
  readonly group: Group;
  done: number;
  /** When it had its last line, or began. Milliseconds since 1970. */
  shownAt: number;
  shown: number;
}

export interface LineOptions extends RenderOptions {
  readonly clock: Clock;
  /** Whether a status line shows how far it is, so that a group only needs its last line. */
  readonly isWatched: boolean;
  /** The time that is left, in words. */
  readonly timeLeft: () => string | undefined;
}

export class OutcomeLines {
  readonly #options: LineOptions;
  readonly #groups = new Map<string, Counted>();
  readonly #planned: number;
  #done = 0;
  #last: ShownChange | undefined;

  /** @param changes those of the plan */
  constructor(changes: readonly ShownChange[], options: LineOptions) {
    this.#options = options;
    const ready = changes.filter(isReady);
    this.#planned = ready.length;
    this.#last = ready[0];
    const foldable = ready.filter((change) => !isRemoval(change) && !isOfPeople(change.kind));
    for (const group of groupsOf(foldable, { verbose: options.verbose, type: "driftline.plan" }).groups) {
      if (group.members.length === 0) continue;
      const counted = { group, done: 0, shownAt: options.clock.now(), shown: 0 };
      for (const { address } of group.changes) this.#groups.set(address, counted);
    }
  }

  /** The line for an outcome; "" if one of its group will count it. */
  add(outcome: Outcome): string {
    this.#done += 1;
    this.#last = outcome;
    const counted = this.#groups.get(outcome.address);
    if (counted === undefined || outcome.status !== "applied")
      return outcomeLine(outcome, this.#done, this.#total, this.#options);
    counted.done += 1;
    const { clock, isWatched, timeLeft } = this.#options;
    if (counted.done === counted.group.changes.length) return this.#lineOf(counted, undefined);
    const isDue = !isWatched && clock.now() - counted.shownAt >= LOG_EVERY;
    return isDue ? this.#lineOf(counted, timeLeft()) : "";
  }

  /** The lines of groups that did not come to their end. */
  rest(): string {
    const open = [...new Set(this.#groups.values())].filter(({ done, shown }) => done > shown);
    return open.map((counted) => this.#lineOf(counted, undefined)).join("");
  }

  /** How far it is, for a status line: the count, what is being done, and the time that is left. */
  state(): string {
    const { action = "no_op", kind = "" } = this.#last ?? {};
    const left = this.#options.timeLeft();
    const what = this.#last === undefined ? "" : ` ${action.replace(/e$/u, "ing")} ${kind.replaceAll("_", " ")}s`;
    return `[${String(this.#done)}/${String(this.#total)}]${what}${left === undefined ? "" : `, ${left} left`}`;
  }

  get #total(): number {
    return Math.max(this.#done, this.#planned);
  }

  #lineOf(counted: Counted, left: string | undefined): string {
    counted.shownAt = this.#options.clock.now();
    counted.shown = counted.done;
    return groupLine(counted.group, counted.done, { done: this.#done, total: this.#total, left }, this.#options);
  }
}
