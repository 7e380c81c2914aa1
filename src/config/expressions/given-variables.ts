/** The variables of the command line: files of `--vars`, and `--var NAME=VALUE`. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { isCollection, isScalar } from "yaml";
import { didYouMean, suggest } from "../../model/text/suggest.ts";
import { Problems } from "../problems.ts";
import { displayPath, leadsOut } from "../source/files.ts";
import { readText } from "../source/read.ts";
import { terraformProblem } from "../source/terraform.ts";
import { parseDocuments } from "../tree/parse-documents.ts";
import { describeNode, type MapNode, type Node, type Source, wholeFile, textOf } from "../tree/tree.ts";
import { nestsTooDeep, parseYaml } from "../tree/yaml.ts";
import { convertYaml } from "../tree/yaml-tree.ts";
import type { Definitions } from "./variables.ts";

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
      problems.error(wholeFile(file), { ...foreign, hint });
      isComplete = false;
      continue;
    }
    const text = existsSync(path) && leadsOut(path, { cwd, problems }) ? undefined : readText(file, problems);
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
  const place = wholeFile({ file: "--var", path: "" });
  const asText: Node = { type: "scalar", ...place, value: text };
  const value = parseYamlValue(text, place.source) ?? asText;
  const parsed = value.type === "scalar" ? { ...value, written: text } : value;
  if (declared === undefined || typeName(declared) === "null") return parsed.type === "scalar" ? parsed : asText;
  const expected = typeName(declared);
  if (expected === "string") return asText;
  return typeName(parsed) === expected ? parsed : { expected, found: parsed };
}

/** The value of a YAML text; undefined if it is not one value, is not valid YAML, or has no JSON equivalent. */
function parseYamlValue(text: string, source: Source): Node | undefined {
  const [document, ...others] = nestsTooDeep(text) ? [] : parseDocuments(text);
  if (document === undefined || [...others, ...document.errors, ...document.warnings].length > 0) return undefined;
  const { contents } = document;
  if (isCollection(contents)) return convertYaml(contents, source, new Problems());
  // "a #b" is a value, not a value and a comment. Nor does a text begin with an anchor, or lose its blanks and lines.
  if (!isScalar(contents) || text.trim() !== text.slice(contents.range[0], contents.range[1])) return undefined;
  const isText = typeof contents.value === "string" && !contents.type?.startsWith("QUOTE");
  return isText ? undefined : convertYaml(contents, source, new Problems());
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
