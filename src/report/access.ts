/** What all forms of an access report say. */
import { ACCESS_COLUMNS, type AccessDocument, type AccessPerson } from "../model/access.ts";
import { plural } from "../model/plural.ts";
import { quoted, visible } from "../model/quote.ts";

export function accessTitle({ organization: { name, id } }: AccessDocument): string {
  return `Access to ${name === null ? `organization ${visible(id)}` : quoted(name)}`;
}

/** The counts that a review looks at first, and what is not known. */
export function accessLead({ people, configured, diagnostics }: AccessDocument): readonly string[] {
  const members = people.filter(({ level }) => level !== "invited");
  const of = (wanted: (one: AccessPerson) => boolean): number => members.filter(wanted).length;
  const unknown = of(({ second_factor: shown }) => shown === "unknown");
  const counts = [
    `${plural(members.length, "person", "people")} (${plural(
      of(({ level }) => level === "owner"),
      "owner",
    )}, ${plural(
      of(({ level }) => level === "admin"),
      "admin",
    )})`,
    `${String(of(({ second_factor: shown }) => shown === "no"))} without a second factor`,
    ...(unknown === 0 ? [] : [`${String(unknown)} with an unknown second factor`]),
    people.some(({ invite }) => invite === "unknown")
      ? "how many are only invited is unknown"
      : `${String(people.length - members.length)} only invited`,
    configured
      ? `${String(people.filter(({ declared_in: file }) => file === null).length)} not declared`
      : "no configuration was read",
  ];
  const errors = diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
  return [`${counts.join(", ")}.`, ...errors.map((text) => `Incomplete: ${text}`)];
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
