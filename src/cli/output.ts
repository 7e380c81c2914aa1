import type { Diagnostic } from "../model/diagnostic.ts";
import { renderDiagnostics } from "../report/diagnostics.ts";
import { writeEvent } from "./json-lines.ts";
import { redactDiagnostics } from "../engine/redact.ts";
import type { Runtime } from "./runtime.ts";

/** Writes a result. The values of JSON have to be without secrets by now. */
export function print(runtime: Runtime, format: "text" | "json" | "markdown", text: string): void {
  if (format === "json") runtime.raw("stdout", text);
  else runtime.out(text);
}

/** Tells diagnostics on stderr. */
export function reportDiagnostics(runtime: Runtime, diagnostics: readonly Diagnostic[]): void {
  const shown = redactDiagnostics(diagnostics, runtime.redactor);
  if (runtime.lines === true) return shown.forEach((diagnostic) => writeEvent(runtime, "diagnostic", diagnostic));
  if (shown.length > 0) runtime.err(renderDiagnostics(shown, { color: runtime.color.stderr }));
}
