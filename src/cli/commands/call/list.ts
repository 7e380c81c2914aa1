import { operations, type Operation, type OperationName } from "../../../api/operations/index.ts";
import { parametersOf, type Parameter } from "../../../api/typed/parameters.ts";
import { safeJson } from "../../../report/escape.ts";

/** One operation in the JSON form of `call --list`. schemas/operations.schema.json describes it. */
export interface ListedOperation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly scope: string | null;
  readonly shown: boolean;
  readonly source: string;
  readonly effect: Operation["effect"];
  readonly irreversible: string | null;
  readonly success: number;
  readonly response: Operation["response"];
  readonly shape: Operation["shape"];
  readonly one_of: readonly string[];
  readonly parameters: readonly Parameter[];
}

/** The document that `call --list --format json` prints. */
export interface OperationsDocument {
  readonly type: "driftline.operations";
  readonly schema_version: 1;
  /** Operations of the interface document. */
  readonly operations: readonly ListedOperation[];
  /** Operations that are known only from deployed servers. */
  readonly beyond_document: readonly ListedOperation[];
}

/** Lists the operations with these names, as text or as a JSON document. */
export function renderList(names: readonly OperationName[], format: "text" | "json"): string {
  const found = names.map((name) => operations[name]);
  if (format === "text") return found.map(operationText).join("");
  const document: OperationsDocument = {
    type: "driftline.operations",
    schema_version: 1,
    operations: found.filter((one) => one.document).map(toListedOperation),
    beyond_document: found.filter((one) => !one.document).map(toListedOperation),
  };
  return `${safeJson(document)}\n`;
}

function toListedOperation(operation: Operation): ListedOperation {
  const { name, method, path, scope, shown, source, effect, irreversible, success, response, shape, body } = operation;
  return {
    name,
    method,
    path,
    scope,
    shown,
    source,
    effect,
    irreversible,
    success,
    response,
    shape,
    one_of: body?.type === "parameters" ? body.oneOf : [],
    parameters: parametersOf(operation),
  };
}

/** Shows name, method and path; below them the scope, the parameters (optional ones in brackets) and notes. */
function operationText(operation: Operation): string {
  const { name, method, path, scope, irreversible, instead } = operation;
  const lines = [
    `${name}  ${method} ${path}`,
    `scope: ${scope ?? "none listed"}`,
    `parameters: ${parametersOf(operation).map(parameterText).join(" ") || "none"}`,
    ...(irreversible === null ? [] : [`cannot be undone: it ${irreversible}`]),
    ...(instead === undefined ? [] : [`always refused: ${instead}`]),
    ...notes(operation),
  ];
  return `${lines.join("\n    ")}\n`;
}

function parameterText({ name, type, required, values, default: standard }: Parameter): string {
  const choice = values === undefined ? type : values.join("|");
  const otherwise = standard === undefined ? "" : `=${JSON.stringify(standard)}`;
  return required ? `${name}:${choice}` : `[${name}:${choice}${otherwise}]`;
}

function notes({ document, shown }: Operation): readonly string[] {
  if (!document) return ["not in the interface document: known from deployed servers"];
  return shown ? [] : ["the interface document only names it"];
}
