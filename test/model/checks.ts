/** The invariants after every run, checked with the emulator's log and store. */
import type { BareEmulator } from "../../src/emulator/emulator.ts";
import type { EmulatedKind, LoggedRequest, StoredObject } from "../../src/emulator/index.ts";
import type { OutcomesDocument } from "../../src/model/outcome.ts";
import type { CliResult } from "../support/cli.ts";
import { isPlaced, type Declared } from "./declared.ts";
import { EXCLUSIVE, SLOTS, type Slot } from "./slots.ts";
import { hold } from "./hold.ts";

/** More removals than this need an approval, which the runs of the model do not give. */
const DELETE_LIMIT = 5;
const KINDS: Readonly<Record<string, EmulatedKind>> = {
  domains: "domain",
  invites: "invite",
  members: "member",
  batch_exports: "batch_export",
  pipeline_destinations: "pipeline_destination",
  pipeline_frontend_apps: "pipeline_frontend_app",
  pipeline_import_apps: "pipeline_import_app",
  insights: "insight",
};

interface Live {
  readonly kind: EmulatedKind;
  readonly object: StoredObject;
}

/** Every object that can be removed, by the end of its path: `domains/ID`. */
export function liveByPath(emulator: BareEmulator): ReadonlyMap<string, Live> {
  const pathOf = (collection: string, object: StoredObject): string => {
    const user = object["user"] as { readonly uuid?: string } | undefined;
    return `${collection}/${collection === "members" ? (user?.uuid ?? "") : String(object.id)}`;
  };
  return new Map(
    Object.entries(KINDS).flatMap(([collection, kind]) =>
      emulator.find(kind).map((object): [string, Live] => [pathOf(collection, object), { kind, object }]),
    ),
  );
}

interface Deleting {
  readonly declared: Declared;
  readonly prune: boolean;
  readonly before: ReadonlyMap<string, Live>;
  readonly writes: readonly LoggedRequest[];
  readonly emulator: BareEmulator;
}

/** Every object that a run removed was declared absent, undeclared in an exclusive collection, or replaced. */
export function checkDeletes(deleting: Deleting): void {
  const { writes, before } = deleting;
  const removals = new Set(
    writes.filter(isRemoval).map(({ path }) => path.replace(/\/$/, "").split("/").slice(-2).join("/")),
  );
  hold(removals.size <= DELETE_LIMIT, `${String(removals.size)} objects were removed at once`, undefined, writes);
  for (const path of removals) {
    const live = before.get(path);
    // An object that an earlier run sent and that only exists now counts as existing before.
    const isOwn = writes.some((one) => one.method === "POST" && one.path.includes(`/${path.split("/")[0] ?? ""}`));
    if (live === undefined) hold(!isOwn, `removed what it may have made: ${path}`, undefined, writes);
    else hold(mayGo(deleting, live), `removed what was not to be: ${path}`, undefined, writes);
  }
}

function isRemoval({ method, body }: LoggedRequest): boolean {
  return method === "DELETE" || (method === "PATCH" && JSON.stringify(body ?? null).includes('"deleted":true'));
}

function mayGo({ declared, prune, emulator }: Deleting, { kind, object }: Live): boolean {
  const index = SLOTS.findIndex((slot) => isAt(slot, kind, object));
  const place = SLOTS[index];
  const entry = declared.entries.get(index);
  if (place === undefined || entry === undefined || !isPlaced(declared.entries, place))
    return prune && isExclusive(declared, kind, object);
  if (entry.mode === "absent") return true;
  if (entry.mode !== "plain" && entry.mode !== "ignore") return false;
  // An object with the other name is unmanaged unless the new name declares a rename from it.
  const isOther = place.names !== undefined && object["name"] !== place.names[entry.renamed ? 1 : 0];
  if (isOther && prune && isExclusive(declared, kind, object)) return true;
  if (place.replaced !== true) return false;
  // There is no gap: the new export exists before the old one is removed.
  return kind !== "batch_export" || emulator.find(kind, (one) => isAt(place, kind, one)).length > 0;
}

/** Distinguishes exports of the organization from those of the project by their names. */
function isAt({ stored, is }: Slot, kind: EmulatedKind, object: StoredObject): boolean {
  return stored.includes(kind) && is(object);
}

function isExclusive({ exclusive }: Declared, kind: EmulatedKind, object: StoredObject): boolean {
  return EXCLUSIVE.some(
    (one, index) =>
      exclusive.has(index) && one.stored === kind && (kind !== "batch_export" || object["project_id"] === 2),
  );
}

/** No slot has two objects. Only the model uses the names of slots. */
export function checkOnce(emulator: BareEmulator): void {
  for (const place of SLOTS) {
    const [kind] = place.stored;
    const found = kind === undefined || kind === "member" ? [] : emulator.find(kind, place.is);
    for (const name of new Set(found.map((object) => object["name"]))) {
      const objects = found.filter((object) => object["name"] === name);
      // A replaced export exists beside the new one until all other changes have succeeded.
      const types = new Set(
        objects.map((object) => (object["destination"] as { readonly type?: string } | undefined)?.type),
      );
      const most = kind === "batch_export" ? types.size : 1;
      hold(
        objects.length <= most,
        `${place.address} is there ${String(objects.length)} times: ${JSON.stringify(objects)}`,
      );
    }
  }
}

interface Applied {
  readonly result: CliResult;
  readonly outcomes: OutcomesDocument;
  readonly emulator: BareEmulator;
  readonly log: readonly LoggedRequest[];
  /** Whether any outcome may be unknown. */
  readonly isUnclear: boolean;
}

/** The outcomes and the exit code of an apply are correct. */
export function checkApply({ result, outcomes, emulator, log, isUnclear }: Applied): void {
  const check = (holds: boolean, what: string): void =>
    hold(
      holds,
      what,
      result,
      log.filter(({ method }) => method !== "GET"),
    );
  check(
    outcomes.requests === log.length,
    `${String(outcomes.requests)} requests are reported, ${String(log.length)} arrived`,
  );
  const statuses = new Set(outcomes.changes.map(({ status }) => status));
  if (result.code === 15) check(statuses.has("unknown") && isUnclear, "exit code 15 is wrong");
  if (result.code === 14) check(statuses.has("unverified") || statuses.size > 1, "exit code 14 is wrong");
  if (result.code === 13)
    check(
      outcomes.changes.some(({ blocked }) => blocked !== null),
      "exit code 13 is wrong",
    );
  if (result.code === 11)
    check(
      log.some(({ status }) => status === 401 || status === 403),
      "exit code 11 is wrong",
    );
  if (result.code === 12)
    check(
      outcomes.changes.every(({ status }) => status !== "applied"),
      "exit code 12 is wrong",
    );
  if (result.code === 0)
    check(
      [...statuses].every((status) => status === "applied" || status === "unchanged"),
      "exit code 0 is wrong",
    );
  for (const { address, action, status } of outcomes.changes) {
    const place = SLOTS.find((slot) => slot.address === address);
    if (place === undefined) continue;
    const count = place.stored.flatMap((kind) => emulator.find(kind, place.is)).length;
    if (action === "create" && status === "applied") check(count > 0, `${address} does not exist`);
    if (action === "create" && status === "failed")
      check(count === 0 || place.names !== undefined, `${address} exists`);
    if (action === "delete" && status === "applied")
      check(count === 0 || place.names !== undefined, `${address} still exists`);
  }
}
