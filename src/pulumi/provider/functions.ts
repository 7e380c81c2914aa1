/**
 * Answers the look-ups of a program. Nothing of them is in the state.
 *
 * Premise: they read the lists that the resources of the run read, so any number of them takes the pages of each list once.
 */
import { asText } from "../../kinds/keys.ts";
import { projectsOf } from "../../kinds/live-organization.ts";
import { kinds } from "../../kinds/registry.ts";
import type { Json } from "../../model/json/json.ts";
import { isPresent, type LiveObject } from "../../model/live.ts";
import { filterKeys } from "../../model/json/object.ts";
import { joinWords } from "../../model/text/plural.ts";
import { quoted } from "../../model/text/quote.ts";
import { didYouMean, suggest } from "../../model/text/suggest.ts";
import { FUNCTIONS, type FunctionName, type LookupFunction } from "../properties/functions.ts";
import { parseDeclared, type Properties } from "../properties/properties.ts";
import { withoutStack } from "./errors.ts";
import { readComplete } from "./list.ts";
import { listOrganizations } from "./scope-read.ts";
import { shownFields } from "./read.ts";
import type { ReadSession } from "./session.ts";

/** An object of a list, and the values that it can be found by. */
interface Candidate {
  readonly id: string;
  readonly names: readonly string[];
  readonly shown: () => Properties;
}

/** @throws Error if an argument is missing or unknown, if not exactly one object fits, or if a list is not known to be complete */
export function callFunction(session: () => ReadSession, name: FunctionName, given: Properties): Promise<Properties> {
  return withoutStack(async () => {
    const called: LookupFunction = FUNCTIONS[name];
    const args = filterKeys(given, (_, value) => value !== null && value !== "");
    requireArguments(name, called, args);
    const place = filterKeys(args, (key) => called.place.includes(key));
    if (called.kind === "project") return theOne(called, args, await projectsIn(session(), place));
    const kind = kinds[called.kind];
    const declared = parseDeclared(kind, place);
    const live = await readComplete(session(), declared);
    const candidates = live.objects
      .filter(isPresent)
      .map((object) => ({
        id: object.id,
        names: object.keys,
        found: object,
        shown: () => ({ ...shownFields(kind, place, object, live), id: object.id }),
      }));
    if (called.all !== undefined)
      return {
        ...args,
        [called.all]: candidates.filter(({ found: object }) => isWanted(object, args)).map((one) => one.shown()),
      };
    const [by = "", value = ""] = Object.entries(args).find(([key]) => called.by.includes(key)) ?? [];
    const wanted = by === "id" ? [] : kind.identity.declaredKeys({ [by]: value }, "");
    return theOne(called, args, candidates, wanted);
  });
}

function requireArguments(name: FunctionName, { place, by, all }: LookupFunction, args: Properties): void {
  const known = [...place, ...by];
  for (const key of Object.keys(args))
    if (!known.includes(key))
      throw new Error([`${name} has no argument ${key}.`, didYouMean(suggest(key, known)) ?? []].flat().join(" "));
  const missing = place.find((key) => args[key] === undefined);
  if (missing !== undefined) throw new Error(`${name} needs ${missing}`);
  if (all === undefined && by.filter((key) => args[key] !== undefined).length !== 1)
    throw new Error(`${name} needs ${by.length > 1 ? "exactly one of " : ""}${joinWords(by, "and")}`);
}

/** Whether an object has all the tags, and a name that begins as it is wanted. */
function isWanted({ values }: LiveObject, { tags = [], namePrefix = "" }: Properties): boolean {
  const own: Json = values["tags"] ?? [];
  const hasAll = [tags].flat().every((tag) => Array.isArray(own) && own.includes(tag));
  return hasAll && (asText(values["name"]) ?? "").startsWith(asText(namePrefix) ?? "");
}

/** The projects that the organization shows. Its tokens are left out. */
async function projectsIn(session: ReadSession, place: Properties): Promise<readonly Candidate[]> {
  const id = asText(place["organizationId"])?.toLowerCase() ?? "";
  const organization = (await listOrganizations(session)).byId.get(id);
  if (organization === undefined) throw new Error(`the key sees no organization ${quoted(id)}`);
  const projects = projectsOf(organization);
  if (projects === undefined)
    throw new Error(`the service does not list the projects of the organization ${quoted(id)}`);
  return projects.map(({ id: project, name }) => ({
    id: project,
    names: [name],
    shown: () => ({ ...place, id: project, projectId: Number(project), name }),
  }));
}

function theOne(
  { kind, by }: LookupFunction,
  args: Properties,
  candidates: readonly Candidate[],
  wanted: readonly string[] = [asText(args["name"]) ?? ""],
): Properties {
  const id = asText(args["id"])?.toLowerCase();
  const matching = candidates.filter((candidate) =>
    id === undefined ? candidate.names.some((key) => wanted.includes(key)) : candidate.id.toLowerCase() === id,
  );
  const [first] = matching;
  if (first !== undefined && matching.length === 1) return first.shown();
  const key = by.find((one) => args[one] !== undefined) ?? "";
  const value = asText(args[key]) ?? "";
  if (first === undefined) {
    const near = suggest(
      value,
      candidates.flatMap(({ names }) => names),
    );
    const hint = near === undefined ? [] : [`Did you mean ${quoted(near)}?`];
    throw new Error([`the key sees no ${kind} whose ${key} is ${quoted(value)}.`, ...hint].join(" "));
  }
  const ids = joinWords(
    matching.map((one) => one.id),
    "and",
  );
  throw new Error(
    `the ${key} of the ${kind} is not clear: ${quoted(value)} is that of ${ids}. Write the id instead of the look-up`,
  );
}
