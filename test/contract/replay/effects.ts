import { isObject, type Json, type JsonObject } from "../../../src/emulator/json.ts";
import { isDone, partsOf, rowsOf, type Exchange } from "./recording.ts";
import { valueDifferences } from "./compare.ts";
import type { IdMap } from "./ids.ts";

/** Values that a server generates. Only their types are compared. */
const MADE_UP = new Set([
  "id",
  "short_id",
  "created_at",
  "updated_at",
  "last_updated_at",
  "last_modified_at",
  "last_paused_at",
]);

/** Reads from the emulator, independently of the recording. */
export type Look = (path: string) => Promise<{ readonly status: number; readonly response: Json }>;

/** Remembers what was written, and checks later reads against it. */
export interface Effects {
  /** Lists the contradictions between a pair of answers and the earlier writes. */
  check(exchange: Exchange, given: Json): readonly string[];
}

/** The fields that were sent and returned, by family and id of the object. */
export function createEffects(ids: IdMap): Effects {
  const written = new Map<string, Set<string>>();
  const note = (object: string, fields: readonly string[]): void => {
    const compared = fields.filter((field) => !MADE_UP.has(field));
    written.set(object, new Set([...(written.get(object) ?? []), ...compared]));
  };
  return {
    check(exchange, given) {
      const { family, rest } = partsOf(exchange.path);
      const objectOf = (row: JsonObject): string => `${family}/${ids.id(family, row["id"])}`;
      const recorded = isObject(exchange.response) && "id" in exchange.response ? [exchange.response] : [];
      const rows = [...recorded, ...rowsOf(exchange.response)];
      const ours = [...(isObject(given) && "id" in given ? [given] : []), ...rowsOf(given)];
      if (isDone(exchange) && isObject(exchange.body)) {
        for (const row of recorded) note(objectOf(row), Object.keys(exchange.body));
        if (rest[1]?.endsWith("pause") === true) note(`${family}/${ids.id(family, rest[0])}`, ["paused"]);
      }
      return rows.flatMap((row) => {
        const own = ours.find((other) => String(other["id"]) === ids.id(family, row["id"]));
        return own === undefined ? [] : valueDifferences(written.get(objectOf(row)) ?? [], ids.json(row), own);
      });
    },
  };
}

/**
 * Whether the effect of a write shows in the next read of the emulator: a made or changed object is there with what the
 * answer said, a deleted one is not.
 */
export async function lookAfter(exchange: Exchange, path: string, given: Json, look: Look): Promise<readonly string[]> {
  const [base = "", , deletedId] =
    /^(.*?\/(?:organizations|[a-z_]+s))(\/([^/]+))?\/?$/.exec(path.split("?")[0] ?? "")?.slice(1) ?? [];
  const { family, rest } = partsOf(path);
  if (rest.length > 1 || rest[0] === "bulk" || base === "") return [];
  if (exchange.method === "DELETE") {
    const rows = rowsOf((await look(`${base}/?limit=1000`)).response);
    return rows.some((row) => String(row["id"]) === deletedId) ? ["the deleted object is still listed"] : [];
  }
  if (!isObject(given) || given["id"] === undefined || !isObject(exchange.body)) return [];
  const found = await seenAgain(base, family, given, look);
  if (exchange.body["deleted"] === true) return found === undefined ? [] : ["the deleted object is still there"];
  if (found === undefined) return ["the written object is not there"];
  const plain = Object.keys(exchange.body).filter((field) => field in given && field !== "destination");
  return valueDifferences(plain, given, found).map((difference) => `read again: ${difference}`);
}

/** Reads the object again: by its own route if there is one, otherwise in the list. A plugin may be in any group. */
async function seenAgain(base: string, family: string, given: JsonObject, look: Look): Promise<JsonObject | undefined> {
  const groups = family.startsWith("pipeline")
    ? ["destinations", "frontend_apps", "import_apps"].map((group) =>
        base.replace(/pipeline_\w+$/, `pipeline_${group}`),
      )
    : [base];
  for (const group of groups) {
    const listed = ["invites", "members"].includes(family);
    const { status, response } = await look(listed ? `${group}/?limit=1000` : `${group}/${String(given["id"])}/`);
    if (status !== 200) continue;
    const found = listed ? rowsOf(response).find((row) => row["id"] === given["id"]) : response;
    if (isObject(found)) return found;
  }
  return undefined;
}
