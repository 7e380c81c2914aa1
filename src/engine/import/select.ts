/**
 * Which of the objects that can be imported a user asks for, by address or by the words of an answer, and why an argument adds nothing:
 * it is declared already, or it is not there.
 */
import { collectionOf } from "../../kinds/registry.ts";
import { withArticle } from "../../model/text/plural.ts";
import { command } from "../../model/command.ts";
import { isName, NAME_HINT } from "../../model/name.ts";
import { didYouMean, suggest } from "../../model/text/suggest.ts";
import { isUuid } from "../../model/uuid.ts";
import { engineError } from "../../model/engine-error.ts";
import { hasId } from "../../model/live.ts";
import { isWithin } from "../../model/resource.ts";
import { collectionsThatShow } from "../collections.ts";
import type { ImportCandidate, Importable } from "./candidates.ts";
import { kindNames } from "../../model/kind-name.ts";

/** What an argument of an import asks for: everything at or below an address, or one object, perhaps under a new name. */
interface ImportRequest {
  readonly text: string;
  readonly address: string;
  /** The collection and the last part of the address. */
  readonly collection: string;
  readonly last: string;
  readonly name?: string | undefined;
}

export interface Selection {
  readonly candidates: readonly ImportCandidate[];
  /** Why an argument adds nothing, as sentences. */
  readonly notes: readonly string[];
}

/**
 * The addresses that an answer to the list of candidates names: addresses, names as they stand in the list, or lines of it, with
 * title and id.
 *
 * @throws EngineError `invalid` if several candidates have a name
 */
export function namedInAnswer({ candidates }: Pick<Importable, "candidates">, answer: string): readonly string[] {
  const words = answer.replaceAll(/"(?:[^"\\]|\\.)*"|\(no name\)/gu, " ").matchAll(/([^\s/]\S*)(?:\s+id (\S+))?/gu);
  return [...words].map(([, word = "", id]) => {
    const address = word.replace(/\/+$/u, "");
    const matching = candidates.filter(({ name, live }) => name === address && (id === undefined || live.id === id));
    if (matching.length < 2) return matching[0]?.address ?? address;
    const all = matching.map((one) => one.address).join(", ");
    throw engineError(
      "invalid",
      "ambiguous_name",
      `several objects are listed as ${address}`,
      `Type one of these: ${all}`,
    );
  });
}

/** `acme/projects/web/insights/7` of `acme/projects/web/insights/sign-ups=7`: what an argument wants to be read. */
export function wantedAddress(text: string): string {
  return parseRequest(text).address;
}

/** A last part of `NAME=ID` gives the object a name. `id=ID` is how plans write an object that nothing declares. */
function parseRequest(text: string): ImportRequest {
  // Terraform names an insight by the ids of its project and of itself.
  const [, before, own] = /^(.*\/[^/=]+)=[^/=]+(?:\/[^/=]+)*\/([^/=]+)$/u.exec(text) ?? [];
  if (before !== undefined && own !== undefined)
    throw engineError("invalid", "invalid_id", `${JSON.stringify(text)} ends with no id`, `Write ${before}=${own}.`);
  const at = text.lastIndexOf("/");
  const collection = text.slice(0, Math.max(at, 0));
  const [, name, id] = /^([^=]+)=(.+)$/u.exec(text.slice(at + 1)) ?? [];
  const last = id ?? text.slice(at + 1);
  const address = at < 0 ? last : `${collection}/${last}`;
  return { text, address, collection, last, name: name === "id" ? undefined : name };
}

/**
 * Finds the objects that the arguments ask for. An object is named by the address that it would get, or by its id.
 *
 * @throws EngineError `invalid` if an argument names nothing that is known, or a name that cannot be used
 */
export function selectCandidates(importable: Importable, given: readonly string[]): Selection {
  const chosen = new Map<ImportCandidate, ImportCandidate>();
  const notes: string[] = [];
  for (const request of given.map(parseRequest)) {
    const requested = findRequested(importable, request);
    for (const candidate of requested) chosen.set(candidate, rename(candidate, request, importable));
    if (requested.length === 0) notes.push(noteOf(importable, request));
  }
  const candidates = [...chosen.values()];
  const twice = candidates.find(({ address }, index) => candidates.findIndex((one) => one.address === address) < index);
  if (twice !== undefined) throw nameTaken(twice.address);
  return { candidates, notes };
}

function findRequested(
  { candidates }: Importable,
  { address, collection, last, name }: ImportRequest,
): readonly ImportCandidate[] {
  const inside = candidates.filter((one) => isWithin(one.address, address));
  const shown = candidates.filter((one) => showsIn(one, collection));
  const byId = shown.filter((one) => hasId(one.live, last));
  // Reports name an undeclared person by e-mail.
  const byName = shown.filter(({ live }) => live.keys.includes(last.toLowerCase()));
  const matching = [inside, byId, byName.length === 1 ? byName : []].find(({ length }) => length > 0) ?? [];
  const isOne = matching.length === 1;
  if (name !== undefined && matching.length > 0 && !isOne)
    throw engineError(
      "invalid",
      "usage",
      `one name cannot be given to ${matching.length} objects`,
      `Name one object, for example ${collection}/${name}=${matching[0]?.live.id ?? ""}.`,
    );
  return matching;
}

/** Whether a collection shows the object. That of a person may be declared as a membership, and be listed as a member. */
export function showsIn(candidate: ImportCandidate, collection: string): boolean {
  return collectionsThatShow(candidate).includes(collection);
}

function rename(candidate: ImportCandidate, { name }: ImportRequest, { declared }: Importable): ImportCandidate {
  if (name === undefined || name === candidate.name) return candidate;
  if (candidate.name === candidate.live.keys[0] && candidate.live.kind !== candidate.kind)
    throw engineError(
      "invalid",
      "invalid_name",
      `${candidate.address} is declared by its e-mail address, so it cannot have the name ${JSON.stringify(name)}`,
      `Import it as ${candidate.address}.`,
    );
  if (!isName(name))
    throw engineError("invalid", "invalid_name", `${JSON.stringify(name)} is not a valid name`, NAME_HINT);
  const address = `${candidate.collection}/${name}`;
  if (declared.some((one) => one.address === address)) throw nameTaken(address);
  return { ...candidate, name, address };
}

function nameTaken(address: string): Error {
  return engineError("invalid", "duplicate_address", `${address} would be declared twice`, "Choose another name.");
}

/** Why an argument finds nothing to import. @throws EngineError if it names nothing that is known */
function noteOf({ candidates, declared, collections: asked, projects }: Importable, request: ImportRequest): string {
  const { text, address, collection, last, name } = request;
  const same = declared.find(
    (one) => one.address === address || (one.address.startsWith(`${collection}/`) && one.id === last),
  );
  if (same !== undefined) return `${text} is declared already${same.address === address ? "" : ` as ${same.address}`}.`;
  const places = [...asked, ...projects.map((project) => project.address)];
  const isPlace = places.some((place) => isWithin(place, address));
  if (isPlace) return `Nothing to import at ${text}: everything there is declared.`;
  const list = { hint: "To list what can be imported:", command: command("import") };
  const isId = name !== undefined || isUuid(last) || /^\d+$/u.test(last);
  if (isId && asked.includes(collection)) {
    const kind = kindNames.find((one) => collection.endsWith(`/${collectionOf(one)}`)) ?? "object";
    const message = `no list shows ${withArticle(kind)} with the id ${JSON.stringify(last)}`;
    throw engineError("invalid", "unknown_id", message, list);
  }
  const close =
    suggest(address, [...candidates, ...declared].map((one) => one.address).concat(places)) ??
    suggest(collection, places);
  throw engineError(
    "invalid",
    "unknown_address",
    `there is nothing to import at ${JSON.stringify(text)}`,
    didYouMean(close) ?? list,
  );
}
