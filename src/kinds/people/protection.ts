/** Settings that protect an organization, and what it means for its people that a change turns one off. */
import type { Change, ChangeWithWork } from "../../model/change.ts";
import type { Value, ValueObject } from "../../model/json/json.ts";
import type { KindName } from "../../model/kind-name.ts";
import type { LiveObject } from "../../model/live.ts";
import { filterKeys } from "../../model/json/object.ts";
import { isNamedBy } from "../../model/pointer.ts";
import { visible } from "../../model/text/quote.ts";
import { isWanted, type Resource } from "../../model/resource.ts";
import { type ChangeWarning, type Check, beforeAndAfter } from "../check.ts";
import { JOINING, SHUTTING } from "../entrances.ts";
import type { World } from "../world.ts";
import { affectedText, allMembers, isOfDomains } from "./members.ts";
import { ADMIN, isPerson, levelOf, levelText, rightsOf } from "./people.ts";

interface Protection {
  readonly kind: KindName;
  readonly field: string;
  readonly isOn: (value: Value | undefined) => boolean;
  /** What happens without it. */
  readonly without: string;
  /** Who is concerned most, if the rows of members show that. @param name of the object that has the setting */
  readonly who?: { readonly what: string; readonly isOne: (member: LiveObject, name: string) => boolean };
}

/** What protects besides the fields of {@link PROTECTIONS}: the level of a person, and what keeps an object from being removed. */
export const LEVEL = "level";
export const PROTECT = "lifecycle.protect";

const isTrue = (value: Value | undefined): boolean => value === true;
const isFalse = (value: Value | undefined): boolean => value === false;

const PROTECTIONS: readonly Protection[] = [
  {
    kind: "organization",
    field: "enforce_2fa",
    isOn: isTrue,
    without: "people can sign in without a second factor",
    who: { what: "without one", isOne: ({ about }) => about?.["is_2fa_enabled"] === false },
  },
  { kind: "organization", field: "enforce_verified_domains", isOn: isTrue, without: "people of any domain get in" },
  {
    kind: "organization",
    field: "members_can_use_personal_api_keys",
    isOn: isFalse,
    without: "plain members can use personal API keys",
  },
  { kind: "organization", field: "members_can_invite", isOn: isFalse, without: "plain members can invite people" },
  {
    kind: "organization",
    field: "members_can_create_projects",
    isOn: isFalse,
    without: "plain members can create projects",
  },
  {
    kind: "organization",
    field: "allow_publicly_shared_resources",
    isOn: isFalse,
    without: "members can share dashboards and insights with everybody who has the link",
  },
  {
    kind: "organization",
    field: "read_only_mcp_access",
    isOn: isTrue,
    without: "AI agents can write through the MCP server",
  },
  {
    kind: "organization",
    field: "default_anonymize_ips",
    isOn: isTrue,
    without: "new projects keep the IP addresses of events",
  },
  {
    kind: "domain",
    field: SHUTTING,
    isOn: (value) => typeof value === "string" && value.trim() !== "",
    without: "its people sign in as they like, with a password as well",
    who: { what: "with an address there", isOne: (one, name) => isOfDomains(one, [name]) },
  },
  {
    kind: "domain",
    field: JOINING,
    isOn: isFalse,
    without: "everybody who signs in with an address there becomes a member",
  },
];

/** The kinds whose objects protect, or are people. */
function isSecured(kind: KindName): boolean {
  return isPerson(kind) || PROTECTIONS.some((one) => one.kind === kind);
}

/** A resource as files declare it, checked or not. */
export type Declared = Pick<Resource, "kind" | "lifecycle"> & { readonly values: Readonly<Record<string, unknown>> };

/** Whether nothing of a resource that matters for security is watched. */
export function isLeftToOthers({ kind, lifecycle }: Pick<Declared, "kind" | "lifecycle">): boolean {
  return lifecycle.forget === true && isSecured(kind);
}

/** The names of what is declared, may protect, and is compared: not what `lifecycle.ignore` leaves to others. */
export function watchedIn({ kind, values, lifecycle: { ignore = [], protect } }: Declared): readonly string[] {
  const fields = [
    ...(isPerson(kind) ? [LEVEL] : []),
    ...PROTECTIONS.flatMap((one) => (one.kind === kind ? one.field : [])),
  ];
  const watched = fields.filter((field) => Object.hasOwn(values, field) && !isNamedBy(ignore, [field]));
  return protect === true ? [...watched, PROTECT] : watched;
}

/** Those of {@link watchedIn} that do protect. */
export function protectionsIn(resource: Resource): readonly string[] {
  return watchedIn(resource).filter((name) =>
    PROTECTIONS.every(
      ({ kind, field, isOn }) => kind !== resource.kind || field !== name || isOn(resource.values[field]),
    ),
  );
}

/**
 * What is said of the values that would take the place of others in an object, if they protect its people less.
 *
 * @param what what becomes of a protection, such as `is turned off by an apply`
 * @param before undefined if it is not known that they were on, or if there was no object
 */
export function turnedOffWarnings(
  { kind, address, work }: Change,
  what: string,
  {
    world,
    before,
    after,
    hint = "Make sure that this is meant.",
  }: { world: World; before?: ValueObject; after: ValueObject; hint?: string },
): readonly ChangeWarning[] {
  const { scope = "", live } = work ?? {};
  const name = live?.keys[0] ?? work?.key ?? address;
  const organization = kind === "organization" ? address : scope;
  const { objects: members = [] } = allMembers(world, organization);
  const off = PROTECTIONS.filter(
    ({ kind: of, field, isOn }) =>
      of === kind &&
      Object.hasOwn(after, field) &&
      (before === undefined || isOn(before[field])) &&
      !isOn(after[field]),
  );
  return off.map(({ field, without, who }) => {
    const people = members.filter((one) => who?.isOne(one, name));
    const concerned = who && affectedText(people, members, who.what);
    const value = `${field}: ${JSON.stringify(after[field])}`;
    const message = `a protection of ${visible(name)} ${what} (${value}): ${without}`;
    return {
      code: "protection_off",
      field,
      message: concerned === undefined ? message : `${message}. It concerns ${concerned}`,
      hint,
    };
  });
}

const protections: Check = {
  ofWholePlan: true,
  inspect: (plan) => (change) => {
    const { world } = plan;
    const isPlan = plan.purpose === "plan";
    const { live, body, scope } = change.work;
    // A new organization has no people yet. Of a new domain, only what lets people in says more than the default.
    if (isPlan && change.action === "create" && scope !== "") {
      const after = filterKeys(body, (field) => body[field] === true);
      return { warnings: turnedOffWarnings(change, "is off from the beginning", { world, after }) };
    }
    const isWritten = change.action === "update" || change.action === "replace";
    const sides = isWritten && live ? beforeAndAfter(plan, live.values, body) : undefined;
    if (sides === undefined) return undefined;
    if (isPlan) return { warnings: turnedOffWarnings(change, "is turned off by an apply", { world, ...sides }) };
    const back = change.blocked === null ? "An apply turns it on again. " : "";
    const hint = `${back}Find out who turned it off.`;
    return { warnings: turnedOffWarnings(change, "is off on the service", { world, ...sides, hint }) };
  },
};

/** What is off on the service, and stays so: the files declare it and leave it to others. */
const ignoredProtections: Check = {
  ofWholePlan: true,
  inspect:
    ({ world }) =>
    (change) => {
      const before = ignoredValues(change);
      const { live } = change.work;
      if (before === undefined || live === undefined) return undefined;
      const what = "is off on the service and ignored (lifecycle.ignore), so no apply restores it";
      return { warnings: turnedOffWarnings(change, what, { world, before, after: live.values, hint: UNIGNORE }) };
    },
};

/** A level on the service that is not the declared one, and stays so. */
export const ignoredLevel: Check = {
  ofWholePlan: true,
  inspect: () => (change) => {
    const { [LEVEL]: declared } = ignoredValues(change) ?? {};
    const { [LEVEL]: live } = change.work.live?.values ?? {};
    if (declared === undefined || live === undefined || live === declared) return undefined;
    const [name = change.address] = change.work.live?.keys ?? [];
    const message = `${visible(name)} has the level ${levelText(live)}, not ${levelText(declared)}, and the level is ignored (lifecycle.ignore), so no apply restores it`;
    return { warnings: [{ code: "protection_off", field: LEVEL, message, hint: UNIGNORE }] };
  },
};

/** Who administers the organization and is left to others: no other report names that person. */
export const forgottenRights: Check = {
  ofWholePlan: true,
  inspect:
    () =>
    ({ address, work: { live, resource } }) => {
      const level = live && levelOf(live);
      const isLow = level === undefined || rightsOf(level) < ADMIN;
      if (resource?.lifecycle.forget !== true || isLow || live?.state === "expired") return undefined;
      const message = `${visible(live?.keys[0] ?? address)} has the level ${levelText(level)} and is left to others (lifecycle.forget), so nothing watches it`;
      return {
        warnings: [{ code: "protection_off", message, hint: "Declare the level in the place of lifecycle.forget." }],
      };
    },
};

const UNIGNORE = "To have drift watch it and apply restore it, take it out of lifecycle.ignore.";

/** The declared values that are left to others. */
function ignoredValues({ work: { resource } }: ChangeWithWork): ValueObject | undefined {
  if (resource === undefined || !isWanted(resource.lifecycle)) return undefined;
  const { ignore = [] } = resource.lifecycle;
  return filterKeys(resource.values, (field) => isNamedBy(ignore, [field]));
}

export const PROTECTION_CHECKS: readonly Check[] = [protections, ignoredProtections];
