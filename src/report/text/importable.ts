import { quoted, sanitize } from "../../model/quote.ts";
import type { RenderOptions } from "../options.ts";
import { painter } from "../color.ts";
import { columnWidth } from "../width.ts";

/** An object that can be imported. */
export interface ImportableRow {
  /** Address of its collection, such as `acme/domains`. */
  readonly collection: string;
  /** The name that it would get there. */
  readonly name: string;
  /** Its name for people; empty if it has none. */
  readonly title: string;
  readonly id: string;
}

/** Lists what can be imported, by place and kind. */
export function renderImportable(rows: readonly ImportableRow[], { color }: Pick<RenderOptions, "color">): string {
  const paint = painter({ color });
  const collections = [...new Set(rows.map(({ collection }) => collection))];
  const blocks = collections.map((collection) => {
    const cells = rows
      .filter((row) => row.collection === collection)
      .map(({ name, title, id }) => [sanitize(name), title === "" ? "(no name)" : quoted(title), id]);
    const widths = [0, 1].map((column) => columnWidth(cells.map((row) => row[column] ?? "")));
    const lines = cells.map(([name = "", title = "", id = ""]) => {
      const named = `  ${name.padEnd(widths[0] ?? 0)}  ${title.padEnd(widths[1] ?? 0)}`;
      return `${named}  ${paint("dim", `id ${sanitize(id)}`)}`;
    });
    return [paint("bold", `${sanitize(collection)}/`), ...lines].join("\n");
  });
  return `${blocks.join("\n\n")}\n`;
}
