/**
 * Texts that a pipeline takes for its commands when a job prints them.
 *
 * GitHub: a line that begins with `::`, after blanks of any kind, and `##[` anywhere. Azure: `##vso[` and `##[` anywhere. TeamCity:
 * `##teamcity[` anywhere. GitLab: `section_start:` and a time. Jenkins, and links and pictures of Buildkite: escape sequences, which are
 * never printed. The groups of Buildkite (`---`) only fold what follows, and differences of files begin so as well.
 */
import { jsonEscape } from "./text/quote.ts";

/** The character that is escaped. A line may also begin after a carriage return. */
const COMMANDS = /:(?<=^[\s\u0085]*:)(?=:)|#(?=#[a-z]*\[)|(?<=section_(?:start|end)):(?=\d)/gimu;

/** The text with a visible escape in each command. In a string of JSON, and in double quotes of YAML, it is the same value. */
export function withoutCommands(text: string): string {
  return text.replaceAll(COMMANDS, jsonEscape);
}
