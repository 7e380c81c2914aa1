import { canonicalJson } from "../../model/json/canonical-json.ts";
import { suggest, didYouMean } from "../../model/text/suggest.ts";
import { withExpansionLimit, type Lookup, substitute } from "./substitute.ts";
import { Problems, unexpected } from "../problems.ts";
import {
  mapMembers,
  describePlace,
  shorten,
  type MapNode,
  type Node,
  type TreePosition,
  toValue,
  writtenTexts,
} from "../tree/tree.ts";

/** A variable: the position of its definition, and its value before substitution. */
interface Definition {
  readonly place: TreePosition;
  readonly node: Node;
  /** True for a value from the command line, in which `${...}` is not substituted. */
  readonly isFinal?: boolean;
}

export type Definitions = Map<string, Definition>;

/** Reads the variables that are defined under `variables` in the documents. */
export function declaredVariables(documents: readonly MapNode[], problems: Problems): Definitions {
  const definitions: Definitions = new Map();
  for (const document of documents) {
    const section = document.members.get("variables");
    if (section === undefined) continue;
    const { value } = section;
    const members = mapMembers(value);
    if (members === undefined && value.type !== "broken")
      problems.error(value, unexpected(value, "a mapping of variables"));
    for (const member of members?.values() ?? []) {
      const first = definitions.get(member.key);
      if (first === undefined) definitions.set(member.key, { place: member, node: member.value });
      else if (formOf(first.node) !== formOf(member.value)) {
        const message = `variable ${member.key} has another value at ${describePlace(first.place)}`;
        problems.error(member, { code: "duplicate_variable", message, hint: "Define it only once." });
      }
    }
  }
  return definitions;
}

/** 1.10 and 1.1 are one number, and two texts. */
function formOf(node: Node): string {
  return JSON.stringify([canonicalJson(toValue(node)), writtenTexts(node)]);
}

export interface LookupSources extends Omit<Lookup, "variable" | "environment"> {
  readonly definitions: ReadonlyMap<string, Definition>;
  /** The value of an environment variable. */
  readonly env: (name: string) => string | undefined;
  /** Receives the names that are used. */
  readonly used: Set<string>;
  /** True if a file could not be read. An undefined variable is then no error, because that file may define it. */
  readonly incomplete: boolean;
}

/** The limit on variables that use each other. A longer chain is an accident and would exhaust the stack. */
const MAX_DEPTH = 200;

/** Makes the lookup. It resolves every variable once, so an error in an unused variable is reported as well. */
export function makeLookup(sources: LookupSources): Lookup {
  const { definitions, problems } = sources;
  const resolved = new Map<string, Node>();
  const resolving: string[] = [];
  const valueOf: Lookup["variable"] = (name, place) => {
    const definition = definitions.get(name);
    if (definition === undefined) return sources.incomplete ? undefined : unknownVariable(name, place, sources);
    const previous = resolved.get(name);
    if (previous !== undefined) return previous;
    if (resolving.includes(name)) {
      const chain = [...resolving.slice(resolving.indexOf(name)), name].join(" -> ");
      return problems.error(place, {
        code: "cyclic_variable",
        message: `variables refer to each other in a circle: ${chain}`,
      });
    }
    if (resolving.length >= MAX_DEPTH) {
      const message = `variables refer to each other more than ${MAX_DEPTH} levels deep`;
      return problems.error(place, { code: "too_deep", message });
    }
    resolving.push(name);
    const node = definition.isFinal ? definition.node : substitute(definition.node, lookup);
    resolving.pop();
    resolved.set(name, node);
    return node;
  };
  const lookup: Lookup = withExpansionLimit({
    problems,
    file: sources.file,
    secret: sources.secret,
    environment: (name, place) => lookUpEnvironment(name, place, sources),
    variable: (name, place) => {
      sources.used.add(name);
      return valueOf(name, place);
    },
  });
  for (const [name, { place }] of definitions) valueOf(name, place);
  return lookup;
}

function lookUpEnvironment(name: string, place: TreePosition, { env, problems }: LookupSources): string | undefined {
  const value = env(name);
  if (value !== undefined) return value;
  const hint = "Set it, or use ${secret:...} for a value that is only needed when it is sent.";
  return problems.error(place, {
    code: "unresolved_variable",
    message: `environment variable ${name} is not set`,
    hint,
  });
}

function unknownVariable(name: string, place: TreePosition, { definitions, env, problems }: LookupSources): undefined {
  const near = suggest(name, definitions.keys());
  const hint =
    env(`TF_VAR_${name}`) === undefined
      ? (didYouMean(near) ?? `Define it under variables, in a file for --vars, or with --var ${shorten(name)}=VALUE.`)
      : `Define it under variables as ${name}: \${env:TF_VAR_${name}}, because TF_VAR_${name} of the environment is not read by itself.`;
  return problems.error(place, { code: "unresolved_variable", message: `variable ${name} is not defined`, hint });
}
