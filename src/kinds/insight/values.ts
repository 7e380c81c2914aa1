import { isJsonArray, isJsonObject, type JsonObject } from "../../model/json/json.ts";
import { declarableValues } from "../rows.ts";
import { ONLY_TODAY } from "../service-signs.ts";

/** Reads the dashboards from the tiles that are not deleted, if the service does not list them. Current service 214. */
export function valuesOf(row: JsonObject): JsonObject {
  const values = declarableValues("insight", row, [ONLY_TODAY]);
  const { dashboards, dashboard_tiles: tiles } = row;
  if (dashboards !== undefined || !isJsonArray(tiles)) return values;
  const shownOn = tiles.flatMap((tile) =>
    isJsonObject(tile) && tile["deleted"] !== true ? [tile["dashboard_id"]] : [],
  );
  const ids = shownOn.filter((id) => id !== undefined);
  return ids.length < shownOn.length ? values : { ...values, dashboards: ids };
}
