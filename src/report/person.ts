/** People as somebody reads who reviews access: what they may do and how they sign in, not which row they are. */
import type { FieldValue } from "../model/change.ts";
import type { Json } from "../model/json/json.ts";
import type { KindName } from "../model/kind-name.ts";
import { LEVEL, levelsOf, wordOfLevel } from "../model/levels.ts";
import { groupBy } from "../model/group-by.ts";
import type { ShownChange, Unmanaged } from "../model/plan.ts";
import { firstOf, joinWords, MAX_NAMES, plural } from "../model/text/plural.ts";
import { cut, visible } from "../model/text/quote.ts";
import { inline } from "./escape.ts";
import { timeText } from "./time.ts";

const SECOND_FACTOR = "/is_2fa_enabled";
const JOINED = "/joined_at";
const DOMAIN = "/address_domain";
const EXPIRED = "/is_expired";

/** Whether {@link personText} says a value. */
export function isOfPerson(kind: KindName, { path }: FieldValue): boolean {
  return levelsOf(kind) !== undefined && [LEVEL, SECOND_FACTOR, JOINED, DOMAIN, EXPIRED].includes(path);
}

/** Such as `OWNER, no second factor, joined 2026-11-28 03:59 UTC`; "" if the values are of no person. Sanitized. */
export function personText(kind: KindName, values: readonly FieldValue[] = []): string {
  if (levelsOf(kind) === undefined) return "";
  const [level, factor, joined] = [LEVEL, SECOND_FACTOR, JOINED].map((path) => valueIn(values, path));
  // Only who has joined has a joining date.
  const lead = joined === undefined && factor === undefined ? "invited as " : "";
  const texts = [
    level === undefined ? "" : `${lead}${levelText(kind, level)}`,
    typeof factor === "boolean" ? `${factor ? "" : "no "}second factor` : "",
    valueIn(values, EXPIRED) === true ? "expired invite" : "",
    domainText(values),
    joined === undefined ? "" : `joined ${typeof joined === "string" ? visible(timeText(joined)) : inline(joined)}`,
  ];
  return texts.filter((text) => text !== "").join(", ");
}

/** Whether an address is of none of the organization's domains; "" if it is of one. Sanitized. */
function domainText(values: readonly FieldValue[]): string {
  const value = valueIn(values, DOMAIN);
  return typeof value === "string"
    ? cut(visible(value === "outside" ? "outside the domains" : value), MAX_ADDRESS)
    : "";
}

function levelText(kind: KindName, level: Json): string {
  return wordOfLevel(kind, level) ?? `level ${inline(level)}`;
}

/** What a change does to the rights of a person, such as `level member -> admin`; "" if it does nothing. Sanitized. */
export function rightsText({ action, kind, fields, removes }: ShownChange): string {
  const level = fields.find(({ path }) => path === LEVEL);
  if (levelsOf(kind) === undefined || level === undefined || action === "delete") return personText(kind, removes);
  const planned = levelText(kind, level.planned);
  return action === "create" ? `as ${planned}` : `${levelText(kind, level.prior)} -> ${planned}`;
}

/** What changes do to the rights of people, for the question before an apply: `Loses access: bob@acme.com (ADMIN).` Sanitized. */
export function rightsLines(changes: readonly ShownChange[]): readonly string[] {
  const ready = changes
    .filter(({ kind, blocked }) => blocked === null && levelsOf(kind) !== undefined)
    .toSorted(byRights);
  const lost = ready.filter(({ action }) => action === "delete");
  const lowered = ready.filter((change) => rightsGained(change) < 0);
  const given = ready.filter((change) => rightsGained(change) > 0);
  const line = (lead: string, people: readonly ShownChange[]): readonly string[] => {
    const names = people.map((change) => {
      const name = change.name ?? personAddress(change).replace(/^.*\//su, "");
      return `${cut(visible(name), MAX_ADDRESS)} (${rightsText(change)})`;
    });
    return names.length === 0 ? [] : [`${lead}: ${firstOf(names, MAX_NAMES)}.`];
  };
  return [...line("Loses access", lost), ...line("Loses rights", lowered), ...line("Gets a high level", given)];
}

/** By how much more somebody may after a change: below 0 for a demotion, 0 for a removal. */
function rightsGained({ action, kind, fields }: ShownChange): number {
  const level = fields.find(({ path }) => path === LEVEL);
  if (level === undefined || action === "delete") return 0;
  return rightsOf(kind, sideOf(level.planned)) - rightsOf(kind, sideOf(level.prior));
}

/** By how much more than an ordinary person somebody may, before or after a change of the level, an invite or a removal; else 0. */
export function rightsChanged({ kind, fields, removes }: ShownChange): number {
  const levels = fields.filter(({ path }) => path === LEVEL).flatMap(({ prior, planned }) => [prior, planned]);
  return Math.max(rightsOf(kind, removes), ...levels.map((level) => rightsOf(kind, sideOf(level))));
}

/** The order of changes for a reader: those of people with high rights first, the highest ones above all. */
export function byRights(a: ShownChange, b: ShownChange): number {
  return rightsChanged(b) - rightsChanged(a);
}

function sideOf(level: Json): readonly FieldValue[] {
  return level === null ? [] : [{ path: LEVEL, value: level }];
}

/** The same for somebody with these values. An unknown level may be the highest. */
function rightsOf(kind: KindName, values?: readonly FieldValue[]): number {
  const levels = levelsOf(kind);
  const level = valueIn(values, LEVEL);
  if (levels === undefined || level === undefined) return 0;
  return typeof level === "number" ? level - Math.min(...Object.values(levels)) : Number.MAX_SAFE_INTEGER;
}

/** Such as `owner`; undefined for a level that has no name. */
function wordOf({ kind, about }: Unmanaged): string | undefined {
  return wordOfLevel(kind, valueIn(about, LEVEL))?.toLowerCase();
}

function valueIn(values: readonly FieldValue[] = [], of: string): Json | undefined {
  return values.find(({ path }) => path === of)?.value;
}

/** Longer addresses are cut. Characters. */
const MAX_ADDRESS = 100;

/** People of a list who may more than the others, the highest rights first. */
export function withHighRights(unmanaged: readonly Unmanaged[]): readonly Unmanaged[] {
  const privileged = unmanaged.filter(({ kind, about }) => rightsOf(kind, about) > 0);
  return privileged.toSorted((a, b) => rightsOf(b.kind, b.about) - rightsOf(a.kind, a.about));
}

/** The same in words, such as `1 owner: rob@evil.example and 2 admins: ...`; "" if there are none. Sanitized. */
export function highRights(unmanaged: readonly Unmanaged[]): string {
  const inOrder = withHighRights(unmanaged);
  // Who is only invited counts as well: an invite can be accepted at any time.
  const texts = [...groupBy(inOrder, wordOf)].map(([word, people]) => {
    const shown = MAX_NAMES - inOrder.indexOf(people[0]);
    const names = people.map(({ key, id, about = [] }) => {
      const domain = domainText(about);
      return cut(visible(key ?? id), MAX_ADDRESS) + (domain === "" ? "" : ` (${domain})`);
    });
    const lead = word === undefined ? `${String(people.length)} at another level` : plural(people.length, word);
    return shown > 0 ? `${lead}: ${firstOf(names, shown)}` : lead;
  });
  return joinWords(texts, "and");
}

/** How many undeclared people have each of the high rights, the highest first, such as `1 undeclared owner`. */
export function countsOfRights(people: readonly Unmanaged[]): readonly string[] {
  const ofOther = (one: string): string => `undeclared ${one} at another level`;
  return [...groupBy(withHighRights(people), wordOf)].map(([word, { length }]) =>
    word === undefined ? plural(length, ofOther("person"), ofOther("people")) : plural(length, `undeclared ${word}`),
  );
}

/** `acme/memberships/mallory@evil.example` for an undeclared person, whose address has only an id. `import` takes both. */
export function personAddress({ kind, address, name }: Pick<ShownChange, "kind" | "address" | "name">): string {
  const isById = name !== undefined && levelsOf(kind) !== undefined;
  return isById ? address.replace(/\/id=[^/]*$/u, () => `/${name}`) : address;
}
