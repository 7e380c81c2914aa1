import { isUuid } from "../model/uuid.ts";
import { compareNaturally } from "../model/compare-text.ts";
import { kindSchema } from "../kinds/fields.ts";
import { addressOf } from "../kinds/registry.ts";
import { own } from "../model/json/json.ts";
import type { KindName } from "../model/kind-name.ts";
import type { LoadedConfig } from "../config/index.ts";
import { MAX_SEARCHED_FILES, type UnreadFiles } from "../config/source/unread-files.ts";
import { overlaps, type PlanOptions } from "../model/plan.ts";
import { type DesiredGraph, isWithin } from "../model/resource.ts";
import { firstOf, MAX_ADDRESSES } from "../model/text/plural.ts";
import { didYouMean, suggest } from "../model/text/suggest.ts";
import { engineError } from "../model/engine-error.ts";
import { command } from "../model/command.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { CODES } from "../model/diagnostic-codes.ts";
import type { EngineInput } from "./context.ts";

/**
 * Checks that the addresses of the options exist. `only` also takes scopes, collections of exclusive kinds, and
 * objects that would be pruned.
 *
 * @throws EngineError `invalid` with the nearest address that is declared
 */
export function requireAddresses(config: LoadedConfig, options: PlanOptions): void {
  const { only, rotate, recreate = [] } = options;
  const { graph } = config;
  const prefixes = selectableAddresses(graph);
  const kindOf = new Map(graph.resources.map(({ address, kind }) => [address, kind]));
  for (const address of only) {
    // An object to be pruned is declared nowhere, but its collection is.
    const place = address.replace(/\/id=[^/]+$/, "");
    const isKnown = prefixes.has(address) || prefixes.has(place);
    const isExclusive = graph.exclusive.some((collection) => addressOf(collection) === place);
    if (!isKnown && !isExclusive) throw fieldAddress(address, kindOf) ?? unknownAddress(address, prefixes);
  }
  requireResources(config, [...rotate, ...recreate]);
}

/**
 * Checks that a plan that prunes has the whole configuration: what a file that was not read declares would be deleted.
 *
 * @returns what to say about it, for the hash of the plan
 * @throws EngineError `refused` with the files that are left out, if the input says nothing else
 */
export function checkWhole(input: EngineInput): (hash: string) => readonly Diagnostic[] {
  const { config, client, options, partial } = input;
  const all = new Set(config.graph.exclusive.map(({ scope }) => scope));
  const scopes = [...all].filter((scope) => overlaps(scope, options.only));
  if (!options.prune || scopes.length === 0) return () => [];
  const unread = config.unreadFiles(scopes, client.url);
  const warnings = unreadWarnings(unread);
  if (unread.files.length === 0) return () => warnings;
  const code = CODES.partialConfiguration;
  const files = firstOf(unread.files, MAX_ADDRESSES);
  const message = `${scopes.join(", ")} ${scopes.length === 1 ? "is" : "are"} exclusive, but only a part of the configuration was given: ${files} may declare what --prune would delete`;
  if (partial === undefined) {
    const hint = `${GIVE_TOO} Nothing was sent. To look at the plan, and get the hash that --approve takes:`;
    throw engineError("refused", code, message, { hint, command: command("plan") });
  }
  if (partial === "approved") return () => [{ severity: "warning", code, message, hint: GIVE_TOO }, ...warnings];
  const hint = `${GIVE_TOO} If this plan is right without them:`;
  return (hash) => [
    { severity: "error", code, message, hint, command: command("apply", { approve: hash }) },
    ...warnings,
  ];
}

const GIVE_TOO = "Give these files as paths, too.";

function unreadWarnings({ programs, isCut }: UnreadFiles): readonly Diagnostic[] {
  const named = `${firstOf(programs, MAX_ADDRESSES)} may declare what --prune would delete, and ${programs.length === 1 ? "is a program that is" : "are programs that are"} not run`;
  const cut = `only the first ${MAX_SEARCHED_FILES} files around the configuration were searched for more of it`;
  return [
    ...(programs.length === 0 ? [] : [{ message: named, hint: GIVE_TOO }]),
    ...(isCut ? [{ message: cut, hint: "Give every folder of the configuration as a path." }] : []),
  ].map((found): Diagnostic => ({ severity: "warning", code: "file_not_read", ...found }));
}

/** @throws EngineError `invalid` if no resource is declared at one of the addresses */
export function requireResources({ graph }: LoadedConfig, addresses: readonly string[]): void {
  const resources = new Set(declaredAddresses(graph));
  const unknown = addresses.find((address) => !resources.has(address));
  if (unknown !== undefined) throw unknownAddress(unknown, resources);
}

export function declaredAddresses({ resources }: DesiredGraph): readonly string[] {
  return resources.map(({ address }) => address);
}

/** Everything that `only` can name: resources, collections and scopes. */
export function selectableAddresses(graph: DesiredGraph): ReadonlySet<string> {
  return new Set(declaredAndProjects(graph).flatMap(prefixesOf));
}

function declaredAndProjects(graph: DesiredGraph): readonly string[] {
  return [...declaredAddresses(graph), ...graph.projects.map(({ address }) => address)];
}

/** Whether an argument that is no path is meant as an address: of the configuration, with or without an id, of Terraform, or an id alone. */
export function isMeantAsAddress(graph: DesiredGraph, text: string): boolean {
  return isBelowOrganization(graph, text) || isResourceOfTerraform(text) || isOnlyId(text);
}

function isOnlyId(text: string): boolean {
  return isUuid(text) || /^[\d/]+$/u.test(text);
}

/** Whether an address, or one with an id behind it, begins with a declared organization. */
function isBelowOrganization(graph: DesiredGraph, address: string): boolean {
  return organizationAddresses(graph).includes(address.split(/[/=]/u)[0] ?? "");
}

function organizationAddresses({ resources }: DesiredGraph): readonly string[] {
  return resources.filter(({ scope }) => scope === "").map(({ address }) => address);
}

/** @throws EngineError `invalid` if an address does not begin with a declared organization */
export function requireOrganizations({ graph }: LoadedConfig, addresses: readonly string[]): void {
  const organizations = organizationAddresses(graph);
  const wrong = addresses.find((address) => !isBelowOrganization(graph, address));
  if (wrong === undefined) return;
  const close = suggest(wrong, declaredAndProjects(graph));
  throw engineError(
    "invalid",
    "unknown_address",
    `${JSON.stringify(wrong)} is no address`,
    isResourceOfTerraform(wrong)
      ? `An address is written as ${organizations[0] ?? "ORGANIZATION"}/projects/PROJECT/COLLECTION/NAME, and an id behind it: ADDRESS=ID.`
      : isOnlyId(wrong)
        ? `Write the id after its address: ADDRESS=${wrong.split("/").at(-1) ?? ""}`
        : (didYouMean(close) ??
          `Addresses begin with ${organizations.join(" or ") || "the name of a declared organization"}.`),
  );
}

/** Whether a text is the address of a resource there, such as `posthog_insight.signups` or `module.web.posthog_insight.a[0]`. */
function isResourceOfTerraform(text: string): boolean {
  return /^(?:module\.[\w-]+\.)*[a-z]+(?:_[a-z]+)+\.[\w-]+(?:\[.*\])?$/u.test(text);
}

/** `acme`, `acme/domains` and `acme/domains/corp` of `acme/domains/corp`. */
function prefixesOf(address: string): readonly string[] {
  return address.split("/").map((_part, index, parts) => parts.slice(0, index + 1).join("/"));
}

function fieldAddress(address: string, kindOf: ReadonlyMap<string, KindName>): Error | undefined {
  for (const [resource, kind] of kindOf) {
    const field = address.startsWith(`${resource}/`) ? (address.slice(resource.length + 1).split("/")[0] ?? "") : "";
    if (own(kindSchema(kind).properties, field) === undefined) continue;
    const message = `${JSON.stringify(address)} is a field: only whole resources have addresses`;
    return engineError("invalid", "unknown_address", message, `Use ${resource}.`);
  }
  return undefined;
}

function unknownAddress(address: string, known: ReadonlySet<string>): Error {
  const isAbove = [...known].some((one) => isWithin(one, address));
  const message = isAbove
    ? `${JSON.stringify(address)} is not one resource, and one is needed here`
    : `nothing is declared at ${JSON.stringify(address)}`;
  return engineError("invalid", "unknown_address", message, addressHint(address, known));
}

/**
 * The known address that is near: one whose parts are all spelled almost the same, or one that ends the same. Without either,
 * what the part of the address that is right holds.
 */
function addressHint(address: string, known: ReadonlySet<string>): string {
  const prefixes = new Set([...known].flatMap(prefixesOf));
  const parts = address.split("/").filter((part) => part !== "");
  let near: string | undefined = "";
  let right = "";
  for (const part of parts) {
    const children = childrenOf(near, prefixes);
    const next = children.includes(part) ? part : suggest(part, children);
    near = next === undefined ? undefined : joinAddress(near, next);
    if (near === undefined) break;
    right = near;
  }
  if (near !== undefined && known.has(near)) return `Did you mean ${near}?`;
  for (const index of parts.keys()) {
    const end = `/${parts.slice(index).join("/")}`;
    const alike = [...known].filter((one) => one.endsWith(end)).toSorted(compareNaturally);
    if (alike.length > 0) return `Did you mean ${firstOf(alike, MAX_ADDRESSES, " or ")}?`;
  }
  const children = firstOf(childrenOf(right, prefixes), MAX_ADDRESSES);
  if (children === "") return `Did you mean ${right}?`;
  return right === "" ? `Addresses begin with ${children}.` : `${right} has ${children}.`;
}

/** The next parts of the addresses below an address; those of all addresses for "". */
function childrenOf(address: string, prefixes: ReadonlySet<string>): readonly string[] {
  const start = address === "" ? "" : `${address}/`;
  const below = [...prefixes].filter((one) => one.startsWith(start)).map((one) => one.slice(start.length));
  return below.filter((rest) => rest !== "" && !rest.includes("/")).toSorted(compareNaturally);
}

function joinAddress(address: string, part: string): string {
  return address === "" ? part : `${address}/${part}`;
}
