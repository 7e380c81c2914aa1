import { quoted, sanitize } from "../../model/text/quote.ts";
import type { Unmanaged } from "../../model/plan.ts";
import type { RenderOptions } from "../options.ts";
import { painter } from "../color.ts";
import { personText } from "../person.ts";
import { inColumns } from "../width.ts";

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
    const inIt = rows.filter((row) => row.collection === collection);
    const cellsOf = ({ name, title }: ImportableRow): readonly string[] => [
      sanitize(name),
      title === "" ? "(no name)" : quoted(title),
    ];
    const named = inColumns(inIt.map(cellsOf));
    const lines = inIt.map((row) => {
      const about = [`id ${sanitize(row.id)}`, personText(row.kind, row.about)].filter((text) => text !== "");
      return `  ${named(cellsOf(row))}  ${paint("dim", about.join("  "))}`;
    });
    return [paint("bold", `${sanitize(collection)}/`), ...lines].join("\n");
  });
  return `${blocks.join("\n\n")}\n`;
}
