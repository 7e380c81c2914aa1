import { checkInput, pathParameterText, type InputProblem } from "../../api/typed/validate-input.ts";
import type { Client } from "../../api/client.ts";
import { ApiError } from "../../api/errors/errors.ts";
import { type NamedOperation, operationFor, type Operation } from "../../api/operations/index.ts";
import { streamRows } from "../../api/lists/stream-rows.ts";
import { registerRequestSecrets, registerSecretsByName } from "../../api/redact/redact.ts";
import type { Query } from "../../api/http/request-path.ts";
import { isJsonObject, type Json } from "../../model/json/json.ts";
import { sanitize } from "../../model/text/quote.ts";
import { safeJson, safeLine } from "../../report/escape.ts";
import { type CallArguments, readArguments, readBody, readFiles, wrongParameter } from "./call/input.ts";
import { requireConfirmation, requireConsent, type Consent } from "./call/confirm.ts";
import { callFailure, findOperation, findOperations, LIST_OPERATIONS } from "./call/find.ts";
import { renderList } from "./call/list.ts";
import { preview, type CallRequest } from "./call/preview.ts";
import { EXIT, exitCodeOf, type ExitCode } from "../exit-codes.ts";
import { EngineError } from "../../model/engine-error.ts";
import { invalidError } from "../failure.ts";
import type { ServiceOptions } from "../program/options.ts";
import { printResult, reportDiagnostics } from "../terminal/output.ts";
import type { Runtime } from "../runtime.ts";
import { withConnection } from "../steps/connect.ts";
import { configuredService, findServiceUrl, requireUrl } from "../steps/service-and-key.ts";

export interface CallCommandOptions extends ServiceOptions, Consent {
  readonly body?: string;
  /** `NAME=PATH` for each file. */
  readonly file?: readonly string[];
  readonly all?: boolean;
  readonly dryRun?: boolean;
  readonly list?: boolean;
  readonly format: "text" | "json";
}

/** `driftline call`: sends any operation of the interface by name. */
export async function callCommand(
  runtime: Runtime,
  name: string | undefined,
  given: readonly string[],
  options: CallCommandOptions,
): Promise<ExitCode> {
  if (options.list === true) {
    const listed = findOperations(name ?? "").map((one) => operationFor(options.profile, one));
    printResult(runtime, options.format, renderList(listed, options.format));
    return EXIT.ok;
  }
  if (name === undefined) throw invalidError("usage", "no operation is given", LIST_OPERATIONS);
  const operation = operationFor(options.profile, findOperation(name));
  const request = await prepare(runtime, operation, given, options);
  try {
    if (options.dryRun === true) return await dryRun(runtime, request, options);
    requireConsent(runtime, operation, options);
    return await callService(runtime, request, options);
  } catch (error) {
    if (error instanceof ApiError && error.code !== null && error.code === operation.until?.already) {
      runtime.err(`${operation.name}: ${error.message}\n`);
      return EXIT.ok;
    }
    throw callFailure(error, request);
  }
}

/** Builds the request, and checks it against the operation's table. */
async function prepare(
  runtime: Runtime,
  operation: NamedOperation,
  given: readonly string[],
  options: CallCommandOptions,
): Promise<CallRequest> {
  const parameters = readArguments(runtime, operation, given);
  const hasPages = ["page", "cursor"].includes(operation.response) && parameters.query["format"] !== "csv";
  if (options.all === true && !hasPages)
    throw invalidError("usage", `--all reads pages, but ${operation.name} returns none here`, "Leave out --all.");
  const content = options.body === undefined ? undefined : await readBody(runtime, options.body);
  const files = readFiles(runtime, operation, options.file ?? []);
  const body = bodyOf(operation, { ...parameters.body, ...files }, content);
  if (body !== undefined) registerSecretsByName(runtime.redactor, body);
  reportFindings(runtime, checkInput(operation, { path: parameters.path, query: parameters.query, body }));
  return {
    operation,
    path: Object.fromEntries(Object.entries(parameters.path).map(([name, value]) => [name, pathParameterText(value)])),
    query: parameters.query as Query,
    body,
  };
}

/** Parameters and files on the command line override the fields of the body's file. */
function bodyOf(operation: Operation, body: CallArguments["body"], file: Json | undefined): Json | undefined {
  if (operation.body === null) return file;
  if (file === undefined) return body;
  if (Object.keys(body).length === 0) return file;
  if (!isJsonObject(file))
    throw wrongParameter(
      "the body is not an object, so parameters cannot be added to it",
      "Put all fields into the file.",
    );
  return { ...file, ...body };
}

/** Reports the warnings. @throws EngineError if there are errors */
function reportFindings(runtime: Runtime, findings: readonly InputProblem[]): void {
  const errors = findings.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new EngineError("invalid", errors);
  reportDiagnostics(runtime, findings);
}

async function dryRun(runtime: Runtime, request: CallRequest, options: CallCommandOptions): Promise<ExitCode> {
  const { env, redactor } = runtime;
  registerRequestSecrets(env, redactor);
  const url = requireUrl(findServiceUrl(options, env, await configuredService(runtime, options)), env);
  printResult(runtime, options.format, preview(runtime, url, request, options.format));
  return EXIT.ok;
}

async function callService(runtime: Runtime, request: CallRequest, options: CallCommandOptions): Promise<ExitCode> {
  const { operation, path, query, body } = request;
  const mode = operation.method === "GET" ? "read" : "write";
  const settings = { configured: await configuredService(runtime, options), mode } as const;
  return withConnection(runtime, options, settings, async ({ client, progress }) => {
    await requireConfirmation(runtime, client, request, options);
    if (options.all === true) return await printAll(runtime, client, request);
    const response = await client.request(operation.name, {
      path,
      query,
      body,
      onRequest: () => runtime.onStop(mode === "read" ? undefined : () => reportInFlight(runtime, operation)),
    });
    runtime.onStop(undefined);
    progress.done();
    if (response.bytes !== undefined) runtime.out(rawText(runtime, response.bytes));
    else if (response.body !== undefined) runtime.raw("stdout", safeJson(runtime.redactor.json(response.body)));
    else runtime.err(`${operation.name}: ${String(response.status)}, no response body\n`);
    return exitCodeOf(runtime, isDone(operation, response.body) ? [] : [EXIT.differences]);
  });
}

function isDone({ until }: Operation, body: Json | undefined): boolean {
  return until === undefined || (isJsonObject(body) && body[until.field] === true);
}

/** The text as it was received, with its byte order mark. Control characters are escaped for a terminal. */
function rawText({ terminal }: Runtime, bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString("utf8");
  return terminal ? text.split(/\r?\n/u).map(sanitize).join("\n") : text;
}

/** Reports a request whose response the process cannot wait for. */
function reportInFlight(runtime: Runtime, { name }: Operation): void {
  const message = `${name} was in flight: it may or may not have taken effect`;
  const hint = "Check whether it took effect before you send it again.";
  reportDiagnostics(runtime, [{ severity: "error", code: "outcome_unknown", message, hint }]);
}

/** Prints one row per line as the pages arrive. Nothing is kept in memory. */
async function printAll(runtime: Runtime, client: Client, { operation, path, query }: CallRequest): Promise<ExitCode> {
  for await (const rows of streamRows(client, operation.name, path, query)) {
    runtime.raw("stdout", rows.map((row) => `${safeLine(runtime.redactor.json(row))}\n`).join(""));
  }
  return EXIT.ok;
}
