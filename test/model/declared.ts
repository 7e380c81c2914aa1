/** The configuration of the model, and its edits. */
import * as fc from "fast-check";
import type { Dialect } from "../../src/emulator/index.ts";
import { ACME } from "../soak/resources.ts";
import { EXCLUSIVE, SLOTS, VARIANTS, type Slot } from "./slots.ts";

const MODES = ["plain", "protect", "ignore", "forget", "absent", "absent and protect"] as const;
type Mode = (typeof MODES)[number];

/** The declaration of a slot. */
export interface Entry {
  readonly variant: number;
  readonly renamed: boolean;
  /** Whether it still declares its former name. */
  readonly remembers: boolean;
  readonly mode: Mode;
}

/** The declared slots by number, and the exclusive collections by number. */
export interface Declared {
  readonly entries: ReadonlyMap<number, Entry>;
  readonly exclusive: ReadonlySet<number>;
}

export type Edit =
  | { readonly type: "declare"; readonly slot: number; readonly variant: number; readonly mode: Mode }
  | { readonly type: "undeclare" | "rename"; readonly slot: number }
  | { readonly type: "exclusive"; readonly collection: number };

const slot = fc.nat({ max: SLOTS.length - 1 });
const mode = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Mode>("plain") },
  { weight: 3, arbitrary: fc.constantFrom(...MODES) },
);

/** Every kind of edit. Additions and changes are most frequent. */
export const edits: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ type: fc.constant("declare" as const), slot, variant: fc.nat({ max: VARIANTS - 1 }), mode }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("undeclare" as const), slot }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("rename" as const), slot }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("exclusive" as const),
      collection: fc.nat({ max: EXCLUSIVE.length - 1 }),
    }),
  },
);

export const NOTHING: Declared = { entries: new Map(), exclusive: new Set() };
const isAbsent = (entry: Entry | undefined): boolean => entry?.mode.startsWith("absent") === true;

/** Returns the configuration after an edit. An edit that is not possible changes nothing. */
export function edited({ entries, exclusive }: Declared, edit: Edit, dialect: Dialect): Declared {
  if (edit.type === "exclusive") {
    const others = [...exclusive].filter((one) => one !== edit.collection);
    return { entries, exclusive: new Set(others.length < exclusive.size ? others : [...exclusive, edit.collection]) };
  }
  const place = SLOTS[edit.slot];
  const next = new Map(entries);
  const before = entries.get(edit.slot);
  if (place === undefined || (place.documentOnly === true && dialect === "deployed")) return { entries, exclusive };
  if (edit.type === "undeclare") next.delete(edit.slot);
  if (edit.type === "rename" && before !== undefined && place.names !== undefined && !isAbsent(before))
    next.set(edit.slot, { ...before, renamed: !before.renamed, remembers: true });
  if (edit.type === "declare") next.set(edit.slot, declared(place, edit.variant, edit.mode, before));
  return { entries: next, exclusive };
}

function declared(place: Slot, variant: number, wanted: Mode, before: Entry | undefined): Entry {
  const isSenseless = place.keeps === true || (wanted === "ignore" && place.field === undefined);
  const made: Entry = { variant, renamed: false, remembers: false, ...before, mode: isSenseless ? "plain" : wanted };
  return { ...made, variant, remembers: made.remembers && !isAbsent(made) };
}

/** The configuration as a tree. */
export function configurationOf({ entries, exclusive }: Declared): object {
  const exclusiveOf = (scope: string): object => {
    const names = EXCLUSIVE.filter((one, index) => one.scope === scope && exclusive.has(index));
    return names.length === 0 ? {} : { exclusive: names.map(({ collection }) => collection) };
  };
  const web: Record<string, unknown> = { id: "2", ...exclusiveOf("web") };
  const organizations: Record<string, unknown> = { acme: { id: ACME, ...exclusiveOf("acme"), projects: { web } } };
  for (const [index, place] of SLOTS.entries()) {
    const entry = entries.get(index);
    if (entry === undefined || !isPlaced(entries, place)) continue;
    put(organizations, place.address.split("/"), declarationOf(place, entry));
  }
  return { driftline: 1, service: { self: "owner@example.com" }, organizations };
}

/** Reports whether the organization of a slot is declared. Without it the slot cannot be declared. */
export function isPlaced(entries: Declared["entries"], { address }: Slot): boolean {
  const [organization = ""] = address.split("/");
  return organization === "acme" || [...entries.keys()].some((index) => SLOTS[index]?.address === organization);
}

function declarationOf(place: Slot, entry: Entry): object {
  const { variant, renamed, remembers, mode: how } = entry;
  const values = place.values(variant, renamed);
  const lifecycle: Record<string, unknown> = {
    ...(isAbsent(entry) ? { state: "absent" } : {}),
    ...(how.endsWith("protect") ? { protect: true } : {}),
    ...(how === "forget" ? { forget: true } : {}),
    ...(how === "ignore" ? { ignore: [place.field] } : {}),
    ...(place.keeps === true ? { create: true } : {}),
    ...(remembers ? { renamed_from: place.names?.[renamed ? 0 : 1] } : {}),
  };
  return Object.keys(lifecycle).length === 0 ? values : { ...values, lifecycle };
}

function put(tree: Record<string, unknown>, [name = "", ...rest]: readonly string[], value: object): void {
  if (rest.length === 0) tree[name] = { ...(tree[name] as object | undefined), ...value };
  else put((tree[name] ??= {}) as Record<string, unknown>, rest, value);
}
