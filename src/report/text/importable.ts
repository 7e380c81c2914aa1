import { sanitize } from "../escape.ts";
import type { RenderOptions } from "../options.ts";
import { columnWidth, painter } from "./style.ts";

/** An object that can be imported. */
export interface ImportableRow {
  /** The address that it would get. */
  readonly address: string;
  readonly kind: string;
  /** Its name for people; empty if it has none. */
  readonly title: string;
  readonly id: string;
}

/** Lists what can be imported, grouped by place and kind. */
export function renderImportable(rows: readonly ImportableRow[], { color }: Pick<RenderOptions, "color">): string {
  const paint = painter(color);
  const collectionOf = ({ address }: ImportableRow): string => address.split("/").slice(0, -1).join("/");
  const collections = [...new Set(rows.map(collectionOf))];
  const widths = [0, 1].map((column) => columnWidth(rows.map((row) => cellsOf(row)[column] ?? "")));
  const blocks = collections.map((collection) => {
    const lines = rows
      .filter((row) => collectionOf(row) === collection)
      .map((row) => {
        const [address = "", title = "", id = ""] = cellsOf(row);
        return `  ${address.padEnd(widths[0] ?? 0)}  ${title.padEnd(widths[1] ?? 0)}  ${paint("dim", id)}`;
      });
    return [paint("bold", `${sanitize(collection)} (${lines.length})`), ...lines].join("\n");
  });
  return `${blocks.join("\n\n")}\n`;
}

function cellsOf({ address, title, id }: ImportableRow): readonly string[] {
  return [sanitize(address), title === "" ? "(no name)" : sanitize(JSON.stringify(title)), `id ${sanitize(id)}`];
}
