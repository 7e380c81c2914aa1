import type { Diagnostic } from "../model/diagnostic.ts";
import type { RenderOptions } from "./options.ts";
import type { CommandWords } from "../model/command.ts";
import { groupBy } from "../model/group-by.ts";
import { firstOf, plural, withFewNames } from "../model/text/plural.ts";
import { stepText } from "./command.ts";
import { type Paint, painter } from "./color.ts";
import { wrapLine } from "./wrap.ts";
import { sanitize } from "../model/text/quote.ts";

/** Diagnostics that say the same of several places. All texts are sanitized. */
export interface DiagnosticGroup {
  readonly severity: Diagnostic["severity"];
  readonly code: string;
  /** The message without the address. */
  readonly message: string;
  /** Undefined also if the diagnostics have different hints. */
  readonly hint: string | undefined;
  readonly command: CommandWords | undefined;
  /** Where they are, as `placeOf` says it. A diagnostic that concerns no place has "". */
  readonly places: readonly string[];
  /** What the places are: resources that have one of the diagnostics each, or any places. */
  readonly noun: "resource" | "place";
}

/** How to see all people whom a message names. */
export const VERBOSE = "--verbose lists them";

/** The most lines of warnings on a terminal, with their hints. */
const MAX_LINES = 10;

/** The most places that a group names beside its count. */
const MAX_PLACES = 3;

/** Errors whose cause is outside of their places: one thing to do mends all of them. */
const ONE_CAUSE: ReadonlySet<string> = new Set(["missing_secret", "unresolved_variable"]);

/** So many equal errors are each a place that an editor opens. More are read once. */
const MAX_ALIKE = 10;

/**
 * The diagnostics in groups: warnings with the same code and message, and errors that have one cause or are many. Each is alone if the
 * options are verbose.
 */
export function groupDiagnostics(
  diagnostics: readonly Diagnostic[],
  { verbose = false }: Pick<RenderOptions, "verbose"> = {},
): { readonly warnings: readonly DiagnosticGroup[]; readonly errors: readonly DiagnosticGroup[] } {
  const groups = (severity: Diagnostic["severity"]): readonly DiagnosticGroup[] => {
    const own = diagnostics.filter((one) => one.severity === severity);
    const keys = own.map(severity === "warning" ? sameMessage : sameCause);
    const counts = groupBy(keys, (key) => key);
    const isTogether = ({ code }: Diagnostic, key = ""): boolean =>
      severity === "warning" || ONE_CAUSE.has(code) || (counts.get(key)?.length ?? 0) > MAX_ALIKE;
    const alike = groupBy(own, (one, index) => (!verbose && isTogether(one, keys[index]) ? keys[index] : index));
    return [...alike.values()].map(groupOf);
  };
  return { warnings: groups("warning"), errors: groups("error") };
}

function sameMessage(one: Diagnostic): string {
  return JSON.stringify([one.code, messageOf(one)]);
}

function sameCause(one: Diagnostic): string {
  return JSON.stringify([sameMessage(one), one.hint, one.command]);
}

function groupOf(alike: readonly [Diagnostic, ...Diagnostic[]]): DiagnosticGroup {
  const [first] = alike;
  const hints = new Set(alike.map(({ hint, command }) => JSON.stringify([hint, command])));
  const { hint, command } = hints.size > 1 ? {} : first;
  const addresses = new Set(alike.map(({ address }) => address));
  return {
    severity: first.severity,
    code: sanitize(first.code),
    message: messageOf(first),
    hint: hint === undefined ? undefined : sanitize(hint),
    command,
    places: alike.map(locationText),
    noun: addresses.size === alike.length && !addresses.has(undefined) ? "resource" : "place",
  };
}

/**
 * The first groups that fit, and how many diagnostics are left out. If not all fit, one line is kept for saying so.
 *
 * @param linesOf the lines that a group takes
 */
export function fitLines(
  groups: readonly DiagnosticGroup[],
  lines: number,
  linesOf: (group: DiagnosticGroup) => number,
): { readonly kept: readonly DiagnosticGroup[]; readonly omitted: number } {
  const whole = groups.reduce((sum, group) => sum + linesOf(group), 0);
  let room = whole <= lines ? lines : lines - 1;
  const kept = groups.filter((group) => (room -= linesOf(group)) >= 0);
  const left = groups.slice(kept.length);
  return { kept, omitted: left.reduce((sum, { places }) => sum + places.length, 0) };
}

/**
 * Diagnostics for stderr, one per line, in the form that editors and CI systems recognize:
 * `file:line:column: error code: message`. A hint follows on a line of its own. Errors come first. Unless the options
 * are verbose, equal warnings are one line, and so are errors of one cause or many equal ones. `width` is that of the
 * terminal, to which lines are wrapped; without it, each message is one line. Without diagnostics the result is "".
 *
 * @example
 * process.stderr.write(renderDiagnostics(diagnostics, { color: false }));
 */
export function renderDiagnostics(diagnostics: readonly Diagnostic[], options: RenderOptions): string {
  const paint = painter(options);
  const linesOf = ({ hint }: DiagnosticGroup): number => (hint === undefined ? 1 : 2);
  const isVerbose = options.verbose === true;
  const brief = diagnostics.map((one) => ({ ...one, message: withFewNames(one.message, VERBOSE) }));
  const { warnings, errors } = groupDiagnostics(isVerbose ? diagnostics : brief, options);
  const { kept, omitted } = fitLines(warnings, isVerbose ? Infinity : MAX_LINES, linesOf);
  const note = omitted === 0 ? [] : [`${paint("yellow", omittedText(omitted))}: --verbose lists all of them\n`];
  const texts = (groups: readonly DiagnosticGroup[]): readonly string[] =>
    groups.map((group) => groupText(group, paint, options.width));
  return [...texts(errors), ...texts(kept), ...note].join("");
}

function groupText(group: DiagnosticGroup, paint: Paint, width: number | undefined): string {
  const { severity, code, message, hint, command } = group;
  const wrap = (line: string, indent: number): string =>
    width === undefined ? `${line}\n` : `${wrapLine(line, width, indent)}\n`;
  const place = commonPlace(group);
  const lead = place === "" ? "" : `${paint("bold", place)}: `;
  const what = paint(severity === "error" ? "red" : "yellow", severity);
  const line = wrap(`${lead}${what} ${code}: ${message}${countText(group)}`, 4);
  if (hint === undefined) return line;
  return line + wrap(`  ${paint("dim", "hint:")} ${stepText({ text: hint, command })}`, 8);
}

/** The place at the start of a message, which editors read: that of the first error, or of a single warning. Else "". */
export function commonPlace({ severity, places }: DiagnosticGroup): string {
  return places.length === 1 || severity === "error" ? (places[0] ?? "") : "";
}

/**
 * How many places a group has, the first of them, and how to see the others; "" for a single diagnostic.
 *
 * @param shown how a place is written
 */
export function countText(group: DiagnosticGroup, shown = (place: string): string => place): string {
  const { places, noun } = group;
  if (places.length === 1) return "";
  const isNamed = commonPlace(group) !== "";
  // One place of a file may declare many resources, by an anchor.
  const named = [...new Set(places)].slice(isNamed ? 1 : 0).filter((place) => place !== "");
  const listed = firstOf(
    named.map((place) => shown(place)),
    MAX_PLACES,
  );
  const wayToAll = named.length > MAX_PLACES ? "; --verbose lists them" : "";
  if (isNamed) return listed === "" ? "" : ` (also at ${listed}${wayToAll})`;
  const count = plural(places.length, noun);
  return listed === "" ? ` (${count})` : ` (${count}: ${listed}${wayToAll})`;
}

/** How many warnings are left out. */
export function omittedText(omitted: number): string {
  return plural(omitted, "more warning");
}

/** `file:line:column`, `file#/pointer`, or the address if there is no file; sanitized. */
function locationText({ file, line, column, pointer, address }: Diagnostic): string {
  if (file === undefined) return sanitize(address ?? "");
  if (line !== undefined) return sanitize(`${file}:${line}${column === undefined ? "" : `:${column}`}`);
  return sanitize(pointer === undefined ? file : `${file}#${pointer}`);
}

/** The message without its leading address, because the place already names it; sanitized. */
function messageOf({ message, address, file }: Diagnostic): string {
  const lead = `${address ?? ""}: `;
  return sanitize(file === undefined && message.startsWith(lead) ? message.slice(lead.length) : message);
}
