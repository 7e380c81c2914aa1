import { canonicalJson } from "../../model/json.ts";
import { suggest } from "../../model/suggest.ts";
import { withExpansionLimit } from "./expansion-limit.ts";
import type { Problems } from "../problems.ts";
import { type Lookup, substitute } from "./substitute.ts";
import {
  describeNode,
  describePlace,
  type MapNode,
  mapMembers,
  type Node,
  type TreePosition,
  toValue,
} from "../tree/tree.ts";
import { didYouMean } from "../messages.ts";

/** A variable: the place where it is defined, and its value before substitution. */
interface Definition {
  readonly place: TreePosition;
  readonly node: Node;
  /** Given as text on the command line: no `${...}` is read in it. */
  readonly isFinal?: boolean;
}

export type Definitions = Map<string, Definition>;

/** What is defined under `variables` in the documents. */
export function declaredVariables(documents: readonly MapNode[], problems: Problems): Definitions {
  const definitions: Definitions = new Map();
  for (const document of documents) {
    const section = document.members.get("variables");
    if (section === undefined) continue;
    const members = mapMembers(section.value);
    if (members === undefined) {
      const message = `expected a mapping of variables, found ${describeNode(section.value)}`;
      problems.error(section.value, { code: "wrong_type", message });
    }
    for (const member of members?.values() ?? []) {
      const first = definitions.get(member.key);
      if (first === undefined) definitions.set(member.key, { place: member, node: member.value });
      else if (canonicalJson(toValue(first.node)) !== canonicalJson(toValue(member.value))) {
        const message = `variable ${member.key} has another value at ${describePlace(first.place)}`;
        problems.error(member, { code: "duplicate_variable", message, hint: "define it once" });
      }
    }
  }
  return definitions;
}

export interface LookupSources extends Omit<Lookup, "variable" | "environment"> {
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A file could not be read: what is not defined may have been in it. */
  readonly incomplete: boolean;
}

/** One that stands for another, which stands for another: more is an accident, and would exhaust the stack. */
const MAX_DEPTH = 200;

/** Looks values up. Variables are worked out once, all of them: one that is wrong is wrong even if nobody uses it. */
export function makeLookup(sources: LookupSources): Lookup {
  const { definitions, env, problems } = sources;
  const resolved = new Map<string, Node>();
  const resolving: string[] = [];
  const lookup: Lookup = withExpansionLimit({
    problems,
    file: sources.file,
    environment: (name, place) => lookUpEnvironment(name, place, env, problems),
    variable: (name, place) => {
      const definition = definitions.get(name);
      if (definition === undefined) return sources.incomplete ? undefined : unknownVariable(name, place, sources);
      const previous = resolved.get(name);
      if (previous !== undefined) return previous;
      if (resolving.includes(name)) {
        const chain = [...resolving.slice(resolving.indexOf(name)), name].join(" -> ");
        return problems.error(place, {
          code: "cyclic_variable",
          message: `variables use each other in a circle: ${chain}`,
        });
      }
      if (resolving.length >= MAX_DEPTH) {
        const message = `variables use each other more than ${MAX_DEPTH} levels deep`;
        return problems.error(place, { code: "too_deep", message });
      }
      resolving.push(name);
      const node = definition.isFinal ? definition.node : substitute(definition.node, lookup);
      resolving.pop();
      resolved.set(name, node);
      return node;
    },
  });
  for (const [name, { place }] of definitions) lookup.variable(name, place);
  return lookup;
}

function lookUpEnvironment(
  name: string,
  place: TreePosition,
  env: Readonly<Record<string, string | undefined>>,
  problems: Problems,
): string | undefined {
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  if (value !== undefined) return value;
  const hint = "set it, or use ${secret:...} for what is only needed when it is sent";
  return problems.error(place, {
    code: "unresolved_variable",
    message: `environment variable ${name} is not set`,
    hint,
  });
}

function unknownVariable(name: string, place: TreePosition, { definitions, problems }: LookupSources): undefined {
  const near = suggest(name, definitions.keys());
  const hint = didYouMean(near) ?? `define it under variables, or with --var ${name}=...`;
  return problems.error(place, { code: "unresolved_variable", message: `variable ${name} is not defined`, hint });
}
