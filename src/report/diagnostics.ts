import type { Diagnostic, DiagnosticsDocument } from "../model/diagnostic.ts";
import type { RenderOptions } from "./options.ts";
import { painter } from "./text/style.ts";
import { safeJson, sanitize } from "./escape.ts";

/**
 * Diagnostics for stderr, one per line, in the form that editors and CI systems recognize:
 * `file:line:column: error code: message`. A hint follows on a line of its own. Without diagnostics the result is "".
 *
 * @example
 * process.stderr.write(renderDiagnostics(diagnostics, { color: false }));
 */
export function renderDiagnostics(diagnostics: readonly Diagnostic[], options: RenderOptions): string {
  const paint = painter(options.color);
  return diagnostics
    .map((diagnostic) => {
      const { severity, code, hint } = diagnostic;
      const place = placeOf(diagnostic);
      const lead = place === "" ? "" : `${paint("bold", place)}: `;
      const what = paint(severity === "error" ? "red" : "yellow", severity);
      const line = `${lead}${what} ${sanitize(code)}: ${messageOf(diagnostic)}\n`;
      return hint === undefined ? line : `${line}  ${paint("dim", "hint:")} ${sanitize(hint)}\n`;
    })
    .join("");
}

/** Diagnostics as a JSON document. */
export function renderDiagnosticsJson(document: DiagnosticsDocument): string {
  return `${safeJson(document)}\n`;
}

/** `file:line:column`, `file#/pointer`, or the address if there is no file; sanitized. */
export function placeOf({ file, line, column, pointer, address }: Diagnostic): string {
  if (file === undefined) return sanitize(address ?? "");
  if (line !== undefined) return sanitize(`${file}:${line}${column === undefined ? "" : `:${column}`}`);
  return sanitize(pointer === undefined ? file : `${file}#${pointer}`);
}

/** The message without its leading address, because the place already names it; sanitized. */
export function messageOf({ message, address, file }: Diagnostic): string {
  const lead = `${address ?? ""}: `;
  return sanitize(file === undefined && message.startsWith(lead) ? message.slice(lead.length) : message);
}
