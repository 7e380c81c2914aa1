/** What an HTML report says, read without the code that writes it. */

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };

/** The text of a piece of HTML: no tags, and no entities. Each block ends with a line break. */
export function textOf(html: string): string {
  return html
    .replaceAll("</div>", "\n")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(?:#(\d+)|(\w+));/g, (found, code: string | undefined, name = "") =>
      code === undefined ? (ENTITIES[String(name)] ?? found) : String.fromCodePoint(Number(code)),
    );
}

/** The text of a report's body, without its script. */
export function bodyOf(html: string): string {
  return /<body>\n([^]*)\n<script>/.exec(html)?.[1] ?? "";
}

/** One value that differs: its path, and the text of each side. */
export interface ShownRow {
  readonly path: string;
  readonly prior: string;
  readonly planned: string;
}

/** The rows of all changes of a report. What a created resource will have is the planned side. */
export function rowsOf(html: string): readonly ShownRow[] {
  return [...bodyOf(html).matchAll(/<div class="row[^]*?(?=<div class="row|<\/details>)/g)].map(([row]) => {
    const all = (pattern: RegExp): string => [...row.matchAll(pattern)].map(([, text = ""]) => textOf(text)).join("\n");
    return {
      path: all(/<code class="path">(.*?)<\/code>/g),
      prior: all(/<del[^>]*>(.*?)<\/del>/g),
      planned: [
        all(/<ins[^>]*>(.*?)<\/ins>/g),
        all(/<span class="value">(.*?)<\/span>/g),
        all(/<div class="value lines">(.*?)<\/div><\/div>/g),
      ].join(""),
    };
  });
}
