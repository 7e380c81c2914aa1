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
import { listBeside } from "../../api/operations/index.ts";
import { fingerprintFor, withAttached } from "../../diff/fingerprint.ts";
import type { Kind } from "../../kinds/kind.ts";
import type { Call } from "../../kinds/kind-parts.ts";
import { isMemberOrPlaceholder } from "../../kinds/people/index.ts";
import { allKinds, isScope, kinds, scopesOfKind, scopeType } from "../../kinds/registry.ts";
import { isPresent, type LiveObject } from "../../model/live.ts";
import { sendRemoval } from "../actions/remove.ts";
import { readById, targetOf } from "../actions/reread.ts";
import { isCandidate, type OpenIntent } from "../journal/intents.ts";
import { ChangeError, isKnownFailure } from "../change-error.ts";
import type { Task } from "../task.ts";
import { inOrderOfAge } from "./age.ts";
import { CREATED_TWICE, createdTwice, notListed, notLooked } from "./look-errors.ts";
import {
  LIST_LAG,
  listPatiently,
  listWait,
  stopReason,
  type BegunCreate,
  type CreateRequest,
  type FoundObject,
  type ProvenAbsence,
} from "./resolve-create.ts";

const WAITS = "another run may be creating it too";
const NOTHING = { destroyed: [], left: [] };

/**
 * Looks for the objects of other runs until it is clear which one stays. The other creates of the kind in the scope do so at the same time.
 *
 * @returns the object of the create, or the proof that it is gone: only that of an earlier run may be
 * @throws ChangeError if it does not become clear
 */
export async function lookForOthers(
  task: Task,
  request: CreateRequest,
  begun: BegunCreate,
): Promise<FoundObject | ProvenAbsence> {
  const { intent } = begun;
  try {
    return await task.withOthers(() => new CreateLook(task, request, begun).untilClear());
  } catch (error) {
    // Both objects are named, so nothing is left to be done.
    const isOver = error instanceof ChangeError && error.code === CREATED_TWICE && intent.carried === undefined;
    if (isOver) await task.context.journal.close(intent.id, intent.made ?? null);
    throw error;
  }
}

/** The task for the kind whose first list shows what a call creates: a membership begins as an invite. */
export function listingTask(task: Task, { operation }: Call): Task {
  const type = scopeType(task.scope);
  const list = listBeside(operation);
  const isOne = ({ name, lists }: Kind): boolean =>
    scopesOfKind(name).includes(type) && lists.operations(type)[0] === list;
  return task.asKind((isOne(task.kind) ? task.kind : (allKinds.find(isOne) ?? task.kind)).name);
}

/** The look of one create. */
class CreateLook {
  /** Its kind is the one whose list shows what was created. */
  readonly #task: Task;
  readonly #keys: readonly string[];
  readonly #intent: OpenIntent;
  readonly #isResumed: boolean;
  /** When the create can no longer take effect. Milliseconds since 1970. */
  readonly #settledAt: number;
  readonly #deadlines = new Map<string, number>();
  /** Id of the own object, as long as it is there. */
  #own: string | undefined;

  constructor(task: Task, { call, keys }: CreateRequest, { intent, isResumed, settledAt }: BegunCreate) {
    this.#task = listingTask(task, call);
    this.#keys = keys;
    this.#intent = intent;
    this.#isResumed = isResumed;
    this.#settledAt = intent.made === undefined ? settledAt : 0;
    this.#own = intent.made;
  }

  async untilClear(): Promise<FoundObject | ProvenAbsence> {
    const { clock, signal } = this.#task.context;
    const list = listPatiently(
      () => this.#list(),
      (reason) => notListed(this.#intent, reason),
    );
    for (let round = 0; ; round += 1) {
      if (signal?.aborted === true) throw notLooked(this.#intent, stopReason(signal));
      const now = clock.now();
      const objects = await list();
      const result = objects && (await this.#look(objects, now));
      if (result !== undefined) return result;
      const end = this.#endsAt();
      if (round === 0 && Number.isFinite(end)) this.#task.reportWait(WAITS, end);
      await clock.sleep(Math.min(listWait(round), end - clock.now()), signal);
    }
  }

  /** The list that the plan saw is older than the create, unless an earlier run has sent it. */
  #list(): Promise<readonly LiveObject[]> {
    const { lists } = this.#task;
    return this.#isResumed ? lists.shared() : lists.newest();
  }

  /** Until when it waits at least, and at most, as far as it is known by now. Milliseconds since 1970. */
  #endsAt(): number {
    const now = this.#task.context.clock.now();
    return Math.min(...[...this.#deadlines.values(), this.#settledAt].filter((end) => end > now));
  }

  /** @param asked when the list was asked for: a create may take effect while it is read */
  async #look(objects: readonly LiveObject[], asked: number): Promise<FoundObject | ProvenAbsence | undefined> {
    const task = this.#task;
    const found = objects.filter(
      (live) => isCandidate(this.#intent, this.#keys, live) && isPresent(live) && task.isFree(live),
    );
    const [oldest, ...others] = inOrderOfAge(found);
    const created = found.find(({ id }) => id === this.#own);
    if (oldest === undefined || (this.#own !== undefined && created === undefined))
      return this.#lookForOwn(objects, found, asked);
    if (created !== undefined && created !== oldest) await this.#takeBack(created, oldest);
    const left = others.filter((live) => live !== created);
    if (left.length > 0) {
      if (this.#isOver("alone") || isScope(task.kind)) throw createdTwice(task, this.#intent, [oldest, ...left]);
      return undefined;
    }
    if (asked < this.#settledAt) return undefined;
    const { made } = this.#intent;
    return { live: oldest, yielded: this.#own === made ? undefined : { takenBack: made } };
  }

  /** The own object is not listed yet, or it is gone because the service keeps one object of a key. */
  async #lookForOwn(
    objects: readonly LiveObject[],
    found: readonly LiveObject[],
    asked: number,
  ): Promise<FoundObject | ProvenAbsence | undefined> {
    const { replaces, known } = this.#intent;
    const ownId = this.#own;
    const isNew = ({ id }: LiveObject): boolean => id !== replaces && known?.includes(id) === false;
    // A placeholder is the person who has accepted the invite.
    const [other] = [...found, ...objects.filter((live) => isPlaceholderOf(live, this.#keys) && isNew(live))];
    if (ownId !== undefined && other !== undefined && this.#isOver("gone", LIST_LAG) && (await this.#isGone(ownId))) {
      this.#own = undefined;
      return isMemberOrPlaceholder(other) ? { live: other } : this.#look(objects, asked);
    }
    if (!this.#isOver("listed")) return undefined;
    if (this.#isResumed && ownId !== undefined && (await this.#isGone(ownId)))
      return { known: objects.map(({ id }) => id) };
    throw notListed(this.#intent);
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
    const both = [oldest, own];
    if (isScope(task.kind)) throw createdTwice(task, this.#intent, both);
    await takeBack(task.asKind(own.kind), this.#intent, own).catch((error: unknown) => {
      if (!isKnownFailure(error)) throw error;
      throw createdTwice(task, this.#intent, both, error.message);
    });
    this.#own = undefined;
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

/**
 * Removes the object that this run, or the one before it, has created. No file asks for that, as rule 5 of test/safety-rules.md
 * wants it: the object is the run's own, and still as it was created.
 *
 * @param listed the object in a list
 * @throws ChangeError if it is not as it was created; ApiError or ChangeError if it could not be removed
 */
async function takeBack(task: Task, { created }: OpenIntent, listed: LiveObject): Promise<void> {
  const isReadable = targetOf(task, listed).get !== undefined;
  const findUntouched = async (): Promise<LiveObject | undefined> => {
    const live = isReadable ? await readById(task, listed.id) : listed;
    if (live === undefined || createdHash(live) === created) return live;
    throw new ChangeError("unverified", "changed", "it has been changed since", { hint: "", id: live.id });
  };
  const live = await findUntouched();
  if (live === undefined) return;
  for (const call of targetOf(task, live).remove) await sendRemoval({ task, live }, call, findUntouched);
}

/** The hash of an object as it was created: of all that people can change, and of what is attached to it. */
export function createdHash(live: LiveObject): string {
  return withAttached(fingerprintFor("replace")(kinds[live.kind], live, {}), live.attached ?? NOTHING);
}
