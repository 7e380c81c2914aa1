import { resolve } from "node:path";
import { isScalar, parseDocument } from "yaml";
import { displayPath } from "../source/files.ts";
import { nestsTooDeep, parseYaml } from "../tree/yaml.ts";
import type { Problems } from "../problems.ts";
import { readText } from "../source/read.ts";
import { describeNode, type Node, type TreePosition, type Source } from "../tree/tree.ts";
import type { Definitions } from "./variables.ts";
import { convertYaml } from "../tree/yaml-tree.ts";

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
    const text = readText(file, problems);
    const parsed =
      text === undefined
        ? undefined
        : parseYaml(text, file, problems, "Write one variable per line, such as region: eu.");
    isComplete &&= parsed?.broken === false;
    for (const document of parsed?.documents ?? []) {
      for (const member of document.members.values())
        definitions.set(member.key, { place: member, node: member.value });
    }
  }
  return isComplete;
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
  const place: TreePosition = { source: { file: "--var", path: "", lineStarts: [0], isLiteral: true }, mark: 0 };
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
  return convertYaml(document.contents, source, ignoreProblems);
}

/** Discards errors, because an option that is not valid YAML is read as text. */
const ignoreProblems: Problems = {
  error: () => undefined,
  warning: () => undefined,
  add: () => undefined,
  list: () => [],
};

function typeName(node: Node): string {
  if (node.type === "list") return "a list";
  if (node.type === "map") return "a mapping";
  return node.type === "broken" || node.value === null ? "null" : typeof node.value;
}
