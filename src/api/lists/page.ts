import { visible } from "../../model/text/quote.ts";
import { command, type CommandWords } from "../../model/command.ts";
import { isJsonArray, isJsonObject, own, type Json, type JsonObject } from "../../model/json/json.ts";
import type { ApiError } from "../errors/errors.ts";
import { protocolError, type Origin } from "../errors/from-response.ts";
import type { RowTexts } from "../../kinds/operation.ts";
import type { Answer } from "../http/receive.ts";
import { parameterProblem } from "../http/request-path.ts";

/** One page of a list (document, Conventions: paginated envelope). */
export interface Page {
  readonly offset: number;
  readonly count: number;
  readonly rows: readonly JsonObject[];
  /** As the service sent them: 1 and "1" are two different values. */
  readonly ids: readonly (string | number)[];
  /** Whether the service names a next page. The address itself is never used: the key must not go to another host. */
  readonly hasNext: boolean;
}

/** Like {@link toPage}, and every row has a usable id and the fields that identify it. @throws ApiError `protocol` */
export function toIdentifiedPage(origin: Origin, answer: Answer, offset: number): Page {
  const page = toPage(origin, answer, offset);
  for (const [index, row] of page.rows.entries()) {
    const problem =
      parameterProblem(String(page.ids[index]), "string") ?? missingField(row, origin.operation.rows ?? {});
    if (problem === undefined) continue;
    const unclear = `row ${visible(JSON.stringify(page.ids[index]))} ${problem}, so the list cannot be trusted to be complete`;
    const hint = { hint: "To see what the service returns for this list:", command: callCommand(origin) };
    throw protocolError(origin, answer.status, { code: "unclear_row", problem: unclear, hint });
  }
  return page;
}

/** The command that sends the same request. */
function callCommand({ operation, path }: Origin): CommandWords {
  const values = path.split("/");
  const parameters = operation.path
    .split("/")
    .flatMap((segment, index) => (segment.startsWith(":") ? [`${segment.slice(1)}=${values[index] || "ID"}`] : []));
  return command("call", {}, operation.name, ...parameters);
}

/** The first identifying field that a row lacks, as a problem. */
function missingField(row: JsonObject, texts: RowTexts): string | undefined {
  for (const [path, allowed] of Object.entries(texts)) {
    const value = path
      .split(".")
      .reduce<Json | undefined>((parent, key) => (isJsonObject(parent) ? own(parent, key) : undefined), row);
    const mayLack =
      (value === null && allowed !== "text") || (value === undefined && allowed === "text, null or nothing");
    if (typeof value !== "string" && !mayLack) return `has no \`${path}\``;
  }
  return undefined;
}

/** Reads a response as a page. @throws ApiError `protocol` if it is not a page of objects that have ids */
export function toPage(origin: Origin, answer: Answer, offset: number): Page {
  const { body, rows } = toRows(origin, answer);
  const { count, next } = body;
  if (!isRowCount(count)) throw noPage(origin, answer, "its count is not a number of rows");
  const ids = rows.map((row) => {
    const id = idOf(row);
    if (id === undefined) throw noPage(origin, answer, "a row has no id");
    return id;
  });
  return { offset, count, rows, ids, hasNext: typeof next === "string" };
}

/** The rows of a page, counted or not. @throws ApiError `protocol` if there is no array of objects */
export function toRows(
  origin: Origin,
  answer: Answer,
): { readonly body: JsonObject; readonly rows: readonly JsonObject[] } {
  const { body } = answer;
  if (!isJsonObject(body)) throw noPage(origin, answer, "its body is not a page of a list");
  const { results } = body;
  if (!isJsonArray(results)) throw noPage(origin, answer, "its body has no array of results");
  if (!results.every(isJsonObject)) throw noPage(origin, answer, "a row is not an object");
  return { body, rows: results };
}

export function noPage(origin: Origin, { status }: Answer, problem: string): ApiError {
  const counted = origin.operation.response === "cursor" ? "" : "a count and ";
  const hint = `Check the URL of the service: a list has ${counted}an array of results.`;
  return protocolError(origin, status, { code: "no_page", problem, hint });
}

function idOf(row: JsonObject): string | number | undefined {
  const id = row["id"];
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

function isRowCount(value: Json | undefined): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
