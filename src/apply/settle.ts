/**
 * Finding out what became of a create of which no clear answer came.
 *
 * Terms: a candidate is an object that was not there before the intent and has its natural key; the horizon is the time after
 * which a request that was not heard of can no longer take effect.
 * Premise: only a proven list tells, and an empty one only after the horizon. Servers drop and normalise fields, so that
 * candidates are known by their natural key alone, and may move them to a sibling kind.
 * Algorithm: list until there is one candidate, or several, or two lists in a row beyond the horizon that show none.
 */
import { ApiError } from "../api/errors.ts";
import { allKinds, kinds } from "../kinds/registry.ts";
import { listKey, type LiveObject, type LiveSnapshot } from "../model/live.ts";
import type { Claims } from "./claims.ts";
import { ChangeError, type ApplyContext, type Task } from "./context.ts";
import type { OpenIntent } from "./journal.ts";

/** Waits between probes, until the horizon. Milliseconds. */
const PROBE_WAITS = [500, 1_000, 2_000, 5_000, 10_000, 20_000];
/** How many lists beyond the horizon have to agree that nothing was created. */
const EMPTY_PROBES = 2;
/** How many lists in a row may fail: what broke the create often breaks the first look as well. */
const FAILED_PROBES = 4;
/** An intent of which nobody asked any more for so long is dropped: by now a plan sees what came of it. Milliseconds. */
const FORGOTTEN = 7 * 24 * 60 * 60_000;

/** A request of which no clear answer came. */
export interface Unclear {
  readonly intent: OpenIntent;
  /** When the request was last on its way, at the latest. Milliseconds since 1970. */
  readonly sentBy: number;
  /** How long from then on it may still take effect. Milliseconds. */
  readonly horizonMs: number;
  /** Set where sending it again would only fail again. */
  readonly lasting?: ApiError;
}

export interface Settled {
  /** The object that the request created, if there is one. */
  readonly live: LiveObject | undefined;
  /** Ids of what is there now. */
  readonly known: readonly string[];
}

/** Finds out whether an object was created. @throws ChangeError `unknown` where that cannot be told */
export async function settle(task: Task, keys: readonly string[], unclear: Unclear): Promise<Settled> {
  const { clock, signal } = task.context;
  const { intent } = unclear;
  const end = unclear.sentBy + unclear.horizonMs;
  for (let probe = 0, empty = 0, failed = 0; ; probe += 1) {
    const isBeyond = clock.now() >= end;
    const objects = await task.listAll().catch((error: unknown) => unread(intent, error, failed + 1));
    const found = objects?.filter((live) => isCandidate(intent, keys, live) && task.isFree(live)) ?? [];
    if (found.length > 1) throw undecided(intent, `there are several: ids ${found.map(({ id }) => id).join(", ")}`);
    if (objects !== undefined && found.length === 1) return { live: found[0], known: [] };
    failed = objects === undefined ? failed + 1 : 0;
    empty = objects !== undefined && isBeyond ? empty + 1 : 0;
    if (objects !== undefined && empty >= EMPTY_PROBES) return { live: undefined, known: objects.map(({ id }) => id) };
    const wait = PROBE_WAITS[isBeyond ? 0 : Math.min(probe, PROBE_WAITS.length - 1)] ?? 0;
    await task.pause(isBeyond ? wait : Math.min(wait, end - clock.now()));
    if (signal?.aborted === true) throw undecided(intent, "it was interrupted before that could be told");
  }
}

/** Whether an object may be what an intent was about. */
function isCandidate({ known, replaces }: OpenIntent, keys: readonly string[], live: LiveObject): boolean {
  return live.id !== replaces && !known.includes(live.id) && isCalled(live, keys);
}

/** Whether an object has one of these natural keys, and is not one that stands in for another. */
export function isCalled(live: LiveObject, keys: readonly string[]): boolean {
  return live.standIn !== true && keys.some((key) => live.keys.includes(key));
}

/** Undefined where it is worth to look again. */
function unread(intent: OpenIntent, error: unknown, failed: number): undefined {
  if (!(error instanceof ApiError)) throw error;
  const mayPass = error.effect === "maybe" || ["network", "timeout", "incomplete"].includes(error.kind);
  if (!mayPass || failed >= FAILED_PROBES) {
    throw undecided(intent, `the list that would tell could not be read: ${error.message}`);
  }
}

function undecided({ kind, key }: OpenIntent, why: string): ChangeError {
  return new ChangeError(
    "unknown",
    "outcome_unknown",
    `${kind} ${JSON.stringify(key)} may have been created: ${why}`,
    "Run plan: it shows whether the object is there. The next apply settles it before anything else.",
  );
}

/**
 * Closes the intents of earlier runs whose objects the snapshot shows, and those that nobody will ask about any more. An
 * object of another scope's resource is not what an intent was about. The intent of a replace stays open while the object
 * that is to go is still there.
 */
export async function settleSeen({ journal, client, snapshot, clock }: ApplyContext, claims: Claims): Promise<void> {
  const own = journal.open().filter(({ url }) => url === client.url);
  await Promise.all(
    own.map(async (intent) => {
      const { address, objects } = listedFor(snapshot, intent);
      const isElsewhere = ({ kind, id }: LiveObject): boolean => {
        const owner = claims.ownerOf(kind, id);
        return owner !== undefined && scopeOf(owner) !== address;
      };
      const found = objects.find((live) => isCandidate(intent, [intent.key], live) && !isElsewhere(live));
      const isUnfinished = objects.some(({ id }) => id === intent.replaces);
      if (found !== undefined && !isUnfinished) await journal.settle(intent.id, found.id);
      else if (clock.now() - intent.at > FORGOTTEN) await journal.settle(intent.id, "forgotten");
    }),
  );
}

/**
 * The snapshot without the objects that an unfinished replace has created while the one that they take the place of is still
 * there: to a plan there is one object, the replaced one, and the replace to be done. Applying it finds the new object.
 */
export function withoutUnfinished(snapshot: LiveSnapshot, intents: readonly OpenIntent[], url: string): LiveSnapshot {
  const replacing = intents.filter((intent) => intent.url === url && intent.replaces !== undefined);
  const created = replacing.flatMap((intent) => {
    const { objects } = listedFor(snapshot, intent);
    if (!objects.some(({ id }) => id === intent.replaces)) return [];
    return objects.filter((live) => isCandidate(intent, [intent.key], live)).map(placeOf);
  });
  const hidden = new Set(created);
  const lists = [...snapshot.lists].map(
    ([key, list]) => [key, { ...list, objects: list.objects.filter((live) => !hidden.has(placeOf(live))) }] as const,
  );
  return { ...snapshot, lists: new Map(lists) };
}

/** Ids are shared by the kinds of a space, and objects are seen through the lists of several scopes. */
function placeOf({ kind, id }: LiveObject): string {
  return `${kinds[kind].space} ${id}`;
}

/** What the snapshot has seen in the scope and kind of an intent, siblings included. */
function listedFor(
  { scopes, lists }: LiveSnapshot,
  { kind, scope }: OpenIntent,
): { readonly address: string | undefined; readonly objects: readonly LiveObject[] } {
  const found = [...scopes].find(([, one]) => one.status === "known" && samePath(one.path, scope));
  const address = found?.[0];
  const names = allKinds.filter(({ name, siblings }) => name === kind || siblings.some((sibling) => sibling === kind));
  const objects = names.flatMap(({ name }) => lists.get(listKey(address ?? "", name))?.objects ?? []);
  return { address, objects: address === undefined ? [] : objects };
}

/** The scope of an address: `acme` of `acme/domains/corp`. */
function scopeOf(address: string): string {
  return address.split("/").slice(0, -2).join("/");
}

export function samePath(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  return Object.keys({ ...a, ...b }).every((key) => a[key] === b[key]);
}
