import type { Json, JsonObject } from "../../model/json/json.ts";
import { filterKeys, mapValues } from "../../model/json/object.ts";
import { checkInput, pathParameterText, type InputProblem } from "./validate-input.ts";
import { errorBeforeSending, originOf } from "../errors/from-response.ts";
import type { Client, Query } from "../client.ts";
import { operations, type Operation, type OperationName } from "../operations/index.ts";
import { streamRows } from "../lists/stream-rows.ts";
import type { TypedClient } from "./methods.ts";

export type { TypedClient };

export interface TypedClientOptions {
  /** Called for each warning, for example about a deprecated parameter. */
  readonly onWarning?: (finding: InputProblem) => void;
}

/**
 * Creates a client whose input and answers have the types of each operation. Input that contradicts the operation tables is rejected
 * before anything is sent. Answers have the types of the document, but are not validated, because deployed servers
 * differ from it in places.
 *
 * @throws ApiError from each call
 * @example
 * const api = createTypedClient(createClient({ url, key, mode: "write", profile, clock: systemClock, redactor }));
 * const page = await api.call("domains.list", { organization_id, limit: 10 });
 * await api.call("batch_exports.backfill", { organization_id, id, body: { start_at, end_at } });
 * const body = { events: [{ id: "signed up" }], date_from: "-7d" };
 * const { result } = await api.call("insights.trend", { project_id: "2", body });
 * const csv: Uint8Array = await api.call("insights.list", { project_id: "2", format: "csv" });
 */
export function createTypedClient(client: Client, options: TypedClientOptions = {}): TypedClient {
  const partsOf = (name: OperationName, input: JsonObject = {}): RequestParts =>
    toRequestParts(operations[name], input, options);
  const typed = {
    call: async (name: OperationName, input?: JsonObject) => {
      const { body, bytes } = await client.request(name, partsOf(name, input));
      return bytes ?? body;
    },
    each: async function* (name: OperationName, input: JsonObject) {
      const { path, query } = partsOf(name, input);
      for await (const rows of streamRows(client, name, path, query)) yield* rows;
    },
  };
  return typed as unknown as TypedClient;
}

interface RequestParts {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body?: Json;
}

/** Splits an input into path, query and body. @throws ApiError `invalid` if the input has an error */
function toRequestParts(operation: Operation, input: JsonObject, { onWarning }: TypedClientOptions): RequestParts {
  const given = filterKeys(input, (name, value) => name !== "body" && value !== undefined);
  const path = filterKeys(given, (name) => Object.hasOwn(operation.params, name));
  const query = filterKeys(given, (name) => !Object.hasOwn(operation.params, name));
  // Removes members that are undefined, as JSON does.
  const body = input["body"] === undefined ? undefined : (JSON.parse(JSON.stringify(input["body"])) as Json);
  const findings = checkInput(operation, { path, query, body });
  for (const found of findings) if (found.severity === "warning") onWarning?.(found);
  const error = findings.find(({ severity }) => severity === "error");
  if (error !== undefined) {
    const { code, message: problem, hint } = error;
    throw errorBeforeSending(originOf(operation), { kind: "invalid", code, problem, hint });
  }
  return { path: mapValues(path, pathParameterText), query: query as Query, ...(body === undefined ? {} : { body }) };
}
