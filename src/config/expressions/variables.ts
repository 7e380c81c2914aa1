import { canonicalJson } from "../../model/canonical-json.ts";
import { suggest, didYouMean } from "../../model/suggest.ts";
import { withExpansionLimit, type Lookup, substitute } from "./substitute.ts";
import { Problems, readMapping } from "../problems.ts";
import {
  describeNode,
  describePlace,
  type MapNode,
  type Node,
  startOf,
  textOf,
  type TreePosition,
  toValue,
  type Source,
} from "../tree/tree.ts";
import { resolve } from "node:path";
import { isScalar, parseDocument } from "yaml";
import { displayPath } from "../source/files.ts";
import { nestsTooDeep, parseYaml } from "../tree/yaml.ts";
import { readText } from "../source/read.ts";
import { terraformProblem } from "../source/terraform.ts";
import { convertYaml } from "../tree/yaml-tree.ts";

/** A variable: the position of its definition, and its value before substitution. */
interface Definition {
  readonly place: TreePosition;
  readonly node: Node;
  /** True for a value from the command line, in which `${...}` is not substituted. */
  readonly isFinal?: boolean;
}

type Definitions = Map<string, Definition>;

/** Reads the variables that are defined under `variables` in the documents. */
export function declaredVariables(documents: readonly MapNode[], problems: Problems): Definitions {
  const definitions: Definitions = new Map();
  for (const document of documents) {
    const section = document.members.get("variables");
    if (section === undefined) continue;
    for (const member of readMapping(section.value, "of variables", problems)?.values() ?? []) {
      const first = definitions.get(member.key);
      if (first === undefined) definitions.set(member.key, { place: member, node: member.value });
      else if (canonicalJson(toValue(first.node)) !== canonicalJson(toValue(member.value))) {
        const message = `variable ${member.key} has another value at ${describePlace(first.place)}`;
        problems.error(member, { code: "duplicate_variable", message, hint: "Define it only once." });
      }
    }
  }
  return definitions;
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
  const { definitions, env, problems } = sources;
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
    environment: (name, place) => lookUpEnvironment(name, place, env, problems),
    variable: (name, place) => {
      sources.used.add(name);
      return valueOf(name, place);
    },
  });
  for (const [name, { place }] of definitions) valueOf(name, place);
  return lookup;
}

function lookUpEnvironment(
  name: string,
  place: TreePosition,
  env: LookupSources["env"],
  problems: Problems,
): string | undefined {
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
      ? (didYouMean(near) ?? `Define it under variables, or with --var ${name}=VALUE.`)
      : `Define it under variables as ${name}: \${env:TF_VAR_${name}}, because TF_VAR_${name} of the environment is not read by itself.`;
  return problems.error(place, { code: "unresolved_variable", message: `variable ${name} is not defined`, hint });
}

const ONE_PER_LINE = "Write one variable per line, such as region: eu.";

/**
 * Adds the variables of each `--vars FILE`, which holds a mapping in YAML or JSON. The last file wins. Returns false if
 * a file is not readable.
 */
export function addVariableFiles(
  files: readonly string[],
  cwd: string,
  definitions: Definitions,
  problems: Problems,
): boolean {
  let isComplete = true;
  for (const given of files) {
    const path = resolve(cwd, given);
    const file = { path, file: displayPath(path, cwd), named: true };
    const foreign = terraformProblem(file.file);
    if (foreign !== undefined) {
      const hint = "Write the variables as YAML, one per line, such as region: eu.";
      problems.error(startOf(file), { ...foreign, hint });
      isComplete = false;
      continue;
    }
    const text = readText(file, problems);
    const parsed = text === undefined ? undefined : parseYaml(text, file, problems, ONE_PER_LINE);
    isComplete &&= parsed?.broken === false;
    for (const document of parsed?.documents ?? []) {
      if (isOtherDocument(document)) {
        const message = `${file.file} is not a file of variables`;
        problems.error(document, { code: "wrong_type", message, hint: ONE_PER_LINE });
        isComplete = false;
        continue;
      }
      for (const member of document.members.values())
        definitions.set(member.key, { place: member, node: member.value });
    }
  }
  return isComplete;
}

/** Whether a document is a configuration, or one that driftline prints, such as a saved plan. */
function isOtherDocument({ members }: MapNode): boolean {
  const isPrinted = textOf(members.get("type")?.value)?.startsWith("driftline.") === true;
  return isPrinted || members.has("driftline");
}

/** Adds the variables of `--var NAME=VALUE`. Each value is read as the type of the variable that it replaces. */
export function addVariableOptions(options: readonly string[], definitions: Definitions, problems: Problems): void {
  for (const option of options) {
    const equals = option.indexOf("=");
    if (equals < 1) {
      const message = `--var ${option} has no value`;
      problems.add({ severity: "error", code: "invalid_option", message, hint: "Write --var NAME=VALUE." });
      continue;
    }
    const name = option.slice(0, equals);
    const declared = definitions.get(name);
    const node = parseOption(option.slice(equals + 1), declared?.node);
    if ("expected" in node) {
      const message = `--var ${name}: expected ${node.expected}, found ${describeNode(node.found)}`;
      const hint = "Use a value of the type that the variable is declared with.";
      problems.add({ severity: "error", code: "wrong_type", message, hint });
    } else definitions.set(name, { place: declared?.place ?? node, node, isFinal: true });
  }
}

interface Mismatch {
  readonly expected: string;
  readonly found: Node;
}

function parseOption(text: string, declared: Node | undefined): Node | Mismatch {
  const place = startOf({ file: "--var", path: "" });
  const asText: Node = { type: "scalar", ...place, value: text };
  const parsed = parseYamlValue(text, place.source) ?? asText;
  if (declared === undefined || typeName(declared) === "null") return parsed.type === "scalar" ? parsed : asText;
  const expected = typeName(declared);
  if (expected === "string") return asText;
  return typeName(parsed) === expected ? parsed : { expected, found: parsed };
}

/** The value of a YAML text; undefined if it is empty, is not valid YAML, or has no JSON equivalent. */
function parseYamlValue(text: string, source: Source): Node | undefined {
  if (nestsTooDeep(text)) return undefined;
  const document = parseDocument(text, { version: "1.2", schema: "core", prettyErrors: false, logLevel: "silent" });
  if (text.trim() === "" || document.errors.length > 0 || document.warnings.length > 0) return undefined;
  // "a #b" is a value, not a value and a comment.
  if (isScalar(document.contents) && document.contents.comment) return undefined;
  return convertYaml(document.contents, source, new Problems());
}

function typeName(node: Node): string {
  if (node.type === "list") return "a list";
  if (node.type === "map") return "a mapping";
  return node.type === "broken" || node.value === null ? "null" : typeof node.value;
}

/** Warns about variables of the command line that no file declares or uses. They are often mistyped. */
export function warnOfUnused(given: Iterable<string>, known: ReadonlySet<string>, problems: Problems): void {
  for (const name of given) {
    if (known.has(name)) continue;
    const hint = didYouMean(suggest(name, known)) ?? "Leave it out.";
    problems.add({ severity: "warning", code: "unused_variable", message: `nothing uses the variable ${name}`, hint });
  }
}
