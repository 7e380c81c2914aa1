/**
 * Reads the lists of events, actions and exclusions in filters from the nodes of a query.
 *
 * Terms: the elements of the lists are declared, the nodes are those of the query.
 * Premise: the `order` of an element decides its place among all nodes, and a query has nothing but the place. An id may be a
 * number or its text.
 * Algorithm: a node and an element with one id are partners; of several with that id, by place. The others are partners by place.
 * Each element is read from its partner, and stands where the node does among the elements sorted by `order`. If there are more
 * nodes than elements, or fewer, all that can be said is what the nodes are.
 */
import { isJsonObject, isValueObject, own, type Json, type JsonObject, type ValueObject } from "../../model/json.ts";
import { filterKeys } from "../../model/object.ts";
import { restateProperties } from "./filter-properties.ts";
import { NODE_KEYS, words } from "./query-nodes.ts";
import { copied, kindOf, restateKeys, spellingOf, type Notes } from "./restated.ts";

/** The lists of filters whose elements are nodes in a query. */
type EntityList = "events" | "actions" | "exclusions";

/** Returns the elements of a list as the nodes show them; undefined if there are no nodes to read them from. */
export function restateEntities(
  shown: Json | undefined,
  filters: ValueObject,
  list: EntityList,
  notes: Notes,
): Json | undefined {
  const elements = elementsOf(filters, list);
  if (elements === undefined || (!Array.isArray(shown) && elements.length > 0)) return undefined;
  const all: readonly Json[] = Array.isArray(shown) ? shown : [];
  const nodes = all.filter((node) => isJsonObject(node));
  const listed = nodesOf(nodes, list);
  if (listed.length !== elements.length) return listed.map((node) => ({ id: idOf(node), ...othersOf(node, {}) }));
  const partners = partnersOf(nodes, filters, list === "exclusions" ? [list] : ["events", "actions"]);
  const isSorted = areSorted(nodes.map((node) => orderOf(partners.get(node)?.element)));
  const places = sortedElements(filters, list).map(({ index }) => index);
  return elements.map((_, at) => {
    const node = listed[places.indexOf(at)] ?? {};
    const { element, index } = partners.get(node) ?? { element: {}, index: at };
    const read = (key: string, path: readonly string[]): Json | undefined => {
      const wanted = own(element, key);
      if (key === "order") return isSorted ? copied(wanted, path, notes) : nodes.indexOf(node);
      if (key === "properties") return restateProperties(node[key], wanted, path, notes);
      if (key === "id") return isNumberAsText(wanted, idOf(node)) ? copied(wanted, path, notes) : idOf(node);
      return key === "type" ? listOf(node) : readKey(node, key);
    };
    return { ...othersOf(node, element), ...restateKeys(element, ["filters", list, String(index)], notes, read) };
  });
}

/** The declared elements; undefined if they are not written as a list of objects. */
function elementsOf(filters: ValueObject, list: EntityList): readonly ValueObject[] | undefined {
  const elements = own(filters, list);
  if (!Array.isArray(elements)) return undefined;
  const objects = elements.filter((element) => isValueObject(element));
  return objects.length === elements.length ? objects : undefined;
}

function nodesOf(nodes: readonly JsonObject[], list: EntityList): readonly JsonObject[] {
  return list === "exclusions" ? nodes : nodes.filter((node) => listOf(node) === list);
}

/** The list whose elements a node stands for; null if it is a node of another kind. */
function listOf({ kind }: JsonObject): EntityList | null {
  return kind === "EventsNode" ? "events" : kind === "ActionsNode" ? "actions" : null;
}

function idOf({ kind, event = null, id = null }: JsonObject): Json {
  return kind === "EventsNode" ? event : id;
}

/** A declared element with its index in its list. */
interface Declared {
  readonly element: ValueObject;
  readonly index: number;
}

function sortedElements(filters: ValueObject, list: EntityList): readonly Declared[] {
  const declared = (elementsOf(filters, list) ?? []).map((element, index) => ({ element, index }));
  return declared.toSorted((a, b) => orderOf(a.element) - orderOf(b.element));
}

function partnersOf(
  nodes: readonly JsonObject[],
  filters: ValueObject,
  lists: readonly EntityList[],
): ReadonlyMap<JsonObject, Declared> {
  const pairs = lists.flatMap((list) => {
    const listed = nodesOf(nodes, list);
    const open = [...sortedElements(filters, list)];
    const namesakes = listed.map((node) => {
      const id = idOf(node);
      const at = open.findIndex(({ element }) => element["id"] === id || isNumberAsText(element["id"], id));
      return at === -1 ? undefined : open.splice(at, 1)[0];
    });
    return listed.flatMap((node, place): [JsonObject, Declared][] => {
      const partner = namesakes[place] ?? open.shift();
      return partner === undefined ? [] : [[node, partner]];
    });
  });
  return new Map(pairs);
}

function orderOf(element: ValueObject | undefined): number {
  return typeof element?.["order"] === "number" ? element["order"] : 0;
}

function areSorted(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => index === 0 || (numbers[index - 1] ?? 0) <= number);
}

function isNumberAsText(a: unknown, b: unknown): boolean {
  return (
    typeof a !== typeof b &&
    [typeof a, typeof b].every((type) => type === "number" || type === "string") &&
    String(a) === String(b)
  );
}

/** The keys of a node that the node names, or that say what it stands for. */
const OWN_KEYS: ReadonlySet<string> = new Set(["kind", "version", "response", "event", "id"]);

function othersOf(node: JsonObject, element: ValueObject): JsonObject {
  const declared = new Set(Object.keys(element).map(spellingOf));
  return filterKeys(node, (key) => !OWN_KEYS.has(key) && !declared.has(spellingOf(key)));
}

/** The keys of an exclusion that other nodes do not have. */
const STEPS: readonly string[] = ["funnelFromStep", "funnelToStep"];

function readKey(node: JsonObject, key: string): Json | undefined {
  const isKey = (name: string): boolean => spellingOf(name) === spellingOf(key);
  const shown = Object.keys(node).find(isKey);
  if (shown !== undefined) return own(node, shown);
  const isKnown = [...words(own(NODE_KEYS, kindOf(node)) ?? ""), ...STEPS].some(isKey);
  return isKnown ? null : undefined;
}
