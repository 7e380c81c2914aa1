import type { Diagnostic } from "../../model/diagnostic.ts";
import { plural } from "../../model/text/plural.ts";
import {
  commonPlace,
  countText,
  type DiagnosticGroup,
  fitLines,
  groupDiagnostics,
  omittedText,
} from "../diagnostics.ts";
import type { RenderOptions } from "../options.ts";
import { code, fitPieces, prose, sentence } from "./markdown.ts";

/** The most lines of warnings. */
const MAX_WARNINGS = 5;
/** Characters for the warnings, and as many for the errors. */
const DIAGNOSTICS_ROOM = 8_000;

/** Errors, then warnings. Readers of a comment see most of them only here. */
export function diagnosticsBlock(diagnostics: readonly Diagnostic[], options: Pick<RenderOptions, "verbose">): string {
  const shown = groupDiagnostics(diagnostics, options);
  const first = fitLines(shown.warnings, options.verbose === true ? Infinity : MAX_WARNINGS, () => 1);
  const warnings = fitPieces(first.kept.map(diagnosticItem), DIAGNOSTICS_ROOM);
  const errors = fitPieces(shown.errors.map(diagnosticItem), DIAGNOSTICS_ROOM);
  const left = first.omitted + warnings.omitted.length;
  const lines = [
    ...errors.kept,
    ...(errors.omitted.length > 0 ? [`- … and ${plural(errors.omitted.length, "more error")}`] : []),
    ...warnings.kept,
    ...(left > 0 ? [`- ${omittedText(left)}: ${code("--verbose")} lists all of them`] : []),
  ];
  return lines.join("\n");
}

function diagnosticItem(group: DiagnosticGroup): string {
  const place = commonPlace(group);
  const where = place === "" ? "" : ` at ${code(place)}`;
  const hint = group.hint === undefined ? "" : ` (${sentence({ text: group.hint, command: group.command })})`;
  return `- **${group.severity}** ${code(group.code)}${where}: ${prose(group.message)}${countText(group, code)}${hint}`;
}
