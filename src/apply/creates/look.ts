/**
 * Looking for the objects of other runs after a create.
 *
 * Terms: candidates are the objects with the natural key that did not exist before the create. The own one is in the
 * answer to the create.
 * Premise: runs on several machines share no lock, so all of them may create what none of them has seen. A list that
 * shows the own object is later than its create, so of two such runs at least one sees both objects. The service sets
 * `created_at` before others can see a row, so the older object may be the last to be seen.
 * Algorithm: list until the own object is there. The oldest candidate stays. If that is not the own one, the own one is
 * taken back. Then list until there is no other one. A create without an answer has no own object, and may still take
 * effect until the settle time. Creates of one kind in one scope share their lists.
 */
import { standsForMember } from "../../kinds/people/index.ts";
import { isScope } from "../../kinds/registry.ts";
import { ApiError } from "../../api/errors/errors.ts";
import { isPresent, type LiveObject } from "../../model/live.ts";
import { isCandidate, type OpenIntent } from "../journal/intents.ts";
import type { CreateRequest } from "./send-create.ts";
import { ChangeError, type Task, type Yielded } from "../task.ts";
import { inOrderOfAge } from "./age.ts";
import { createdTwice, notListed, notLooked } from "./look-errors.ts";
import { readById, targetOf } from "../actions/reread.ts";
import { LIST_LAG, mayPass, listWait, stopReason, type ProvenAbsence } from "./resolve-create.ts";
import { listingTask, takeBack } from "./take-back.ts";

/** The object of a create, or the proof that it is gone: only the object of an earlier run may be. */
export type LookResult = { readonly live: LiveObject; readonly yielded?: Yielded | undefined } | ProvenAbsence;

const WAITS = "another run may be creating it too";

/** What is looked for. */
export interface LookSubject {
  /** The task of the change. */
  readonly task: Task;
  readonly request: CreateRequest;
  readonly intent: OpenIntent;
  /** When a create without an answer can no longer take effect. Milliseconds since 1970. */
  readonly settledAt?: number | undefined;
  /** Whether an earlier run has sent the create. */
  readonly isResumed: boolean;
}

/**
 * Looks for the objects of other runs until it is clear which one stays. The other creates of the kind in the scope do so at the same time.
 *
 * @throws ChangeError if it does not become clear
 */
export function lookForOthers(subject: LookSubject): Promise<LookResult> {
  return subject.task.withOthers(() => new CreateLook(subject).untilClear());
}

/** The look of one create. */
class CreateLook {
  readonly #subject: LookSubject;
  /** Its kind is the one whose list shows what was created. */
  readonly #task: Task;
  readonly #deadlines = new Map<string, number>();
  #own: string | undefined;
  #yielded: Yielded | undefined;

  constructor(subject: LookSubject) {
    this.#subject = subject;
    this.#own = subject.intent.made;
    this.#task = listingTask(subject.task, subject.request.call);
  }

  async untilClear(): Promise<LookResult> {
    const { intent } = this.#subject;
    const { clock, signal } = this.#task.context;
    let failed = 0;
    for (let round = 0; ; round += 1) {
      if (signal?.aborted === true) throw notLooked(intent, stopReason(signal));
      const now = clock.now();
      const objects = await this.#list().catch((error: unknown) => {
        failed += 1;
        if (!(error instanceof ApiError)) throw error;
        if (error.kind !== "interrupted" && !mayPass(error, failed))
          throw notListed(intent, `the list could not be read: ${error.message}`);
      });
      if (objects !== undefined) failed = 0;
      const result = objects && (await this.#look(objects, now));
      if (result !== undefined) return result;
      const end = this.#endsAt();
      if (round === 0 && Number.isFinite(end)) this.#task.reportWait(WAITS, end);
      await clock.sleep(Math.min(listWait(round), end - clock.now()), signal);
    }
  }

  /** The list that the plan saw is older than the create, unless an earlier run has sent it. */
  #list(): Promise<readonly LiveObject[]> {
    return this.#subject.isResumed ? this.#task.lists.shared() : this.#task.lists.newest();
  }

  /** Until when it waits at least, and at most, as far as it is known by now. Milliseconds since 1970. */
  #endsAt(): number {
    const now = this.#task.context.clock.now();
    return Math.min(...[...this.#deadlines.values(), this.#subject.settledAt ?? 0].filter((end) => end > now));
  }

  /** @param asked when the list was asked for: a create may take effect while it is read */
  async #look(objects: readonly LiveObject[], asked: number): Promise<LookResult | undefined> {
    const { request, intent, settledAt } = this.#subject;
    const task = this.#task;
    const found = objects.filter(
      (live) => isCandidate(intent, request.keys, live) && isPresent(live) && task.isFree(live),
    );
    const [oldest, ...others] = inOrderOfAge(found);
    const created = found.find(({ id }) => id === this.#own);
    if (oldest === undefined || (this.#own !== undefined && created === undefined))
      return this.#lookForOwn(objects, found, asked);
    const isTaken = created !== undefined && created !== oldest;
    if (isTaken) await this.#takeBack(created, oldest);
    const left = others.filter((live) => live !== created);
    if (left.length > 0) {
      if (this.#isOver("alone") || isScope(task.kind)) throw createdTwice(task, intent, [oldest, ...left]);
      return undefined;
    }
    if (settledAt !== undefined && asked < settledAt) return undefined;
    return { live: oldest, yielded: this.#yielded };
  }

  /** The own object is not listed yet, or it is gone because the service keeps one object of a key. */
  async #lookForOwn(
    objects: readonly LiveObject[],
    found: readonly LiveObject[],
    asked: number,
  ): Promise<LookResult | undefined> {
    const { request, intent, isResumed } = this.#subject;
    const ownId = this.#own;
    const isNew = ({ id }: LiveObject): boolean => id !== intent.replaces && intent.known?.includes(id) === false;
    // A placeholder is the person who has accepted the invite.
    const [other] = [...found, ...objects.filter((live) => isPlaceholderOf(live, request.keys) && isNew(live))];
    if (ownId !== undefined && other !== undefined && this.#isOver("gone", LIST_LAG) && (await this.#isGone(ownId))) {
      this.#own = undefined;
      if (standsForMember(other)) return { live: other };
      this.#yielded = { takenBack: ownId };
      return this.#look(objects, asked);
    }
    if (!this.#isOver("listed")) return undefined;
    if (isResumed && ownId !== undefined && (await this.#isGone(ownId))) return { known: objects.map(({ id }) => id) };
    throw notListed(intent);
  }

  /** Without a read by id, the list alone says so. */
  async #isGone(id: string): Promise<boolean> {
    const task = this.#task;
    if (targetOf(task, { id }).get === undefined) return true;
    const live = await readById(task, id);
    return live === undefined || !isPresent(live);
  }

  async #takeBack(own: LiveObject, oldest: LiveObject): Promise<void> {
    const task = this.#task;
    const { intent } = this.#subject;
    const both = [oldest, own];
    if (isScope(task.kind)) throw createdTwice(task, intent, both);
    await takeBack(task.asKind(own.kind), intent, own).catch((error: unknown) => {
      if (!(error instanceof ApiError || error instanceof ChangeError)) throw error;
      throw createdTwice(task, intent, both, error.message);
    });
    this.#own = undefined;
    this.#yielded = { takenBack: own.id };
  }

  /** Whether something lasts for longer than it may. It begins when this is asked first. */
  #isOver(what: "listed" | "alone" | "gone", ms = this.#task.context.settleAfterMs): boolean {
    const now = this.#task.context.clock.now();
    const end = this.#deadlines.get(what) ?? now + ms;
    this.#deadlines.set(what, end);
    return now >= end;
  }
}

function isPlaceholderOf(live: LiveObject, keys: readonly string[]): boolean {
  return live.state === "placeholder" && keys.some((key) => live.keys.includes(key));
}
