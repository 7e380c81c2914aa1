/** A fenced block of a Markdown file. */
export interface Block {
  readonly language: string;
  /**
   * What stands after the language. `seed=FILE` starts a session against an emulator with this seed, `dialect=NAME` limits
   * the session to a dialect of the emulator, and `file=NAME` writes the block into the folder of the session. A block in
   * the language `diff` changes the file.
   */
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  /** The heading under which it stands. */
  readonly section: string;
}

/** The fenced blocks of a Markdown file, in order. A block in a list is indented, and its text is not. */
export function blocksOf(markdown: string): readonly Block[] {
  const blocks: Block[] = [];
  let section = "";
  let open: { readonly indent: string; readonly info: string; readonly lines: string[] } | undefined;
  for (const line of markdown.split("\n")) {
    const [, indent = "", info] = /^( *)```(.*)$/.exec(line) ?? [];
    if (open === undefined && info !== undefined) open = { indent, info, lines: [] };
    else if (open !== undefined && line === `${open.indent}\`\`\``) {
      const [language = "", ...attributes] = open.info.split(" ");
      const pairs = attributes.map((attribute) => attribute.split("=", 2));
      blocks.push({ language, attributes: Object.fromEntries(pairs), text: open.lines.join("\n"), section });
      open = undefined;
    } else if (open !== undefined)
      open.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
    else if (line.startsWith("#")) section = line.replace(/^#+ /, "");
  }
  if (open !== undefined) throw new Error(`a block under ${section} is never closed`);
  return blocks;
}

/** The sessions of a page: each starts with a block that has a seed, and goes on until the next one or the end of the page. */
export function sessionsOf(blocks: readonly Block[]): readonly (readonly Block[])[] {
  const sessions: Block[][] = [];
  for (const block of blocks) {
    if (block.attributes["seed"] !== undefined) sessions.push([block]);
    else sessions.at(-1)?.push(block);
  }
  return sessions;
}

/** The commands that a file shows: in shell blocks, after a prompt, and as code within a sentence. */
export function commandsOf(markdown: string): readonly string[] {
  const shown = blocksOf(markdown).flatMap(({ language, text }) => {
    const lines = text.replaceAll("\\\n", " ").split("\n");
    if (language === "console") return lines.filter((line) => line.startsWith("$ ")).map((line) => line.slice(2));
    return language === "sh" ? lines : [];
  });
  const prose = markdown.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, "");
  const inline = [...prose.matchAll(/`((?:npm|npx|driftline) [^`]+)`/g)].map(([, command = ""]) => command);
  // Assignments before a command, comments and redirections after it, and one command after another.
  const all = [...shown, ...inline].flatMap((line) => line.replace(/ # .*$|^#.*$/, "").split(/ (?:&&|\|\|?) |; /));
  return all
    .map((command) => command.trim().replace(/^(?:[A-Z_]+=\S* )+/, ""))
    .map((command) => command.replace(/ 2?>.*$/, ""))
    .filter((command) => command !== "");
}

/** The rows of the table under a heading: the text of their cells, the head left out. */
export function tableUnder(markdown: string, heading: string): readonly (readonly string[])[] {
  const start = markdown.indexOf(`\n${heading}\n`);
  if (start < 0) throw new Error(`there is no heading ${heading}`);
  const rest = markdown.slice(start + heading.length + 2);
  const [section = ""] = rest.split(/^#/m);
  const rows = section.split("\n").filter((line) => line.startsWith("|"));
  return rows.slice(2).map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
