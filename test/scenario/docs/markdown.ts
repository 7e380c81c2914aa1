/** What a reader sees of Markdown: its sentences, its links and the anchors of its headings. */

/** The text outside fenced blocks. */
function proseOf(markdown: string): string {
  return markdown.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, "").replaceAll(/<!--[\s\S]*?-->/g, "");
}

/**
 * The sentences outside code, tables and headings. Code within a sentence is one word, an item of a list is a paragraph
 * of its own, and a colon or a semicolon ends no sentence.
 */
export function sentencesOf(markdown: string): readonly string[] {
  const lines = proseOf(markdown)
    .split("\n")
    .map((line) => (/^\s*(?:> ?)?(\||#|<)/.test(line) ? "" : line.replace(/^\s*(?:[-*]|\d+\.) /, "\n")));
  const paragraphs = lines.join("\n").split(/\n\s*\n/);
  return paragraphs
    .map((paragraph) => plain(paragraph).replaceAll(/\s+/g, " ").trim())
    .flatMap((paragraph) => paragraph.split(/(?<=[.!?][)"]?) (?=["(]?[A-Z0-9])/))
    .filter((sentence) => sentence !== "");
}

function plain(text: string): string {
  return text
    .replaceAll(/`[^`]+`/g, "Code")
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/\*+/g, "");
}

/** The number of words in a sentence: what has a letter or a digit. */
export function countWords(sentence: string): number {
  return sentence.split(" ").filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** The targets of links and pictures, without the ones on the web. */
export function linksOf(markdown: string): readonly string[] {
  const prose = proseOf(markdown).replaceAll(/`[^`]+`/g, "");
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)];
  return targets
    .map(([, link, attribute]) => link ?? attribute ?? "")
    .filter((link) => !/^(?:https?|mailto):/.test(link));
}

/** The anchors that GitHub makes of the headings. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of proseOf(markdown).matchAll(/^#+ (.*)$/gm)) {
    const slug = heading
      .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-");
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${String(count)}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** The title of a page, and the paragraph after it. */
export function openingOf(markdown: string): { readonly title: string; readonly first: string } {
  const [title = "", first = ""] = markdown.split("\n\n");
  return { title, first: plain(first).replaceAll("\n", " ") };
}
