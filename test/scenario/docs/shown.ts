import { blocksOf, type Block } from "./blocks.ts";
import { PAGES, textOf } from "./pages.ts";

export interface Shown {
  /** The page and the heading. */
  readonly place: string;
  readonly block: Block;
}

/** The blocks of all pages in a language. */
export function shownIn(...languages: readonly string[]): readonly Shown[] {
  return PAGES.flatMap((page) =>
    blocksOf(textOf(page))
      .filter(({ language }) => languages.includes(language))
      .map((block) => ({ place: `${page}, ${block.section}`, block })),
  );
}
