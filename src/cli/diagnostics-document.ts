import type { Diagnostic } from "../model/diagnostic.ts";
import { renderDiagnosticsJson } from "../report/diagnostics.ts";
import type { ExitCode } from "./exit-codes.ts";
import { toolVersion } from "./connect.ts";

/** Commands whose JSON is a document of ours, and not an answer of the service, so that a reader may count on a document whatever happens. */
const COMMANDS: ReadonlySet<string> = new Set(["plan", "drift", "apply", "show", "validate", "explain", "doctor"]);

/** The command that asks for JSON, undefined where none does that would give it. Looks at the words as they were given. */
export function commandOfJson(args: readonly string[]): string | undefined {
  const end = args.indexOf("--");
  const own = end === -1 ? args : args.slice(0, end);
  const asks = own.some((arg, index) => arg === "--format=json" || (arg === "--format" && own[index + 1] === "json"));
  const command = own.find((arg) => !arg.startsWith("-"));
  return asks && command !== undefined && COMMANDS.has(command) ? command : undefined;
}

/** The text of the document that stands where there is no plan. Errors come first. */
export function diagnosticsJson(command: string, exitCode: ExitCode, diagnostics: readonly Diagnostic[]): string {
  const rank = ({ severity }: Diagnostic): number => (severity === "error" ? 0 : 1);
  return renderDiagnosticsJson({
    type: "driftline.diagnostics",
    schema_version: 1,
    tool_version: toolVersion(),
    command,
    exit_code: exitCode,
    changes: [],
    diagnostics: diagnostics.toSorted((a, b) => rank(a) - rank(b)),
  });
}
