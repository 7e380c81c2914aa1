import { readFile } from "node:fs/promises";
import { isObject, type Json, type JsonObject } from "../../../src/emulator/json.ts";

/** One recorded request with its answer. */
export interface Exchange {
  /** Its position in the recording, from 1. */
  readonly line: number;
  readonly label: string;
  readonly method: string;
  /** The path with the query. */
  readonly path: string;
  /** A text was sent unchanged, anything else as JSON. */
  readonly body: Json;
  readonly key: string | null;
  readonly status: number;
  readonly response: Json;
}

/** The folder of the recording. It is outside the project, because no part of it may be committed. */
export const RECORDING = new URL("../../../../shared/interface/recorded-exchanges.jsonl", import.meta.url);

/** Reads the exchanges of a recording. Returns undefined if there is none. */
export async function readRecording(file: URL): Promise<readonly Exchange[] | undefined> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  return text
    ?.split("\n")
    .filter((line) => line.trim() !== "")
    .map((line, index) => ({ ...(JSON.parse(line) as Exchange), line: index + 1 }));
}

const IN_ORGANIZATION = "batch_exports|domains|invites|members|pipeline_(?:destinations|frontend_apps|import_apps)";
const INTERFACE = new RegExp(
  `^/api/(?:organizations(?:/[^/]+(?:/(?:${IN_ORGANIZATION})(?:/.*)?)?)?|projects/[^/]+/(?:insights|batch_exports)(?:/.*)?)$`,
);

/**
 * Whether an exchange concerns the interface: a path of its eleven resources, with any method, and batch exports on
 * a project's route. Other routes of the recorded server do not.
 */
export function concernsInterface({ path }: Exchange): boolean {
  return INTERFACE.test((path.split("?")[0] ?? "").replace(/\/$/, ""));
}

/** Reports whether an exchange is a successful write. */
export function isDone({ method, status }: { readonly method: string; readonly status: number }): boolean {
  return method !== "GET" && status >= 200 && status < 300;
}

/** Returns the rows of a list, and no rows for anything else. */
export function rowsOf(response: Json): readonly JsonObject[] {
  const list = isObject(response) ? response["results"] : response;
  return Array.isArray(list) ? list.filter((row: Json) => isObject(row)) : [];
}

/** Returns the last segment of a path that names a resource, for example `insights`, and the rest of the path. */
export function partsOf(path: string): { readonly family: string; readonly rest: readonly string[] } {
  const parts = (path.split("?")[0] ?? "").split("/").filter((part) => part !== "");
  const nested = parts.length > 3;
  return { family: (nested ? parts[3] : parts[1]) ?? "", rest: parts.slice(nested ? 4 : 2) };
}
