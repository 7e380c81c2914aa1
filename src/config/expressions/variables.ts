import { canonicalJson } from "../../model/json.ts";
import { suggest } from "../../model/suggest.ts";
import { withExpansionLimit } from "./expansion-limit.ts";
import type { Problems } from "../problems.ts";
import { type Lookup, substitute } from "./substitute.ts";
import {
  describe,
  describePlace,
  type MapNode,
  membersOf,
  type Node,
  type TreePosition,
  valueOf,
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
    const members = membersOf(section.value);
    if (members === undefined) {
      const message = `expected a mapping of variables, found ${describe(section.value)}`;
      problems.error(section.value, { code: "wrong_type", message });
    }
    for (const member of members?.values() ?? []) {
      const first = definitions.get(member.key);
      if (first === undefined) definitions.set(member.key, { place: member, node: member.value });
      else if (canonicalJson(valueOf(first.node)) !== canonicalJson(valueOf(member.value))) {
        const message = `variable ${member.key} has another value at ${describePlace(first.place)}`;
        problems.error(member, { code: "duplicate_variable", message, hint: "define it once" });
      }
    }
  }
  return definitions;
}

export interface Sources extends Omit<Lookup, "variable" | "environment"> {
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A file could not be read: what is not defined may have been in it. */
  readonly incomplete: boolean;
}

/** One that stands for another, which stands for another: more is an accident, and would exhaust the stack. */
const DEEPEST = 200;

/** Looks values up. Variables are worked out once, all of them: one that is wrong is wrong even if nobody uses it. */
export function makeLookup(sources: Sources): Lookup {
  const { definitions, env, problems } = sources;
  const known = new Map<string, Node>();
  const open: string[] = [];
  const lookup: Lookup = withExpansionLimit({
    problems,
    file: sources.file,
    environment: (name, place) => environment(name, place, env, problems),
    variable: (name, place) => {
      const definition = definitions.get(name);
      if (definition === undefined) return sources.incomplete ? undefined : unknownVariable(name, place, sources);
      const seen = known.get(name);
      if (seen !== undefined) return seen;
      if (open.includes(name)) {
        const chain = [...open.slice(open.indexOf(name)), name].join(" -> ");
        return problems.error(place, {
          code: "cyclic_variable",
          message: `variables use each other in a circle: ${chain}`,
        });
      }
      if (open.length >= DEEPEST) {
        const message = `variables use each other more than ${DEEPEST} levels deep`;
        return problems.error(place, { code: "too_deep", message });
      }
      open.push(name);
      const node = definition.isFinal ? definition.node : substitute(definition.node, lookup);
      open.pop();
      known.set(name, node);
      return node;
    },
  });
  for (const [name, { place }] of definitions) lookup.variable(name, place);
  return lookup;
}

function environment(
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

function unknownVariable(name: string, place: TreePosition, { definitions, problems }: Sources): undefined {
  const near = suggest(name, definitions.keys());
  const hint = didYouMean(near) ?? `define it under variables, or with --var ${name}=...`;
  return problems.error(place, { code: "unresolved_variable", message: `variable ${name} is not defined`, hint });
}
