import type { Diagnostic, DiagnosticsDocument } from "../model/diagnostic.ts";
import type { RenderOptions } from "./options.ts";
import type { CommandWords } from "../model/command.ts";
import { firstOf, plural } from "../model/plural.ts";
import { stepText } from "./command.ts";
import { type Paint, painter } from "./color.ts";
import { wrapLine } from "./wrap.ts";
import { safeJson, sanitize } from "./escape.ts";

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

/** What is to be shown. Errors come last, so that they are not scrolled away. */
export interface ShownDiagnostics {
  readonly warnings: readonly DiagnosticGroup[];
  /** The number of warnings that are left out. */
  readonly omitted: number;
  readonly errors: readonly DiagnosticGroup[];
}

/** The most lines of warnings on a terminal, with their hints. */
const MAX_LINES = 10;

/** The most places that a group names beside its count. */
const MAX_PLACES = 3;

/** Errors whose cause is outside of their places: one thing to do mends all of them. */
const ONE_CAUSE: ReadonlySet<string> = new Set(["missing_secret", "unresolved_variable"]);

/**
 * Chooses what to show: warnings grouped by code and message, up to a number of lines, then all errors, each by itself unless they
 * have one cause.
 *
 * @param limit what to do with warnings: the most lines to show, and the lines that a group takes; undefined lists each diagnostic
 */
export function groupDiagnostics(
  diagnostics: readonly Diagnostic[],
  limit?: { readonly lines: number; readonly linesOf: (group: DiagnosticGroup) => number },
): ShownDiagnostics {
  const warnings = diagnostics.filter(({ severity }) => severity === "warning");
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (limit === undefined)
    return { warnings: warnings.map((one) => groupOf([one])), omitted: 0, errors: errors.map((one) => groupOf([one])) };
  const kept = fitLines(groupAlike(warnings, sameMessage), limit.lines, limit.linesOf);
  const shown = kept.reduce((sum, { places }) => sum + places.length, 0);
  return { warnings: kept, omitted: warnings.length - shown, errors: groupAlike(errors, sameCause) };
}

/** The warnings about each address, one by one. */
export function warningsByAddress(diagnostics: readonly Diagnostic[]): ReadonlyMap<string, readonly DiagnosticGroup[]> {
  const found = new Map<string, readonly DiagnosticGroup[]>();
  for (const one of diagnostics)
    if (one.severity === "warning" && one.address !== undefined)
      found.set(one.address, [...(found.get(one.address) ?? []), groupOf([one])]);
  return found;
}

function sameMessage(one: Diagnostic): readonly unknown[] {
  return [one.code, messageOf(one)];
}

function sameCause(one: Diagnostic, index: number): readonly unknown[] {
  return [...sameMessage(one), one.hint, one.command, ...(ONE_CAUSE.has(one.code) ? [] : [index])];
}

function groupAlike(
  diagnostics: readonly Diagnostic[],
  inCommon: (one: Diagnostic, index: number) => readonly unknown[],
): readonly DiagnosticGroup[] {
  const groups = new Map<string, Diagnostic[]>();
  for (const [index, one] of diagnostics.entries()) {
    const key = JSON.stringify(inCommon(one, index));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups.values()].map(groupOf);
}

function groupOf(alike: readonly Diagnostic[]): DiagnosticGroup {
  const [first] = alike;
  const hints = new Set(alike.map(({ hint, command }) => JSON.stringify([hint, command])));
  const { hint, command } = hints.size > 1 || first === undefined ? {} : first;
  const addresses = new Set(alike.map(({ address }) => address));
  return {
    severity: first?.severity ?? "warning",
    code: sanitize(first?.code ?? ""),
    message: first === undefined ? "" : messageOf(first),
    hint: hint === undefined ? undefined : sanitize(hint),
    command,
    places: alike.map(placeOf),
    noun: addresses.size === alike.length && !addresses.has(undefined) ? "resource" : "place",
  };
}

/** The first groups that fit. If not all do, one line is kept for saying so. */
function fitLines(
  groups: readonly DiagnosticGroup[],
  lines: number,
  linesOf: (group: DiagnosticGroup) => number,
): readonly DiagnosticGroup[] {
  if (groups.reduce((sum, group) => sum + linesOf(group), 0) <= lines) return groups;
  const kept: DiagnosticGroup[] = [];
  let used = 1;
  for (const group of groups) {
    used += linesOf(group);
    if (used > lines) break;
    kept.push(group);
  }
  return kept;
}

/**
 * Diagnostics for stderr, one per line, in the form that editors and CI systems recognize:
 * `file:line:column: error code: message`. A hint follows on a line of its own. Warnings come first. Equal ones are one line, and so are
 * errors of one cause, unless the options are verbose. `width` is that of the terminal, to which lines are wrapped; without it, each message is
 * one line. Without diagnostics the result is "".
 *
 * @example
 * process.stderr.write(renderDiagnostics(diagnostics, { color: false }));
 */
export function renderDiagnostics(diagnostics: readonly Diagnostic[], options: RenderOptions): string {
  const paint = painter(options);
  const linesOf = ({ hint }: DiagnosticGroup): number => (hint === undefined ? 1 : 2);
  const limit = options.verbose === true ? undefined : { lines: MAX_LINES, linesOf };
  const { warnings, omitted, errors } = groupDiagnostics(diagnostics, limit);
  const note = omitted === 0 ? [] : [`${paint("yellow", omittedText(omitted))}: --verbose lists all of them\n`];
  const texts = (groups: readonly DiagnosticGroup[]): readonly string[] =>
    groups.map((group) => groupText(group, paint, options.width));
  return [...texts(warnings), ...note, ...texts(errors)].join("");
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
  const more = named.length > MAX_PLACES ? "; --verbose lists them" : "";
  if (isNamed) return listed === "" ? "" : ` (also at ${listed}${more})`;
  const count = plural(places.length, noun);
  return listed === "" ? ` (${count})` : ` (${count}: ${listed}${more})`;
}

/** How many warnings are left out. */
export function omittedText(omitted: number): string {
  return plural(omitted, "more warning");
}

/** Diagnostics as a JSON document. */
export function renderDiagnosticsJson(document: DiagnosticsDocument): string {
  return `${safeJson(document)}\n`;
}

/** `file:line:column`, `file#/pointer`, or the address if there is no file; sanitized. */
function placeOf({ file, line, column, pointer, address }: Diagnostic): string {
  if (file === undefined) return sanitize(address ?? "");
  if (line !== undefined) return sanitize(`${file}:${line}${column === undefined ? "" : `:${column}`}`);
  return sanitize(pointer === undefined ? file : `${file}#${pointer}`);
}

/** The message without its leading address, because the place already names it; sanitized. */
function messageOf({ message, address, file }: Diagnostic): string {
  const lead = `${address ?? ""}: `;
  return sanitize(file === undefined && message.startsWith(lead) ? message.slice(lead.length) : message);
}
