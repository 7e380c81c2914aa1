import type { Client } from "../api/client.ts";
import { kinds } from "../kinds/registry.ts";
import type { JsonObject } from "../model/json/json.ts";
import { type LiveList, withoutProblem } from "../model/live.ts";
import type { ListRead, ListReadStats } from "../kinds/world.ts";
import { ListReader, type ReadOptions } from "./list-reader.ts";
import { readRow } from "./read-object.ts";
import { readList } from "./read-lists.ts";
import { withUnlisted } from "./unlisted.ts";

/** The organizations, and how they were read. */
export interface OrganizationsResult {
  readonly list: LiveList;
  readonly stats: readonly ListReadStats[];
}

/**
 * Reads the organizations that the key can access. Pinned organizations that the list lacks (the key may be restricted,
 * or the list refused) are read one by one, so a refused list does not matter for them.
 *
 * @param options `needsList`: organizations without a known id are needed as well, so a refused list is an error
 */
export async function readOrganizations(
  client: Client,
  pins: readonly string[],
  { onRows, needsList = false }: Pick<ReadOptions, "onRows"> & Pick<ListRead, "needsList"> = {},
): Promise<OrganizationsResult> {
  const place = { kind: "organization", scope: "", path: {} } as const;
  const read = { ...place, what: "objects", isFull: false } as const;
  const reader = new ListReader(client, [read], { onRows });
  const list = await readList(reader, read);
  const { stats } = reader;
  const ids = pins.map((pin) => pin.toLowerCase());
  if (list.status === "known") {
    const onRow = (row: JsonObject): void => onRows?.({ "organizations.list": [row] }, place);
    const pinned = ids.map((value) => ({ field: "id", value }));
    return { list: await withUnlisted(client, list, pinned, { ...place, onRow }), stats };
  }
  const rows = await Promise.all(ids.map((id) => readRow(client, "organizations.get", { id })));
  const rowsByOperation = { "organizations.list": rows.filter((row) => row !== undefined) };
  onRows?.(rowsByOperation, place);
  const objects = kinds.organization.lists.assemble({ ...place, rows: rowsByOperation });
  // If every pinned organization was found, a refused list needs no report.
  const isListUnneeded = !needsList && ids.length > 0 && ids.length === objects.length;
  const completed = { ...list, objects };
  return { list: isListUnneeded ? withoutProblem(completed) : completed, stats };
}
