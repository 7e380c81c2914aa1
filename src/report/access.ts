/** What all forms of an access report say. */
import {
  ACCESS_COLUMNS,
  type AccessDocument,
  type AccessPerson,
  type AccessSettings,
  LOOKS_LIKE,
  type Shown,
} from "../model/access.ts";
import { groupBy } from "../model/group-by.ts";
import { firstOf, MAX_NAMES, plural } from "../model/text/plural.ts";
import { quoted, visible } from "../model/text/quote.ts";

export function accessTitle({ organization: { name, id } }: AccessDocument): string {
  return `Access to ${name === null ? `organization ${visible(id)}` : quoted(name)}`;
}

/** No list shows them. */
const LEFT_OUT = "Not shown: personal API keys, roles, and members' access to single projects.";

/** Who may more than the others. */
const LEVELS = ["owner", "admin"];

/** The counts that a review looks at first, and what is not known. */
export function accessLead({ people, configured, diagnostics, settings }: AccessDocument): readonly string[] {
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
  return [
    `${counts.join(", ")}.`,
    settingsText(settings),
    ...disguised(people),
    ...errors.map((text) => `Incomplete: ${text}`),
    LEFT_OUT,
  ];
}

/** What the organization asks of its people. A service that does not show the newer settings has none of them. */
function settingsText({ sso_enforcement: enforcing, ...settings }: AccessSettings): string {
  const words = { yes: "on", no: "off", unknown: "unknown" };
  const texts = Object.entries(settings)
    .filter(([field, shown]) => field === "enforce_2fa" || shown !== "unknown")
    .map(([field, shown]: readonly [string, Shown]) => `${field} ${words[shown]}`);
  const domains = enforcing?.map(({ domain, method }) => `${visible(domain)} (${visible(method)})`) ?? ["unknown"];
  const signIn = `sign-in enforced by ${domains.length === 0 ? "no domain" : firstOf(domains, MAX_NAMES)}`;
  return `Settings: ${[...texts, signIn].join(", ")}.`;
}

/** Who has an address that only looks like one of the others. */
function disguised(people: readonly AccessPerson[]): readonly string[] {
  const names = people.flatMap(({ person, address_domain: domain }) =>
    domain?.startsWith(LOOKS_LIKE) === true ? `${visible(person)} (${visible(domain)})` : [],
  );
  return names.length === 0 ? [] : [`Make sure that you know ${firstOf(names, MAX_NAMES)}.`];
}

/** What a review looks at first, with the title of the people it is true of. */
const CONCERNS: readonly (readonly [title: string, isTrue: (one: AccessPerson) => boolean])[] = [
  // A level that has no name may be a high one.
  ["Owners and admins", ({ level }) => LEVELS.includes(level) || /^(?:\d|unknown)/u.test(level)],
  ["Without a second factor", ({ second_factor: factor }) => factor === "no"],
  [
    "Outside the domains, or look-alikes",
    ({ address_domain: domain }) => domain === "outside" || domain?.startsWith(LOOKS_LIKE) === true,
  ],
  ["Not declared", ({ declared_in: file }) => file === null],
  ["Everybody else", () => true],
];

export interface AccessSection {
  readonly title: string;
  readonly people: readonly [AccessPerson, ...AccessPerson[]];
}

/** Everybody once, under the first concern, and there by level, and then by the number of concerns. */
export function accessSections(people: readonly AccessPerson[]): readonly AccessSection[] {
  const concernsOf = (one: AccessPerson): readonly string[] =>
    CONCERNS.flatMap(([title, isTrue]) => (isTrue(one) ? [title] : []));
  const rank = ({ level }: AccessPerson): number => [...LEVELS, level].indexOf(level);
  const inOrder = people.toSorted((a, b) => rank(a) - rank(b) || concernsOf(b).length - concernsOf(a).length);
  const sections = groupBy(inOrder, (one) => concernsOf(one)[0]);
  return CONCERNS.flatMap(([title]) => {
    const inSection = sections.get(title);
    return inSection === undefined ? [] : [{ title, people: inSection }];
  });
}

/** The words for what does not apply. */
const NONE: Readonly<Partial<Record<keyof AccessPerson, string>>> = {
  joined: "not joined",
  declared_in: "not declared",
  invite: "none",
};

/** The cells of a row, with `changed` at the end if that was asked for. */
export function accessCells(one: AccessPerson, columns = ACCESS_COLUMNS): readonly string[] {
  const cells = columns.map(({ field }) => one[field] ?? NONE[field] ?? "");
  return one.changed === undefined ? cells : [...cells, one.changed];
}

/** The day of a time. Any other text stays as it is. */
export function dayOf(text: string): string {
  return text.replace(/^(\d{4}-\d\d-\d\d)T.*$/su, "$1");
}
