/** What all forms of an access report say. */
import { ACCESS_COLUMNS, type AccessDocument, type AccessPerson, LOOKS_LIKE } from "../model/access.ts";
import { firstOf, MAX_NAMES, plural } from "../model/plural.ts";
import { quoted, visible } from "../model/quote.ts";

export function accessTitle({ organization: { name, id } }: AccessDocument): string {
  return `Access to ${name === null ? `organization ${visible(id)}` : quoted(name)}`;
}

/** No list shows them. */
const LEFT_OUT = "Not in this report: personal API keys, roles, and access to single projects.";

/** Who may more than the others. */
const LEVELS = ["owner", "admin"];

/** The counts that a review looks at first, and what is not known. */
export function accessLead({ people, configured, diagnostics }: AccessDocument): readonly string[] {
  const members = people.filter(({ joined }) => joined !== null);
  const count = (among: readonly AccessPerson[], field: keyof AccessPerson, value: string | null): number =>
    among.filter((one) => one[field] === value).length;
  const levels = LEVELS.map((level) => plural(count(members, "level", level), level));
  const invited = people.filter(({ joined }) => joined === null);
  const expired = invited.filter(({ invite }) => invite?.startsWith("expired") === true);
  const open = invited.filter((one) => !expired.includes(one));
  const asLevels = (among: readonly AccessPerson[]): string => {
    const texts = LEVELS.map((level) => [count(among, "level", level), level] as const).filter(
      ([number]) => number > 0,
    );
    return texts.length === 0 ? "" : ` (${texts.map(([number, level]) => `${String(number)} as ${level}`).join(", ")})`;
  };
  const others = [
    [count(members, "second_factor", "unknown"), "with an unknown second factor"],
    [expired.length, `with an expired invite${asLevels(expired)}`],
    [count(people, "address_domain", "outside"), "outside the domains"],
  ] as const;
  const counts = [
    `${plural(members.length, "person", "people")} (${levels.join(", ")})`,
    `${String(count(members, "second_factor", "no"))} without a second factor`,
    people.some(({ invite }) => invite === "unknown")
      ? "how many are only invited is unknown"
      : `${String(open.length)} only invited${asLevels(open)}`,
    ...others.flatMap(([number, what]) => (number === 0 ? [] : [`${String(number)} ${what}`])),
    configured ? `${String(count(people, "declared_in", null))} not declared` : "no configuration was read",
  ];
  const errors = diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
  return [`${counts.join(", ")}.`, ...disguised(people), ...errors.map((text) => `Incomplete: ${text}`), LEFT_OUT];
}

/** Who has an address that only looks like one of the others. */
function disguised(people: readonly AccessPerson[]): readonly string[] {
  const found = people.filter(({ address_domain: domain }) => domain?.startsWith(LOOKS_LIKE) === true);
  const [first] = found;
  if (first === undefined) return [];
  const names = firstOf(
    found.map(({ person }) => visible(person)),
    MAX_NAMES,
  );
  return [`Make sure that you know ${names}: the domain ${visible(first.address_domain ?? "")}.`];
}

/** The words for what does not apply. */
const NONE: Readonly<Partial<Record<keyof AccessPerson, string>>> = {
  joined: "not joined",
  declared_in: "not declared",
  invite: "none",
};

/** The cells of a row, with `changed` at the end if that was asked for. */
export function accessCells(one: AccessPerson): readonly string[] {
  const cells = ACCESS_COLUMNS.map(({ field }) => one[field] ?? NONE[field] ?? "");
  return one.changed === undefined ? cells : [...cells, one.changed];
}
