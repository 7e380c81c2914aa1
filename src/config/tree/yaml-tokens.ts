import { Lexer } from "yaml";

interface YamlToken {
  readonly token: string;
  readonly offset: number;
  /** Whether it is a text or a number, such as one that looks like a comment. */
  readonly isText: boolean;
}

/** What the lexer yields besides the text: the beginning of a document, the early end of brackets, and that of a scalar. */
const MARKS: ReadonlySet<string> = new Set(["\u0002", "\u0018", "\u001F"]);

export function* yamlTokens(text: string): Generator<YamlToken> {
  let offset = 0;
  let isText = false;
  for (const token of new Lexer().lex(text)) {
    if (!isText && MARKS.has(token)) {
      isText = token === "\u001F";
      continue;
    }
    yield { token, offset, isText };
    offset += token.length;
    isText = false;
  }
}
