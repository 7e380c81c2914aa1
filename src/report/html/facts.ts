import { joinMarkup, markup, type Markup } from "./markup.ts";

/** What is said of something, under a name; undefined if it is not known, or not worth saying. */
export type Fact = readonly [name: string, text: Markup | string | undefined];

/** The facts that are known, one below the other. Empty without them. */
export function factList(style: "facts" | "meta", facts: readonly Fact[]): Markup {
  const rows = facts.flatMap(([name, text]) =>
    text === undefined ? [] : [markup`<div><dt>${name}</dt><dd>${text}</dd></div>`],
  );
  return rows.length === 0 ? markup`` : markup`<dl class="${style}">${rows}</dl>`;
}

/** Texts as code, with commas between them. */
export function codeList(texts: readonly string[]): Markup {
  return joinMarkup(
    texts.map((text) => markup`<code>${text}</code>`),
    markup`, `,
  );
}
