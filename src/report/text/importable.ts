import { quoted, sanitize } from "../../model/quote.ts";
import type { Unmanaged } from "../../model/plan.ts";
import type { RenderOptions } from "../options.ts";
import { painter } from "../color.ts";
import { personText } from "../person.ts";
import { columnWidth } from "../width.ts";

/** An object that can be imported. */
export interface ImportableRow extends Pick<Unmanaged, "kind" | "id" | "about"> {
  /** Address of its collection, such as `acme/domains`. */
  readonly collection: string;
  /** The name that it would get there. */
  readonly name: string;
  /** Its name for people; empty if it has none. */
  readonly title: string;
}

/** Lists what can be imported, by place and kind. */
export function renderImportable(rows: readonly ImportableRow[], { color }: Pick<RenderOptions, "color">): string {
  const paint = painter({ color });
  const collections = [...new Set(rows.map(({ collection }) => collection))];
  const blocks = collections.map((collection) => {
    const cells = rows
      .filter((row) => row.collection === collection)
      .map(({ kind, name, title, id, about }) => [
        sanitize(name),
        title === "" ? "(no name)" : quoted(title),
        [`id ${sanitize(id)}`, personText(kind, about)].filter((text) => text !== "").join("  "),
      ]);
    const widths = [0, 1].map((column) => columnWidth(cells.map((row) => row[column] ?? "")));
    const lines = cells.map(([name = "", title = "", id = ""]) => {
      const named = `  ${name.padEnd(widths[0] ?? 0)}  ${title.padEnd(widths[1] ?? 0)}`;
      return `${named}  ${paint("dim", id)}`;
    });
    return [paint("bold", `${sanitize(collection)}/`), ...lines].join("\n");
  });
  return `${blocks.join("\n\n")}\n`;
}
