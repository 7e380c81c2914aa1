/** People as somebody reads who reviews access: what they may do and how they sign in, not which row they are. */
import type { FieldValue } from "../model/change.ts";
import { type Json, own } from "../model/json.ts";
import { type KindName, valueNames } from "../model/kind-name.ts";
import { groupBy } from "../model/group-by.ts";
import type { ShownChange, Unmanaged } from "../model/plan.ts";
import { firstOf, joinWords, MAX_NAMES, plural } from "../model/plural.ts";
import { cut, visible } from "../model/quote.ts";
import { inline } from "./escape.ts";
import { timeText } from "./time.ts";

const [LEVEL, SECOND_FACTOR, JOINED] = ["/level", "/is_2fa_enabled", "/joined_at"];

/** The words for levels; undefined if the objects of a kind are no people. */
function levelsOf(kind: KindName): Readonly<Record<string, number>> | undefined {
  return own(own(valueNames, kind), LEVEL);
}

/** Whether {@link personText} says a value. */
export function isOfPerson(kind: KindName, { path }: FieldValue): boolean {
  return levelsOf(kind) !== undefined && [LEVEL, SECOND_FACTOR, JOINED].includes(path);
}

/** Such as `OWNER, no second factor, joined 2026-11-28 03:59 UTC`; "" if the values are of no person. Sanitized. */
export function personText(kind: KindName, values: readonly FieldValue[] = []): string {
  const levels = levelsOf(kind);
  if (levels === undefined) return "";
  const valueAt = (path: string): Json | undefined => values.find((one) => one.path === path)?.value;
  const [level, factor, joined] = [LEVEL, SECOND_FACTOR, JOINED].map(valueAt);
  // Only who has joined has a joining date.
  const lead = joined === undefined && factor === undefined ? "invited as " : "";
  const texts = [
    level === undefined ? "" : `${lead}${levelText(level, levels)}`,
    factor === false ? "no second factor" : factor === true ? "second factor" : "",
    joined === undefined ? "" : `joined ${isTime(joined) ? timeText(joined) : inline(joined)}`,
  ];
  return texts.filter((text) => text !== "").join(", ");
}

function nameOf(level: Json | undefined, levels: Readonly<Record<string, number>>): string | undefined {
  return Object.keys(levels).find((word) => levels[word] === level);
}

/** Who may more than the others stands out. */
function levelText(level: Json, levels: Readonly<Record<string, number>>): string {
  const name = nameOf(level, levels);
  if (name === undefined) return `level ${inline(level)}`;
  return level === Math.min(...Object.values(levels)) ? name : name.toUpperCase();
}

function isTime(value: Json): value is string {
  return typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*Z$/u.test(value);
}

/** What a change does to the rights of a person, such as `level member -> admin`; "" if it does nothing. Sanitized. */
export function rightsText({ action, kind, fields, removes }: ShownChange): string {
  const levels = levelsOf(kind);
  const level = fields.find(({ path }) => path === LEVEL);
  if (levels === undefined || level === undefined || action === "delete") return personText(kind, removes);
  const planned = levelText(level.planned, levels);
  return action === "create" ? `as ${planned}` : `${levelText(level.prior, levels)} -> ${planned}`;
}

/** By how much more than an ordinary person somebody may who is removed: 0 for everybody else. */
export function rightsRemoved({ action, kind, removes }: ShownChange): number {
  return action === "delete" ? rightsOf(kind, removes) : 0;
}

/** The same for somebody with these values. An unknown level may be the highest. */
function rightsOf(kind: KindName, values?: readonly FieldValue[]): number {
  const levels = levelsOf(kind);
  const level = levelIn(values);
  if (levels === undefined || level === undefined) return 0;
  return typeof level === "number" ? level - Math.min(...Object.values(levels)) : Number.MAX_SAFE_INTEGER;
}

function levelIn(values: readonly FieldValue[] = []): Json | undefined {
  return values.find(({ path }) => path === LEVEL)?.value;
}

/** Longer addresses are cut. Characters. */
const MAX_ADDRESS = 100;

/** Undeclared people who may more than the others, such as `1 owner: rob@evil.example, 2 admins: ...`; "" if there are none. Sanitized. */
export function undeclaredRights(unmanaged: readonly Unmanaged[]): string {
  const found = unmanaged.filter(({ kind, about }) => rightsOf(kind, about) > 0);
  const inOrder = found.toSorted((a, b) => rightsOf(b.kind, b.about) - rightsOf(a.kind, a.about));
  // Who is only invited counts as well: an invite can be accepted at any time.
  const texts = [...groupBy(inOrder, ({ kind, about }) => nameOf(levelIn(about), levelsOf(kind) ?? {}))].map(
    ([word, people]) => {
      const shown = MAX_NAMES - inOrder.indexOf(people[0]);
      const names = people.map(({ key, id }) => cut(visible(key ?? id), MAX_ADDRESS));
      const counted = word === undefined ? `${String(people.length)} at another level` : plural(people.length, word);
      return shown > 0 ? `${counted}: ${firstOf(names, shown)}` : counted;
    },
  );
  return joinWords(texts, "and");
}

/** `acme/memberships/mallory@evil.example` for an undeclared person, whose address has only an id. `import` takes both. */
export function personAddress({ kind, address, name }: Pick<ShownChange, "kind" | "address" | "name">): string {
  const isById = name !== undefined && levelsOf(kind) !== undefined;
  return isById ? address.replace(/\/id=[^/]*$/u, () => `/${name}`) : address;
}
