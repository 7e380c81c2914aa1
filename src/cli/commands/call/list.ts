import { deployedPermission, type Operation } from "../../../api/operations/index.ts";
import { parametersOf, type Parameter } from "../../../api/typed/parameters.ts";
import { safeJson } from "../../../report/escape.ts";

/** The document that `call --list --format json` prints. */
export interface OperationsDocument {
  readonly type: "driftline.operations";
  readonly schema_version: 1;
  readonly operations: readonly ListedOperation[];
  /** Those that only deployed servers have. They are in `operations` as well. */
  readonly beyond_document: readonly ListedOperation[];
}

export function renderList(found: readonly Operation[], format: "text" | "json"): string {
  if (format === "text") return found.map(operationText).join("");
  const document: OperationsDocument = {
    type: "driftline.operations",
    schema_version: 1,
    operations: found.map(toListedOperation),
    beyond_document: found.filter((one) => !one.document).map(toListedOperation),
  };
  return safeJson(document);
}

/** One operation, as schemas/operations.schema.json describes it. */
interface ListedOperation extends Pick<
  Operation,
  | "name"
  | "method"
  | "path"
  | "document"
  | "shown"
  | "source"
  | "effect"
  | "irreversible"
  | "success"
  | "response"
  | "shape"
> {
  /** The permission that the document lists. */
  readonly scope: string | null;
  /** What deployed servers require; null if they refuse every key that has scopes. */
  readonly deployed_scope: string | null;
  readonly one_of: readonly string[];
  /** Whether the body is a map from file name to text. */
  readonly takes_files: boolean;
  readonly parameters: readonly Parameter[];
}

function toListedOperation(operation: Operation): ListedOperation {
  const { name, method, path, permission, document, shown, source, effect, irreversible } = operation;
  const { success, response, shape, body } = operation;
  return {
    name,
    method,
    path,
    scope: permission,
    deployed_scope: deployedPermission(operation),
    document,
    shown,
    source,
    effect,
    irreversible,
    success,
    response,
    shape,
    one_of: body?.type === "parameters" ? body.oneOf : [],
    takes_files: body?.type === "files",
    parameters: parametersOf(operation),
  };
}

/** Shows name, method and path; below them the scope, the parameters (optional ones in brackets) and notes. */
function operationText(operation: Operation): string {
  const { name, method, path, body, irreversible, instead } = operation;
  const lines = [
    `${name}  ${method} ${path}`,
    `scope: ${permissionText(operation)}`,
    `parameters: ${parametersOf(operation).map(parameterText).join(" ") || "none"}`,
    ...(body?.type === "files" ? ["body: a map from file name to text, as --file NAME=PATH or --body FILE"] : []),
    ...(irreversible === null ? [] : [`cannot be undone: it ${irreversible}`]),
    ...(instead === undefined ? [] : [`always refused: ${instead}`]),
    ...notes(operation),
  ];
  return `${lines.join("\n    ")}\n`;
}

function permissionText(operation: Operation): string {
  if (operation.permission !== null) return operation.permission;
  const deployed = deployedPermission(operation);
  const there = deployed === null ? "refuse every key that has scopes" : `require ${deployed}`;
  return `none listed; deployed servers ${there}`;
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
