import { type Profile, PROFILES } from "../../model/profile.ts";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Format } from "../../report/options.ts";
import type { ReportFile } from "../steps/report-files.ts";

/** Options of the commands that read a configuration. */
export interface ConfigOptions {
  readonly var?: readonly string[];
  readonly vars?: readonly string[];
  readonly verbose?: boolean;
}

/** Options of the commands that send requests. */
export interface ServiceOptions {
  readonly url?: string;
  readonly profile: Profile;
  readonly maxRequestsPerMinute?: number;
  readonly progress: "text" | "json";
  readonly verbose?: boolean;
}

export interface FormatOptions {
  readonly format: Format;
  /** Reports that are written into files as well. */
  readonly reports?: readonly ReportFile[];
}

/** The option of {@link withQuiet}. */
export interface QuietOptions {
  readonly quiet?: boolean;
}

/** The options of `init` that answer its questions. */
export const initAnswers = ["organization", "project", "kind", "out"] as const;

/** The shells that `completion` writes scripts for. */
export const shells = ["bash", "zsh", "fish"] as const;

export type Shell = (typeof shells)[number];

/** Other tools' names for options: each alias with the option, and the value that it stands for. */
const ALIASES: readonly (readonly [alias: string, option: string, value?: string])[] = [
  ["--json", "--format", "json"],
  ["--target", "--only"],
  ["--var-file", "--vars"],
  ["--auto-approve", "--yes"],
];

/** Lets the options of a command be given by their aliases. They are parsed as the option is, whose help names them. */
export function withAliases(command: Command): void {
  for (const [alias, flag, value] of ALIASES) {
    const option = command.options.find(({ long }) => long === flag);
    if (option === undefined) continue;
    const name = option.attributeName();
    const placeholder = value === undefined ? (/ <.+>$/.exec(option.flags)?.[0] ?? "") : "";
    const meaning = value === undefined ? flag : `${flag} ${value}`;
    const hidden = new Option(`${alias}${placeholder}`, `the same as ${meaning}`).hideHelp();
    option.description += ` (also: ${alias}${value === undefined ? "" : ` for ${value}`})`;
    command.addOption(hidden).on(`option:${hidden.name()}`, (given?: string | null) => {
      const text = value ?? given ?? undefined;
      const parsed: unknown =
        text === undefined ? true : (option.parseArg?.(text, command.getOptionValue(name)) ?? text);
      command.setOptionValueWithSource(name, parsed, "cli");
    });
  }
}

/** Ends the help of a command with examples. */
export function withExamples(command: Command, ...examples: readonly string[]): Command {
  return command.addHelpText("after", `\n${examplesText(examples)}\n${EXIT_CODES}`);
}

function examplesText(examples: readonly string[]): string {
  return `Examples:\n${examples.map((example) => `  ${example}\n`).join("")}`;
}

/** Where help refers to for the exit codes. */
export const EXIT_CODES = "Exit codes: docs/troubleshooting.md of the package lists them.";

/** What exit codes mean to a command. */
type Meanings = Readonly<Record<number, string>>;

const OF_EVERY_COMMAND: Meanings = {
  0: "done",
  1: "something could not be read, or the answer to a question was no",
  10: "the configuration or an option is invalid",
  11: "the service denies access",
  130: "interrupted",
};

/** What exit code 13 means. */
export const REFUSED = "a rule that protects what exists refuses something";

/** Ends the help of a command with examples, and with its exit codes: `own` beside those of every command. */
export function withExitCodes(command: Command, own: Meanings, ...examples: readonly string[]): Command {
  const lines = Object.entries({ ...OF_EVERY_COMMAND, ...own }).map(
    ([code, meaning]) => `  ${code.padStart(3)}  ${meaning}\n`,
  );
  const more = "docs/troubleshooting.md of the package says what to do about each.";
  return command.addHelpText("after", `\n${examplesText(examples)}\nExit codes:\n${lines.join("")}\n${more}`);
}

/** Collects the values of a repeatable option. */
export function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

/** Adds the paths of a configuration. */
export function withPaths(command: Command): Command {
  return command.argument("[path...]", "configuration files and folders (default: driftline.yaml, else .)");
}

/** Adds the options of {@link ConfigOptions}. */
export function withConfig(command: Command): Command {
  return withVerbose(
    command
      .option("--var <name=value>", "set a variable (repeatable)", collect)
      .option("--vars <file>", "read variables from a YAML or JSON file (repeatable)", collect),
    "report more details",
  );
}

/** Adds the option `--verbose`. */
export function withVerbose(command: Command, description: string): Command {
  return command.option("-v, --verbose", description);
}

/** Adds the option that leaves out everything but the result, in one line if there is one. */
export function withQuiet(command: Command, description = "print only the final line and errors"): Command {
  return command.addOption(new Option("-q, --quiet", description).conflicts("verbose"));
}

/** Adds the option that limits a plan. */
export function withOnly(command: Command): Command {
  return command.option("--only <address>", "limit the plan to this address and its children (repeatable)", collect);
}

/** Adds the option that answers the question before a write. */
export function withYes(command: Command, description: string): Command {
  return command.option("-y, --yes", description);
}

/** Adds the options of {@link ServiceOptions}. The key comes from DRIFTLINE_API_KEY only. */
export function withService(command: Command): Command {
  return command
    .option("--url <url>", "the service (default: DRIFTLINE_URL, else service.url of the configuration)")
    .addOption(rare(profileOption()))
    .addOption(
      rare(
        new Option("--max-requests-per-minute <n>", "maximum number of requests per minute").argParser(positiveInteger),
      ),
    )
    .addOption(
      rare(new Option("--progress <format>", "format of progress on stderr").choices(["text", "json"]).default("text")),
    );
}

const FORMATS = ["text", "json", "markdown", "html"] as const;

/** Puts an option that few need below the others of a help. */
export function rare(option: Option): Option {
  return option.helpGroup("Rarely needed:");
}

/** Adds the option of {@link FormatOptions}: `--format json` for stdout, `--format html=report.html` for a file beside it. */
export function withFormat(command: Command): Command {
  const option = new Option(
    "--format <format>",
    "format of the result; FORMAT=FILE writes one more report (repeatable)",
  );
  return command.addOption(
    option
      .choices(FORMATS)
      .argParser((text: string, before: Format) => parseFormat(command, text, before))
      .default("text"),
  );
}

function parseFormat(command: Command, text: string, before: Format): Format {
  const [name = "", ...rest] = text.split("=");
  const format = FORMATS.find((one) => one === name);
  if (format === undefined) throw new InvalidArgumentError(`Allowed choices are ${FORMATS.join(", ")}.`);
  if (rest.length === 0) return format;
  const file = rest.join("=");
  if (file === "") throw new InvalidArgumentError(`Write the file after the sign: ${format}=FILE.`);
  const reports = (command.getOptionValue("reports") ?? []) as readonly ReportFile[];
  if (reports.some((other) => other.file === file)) throw new InvalidArgumentError("Two reports need two files.");
  command.setOptionValue("reports", [...reports, { format, file }]);
  return before;
}

/** The option `--format` of commands that have some of the formats, and write no files of reports. */
export function formatOption(...formats: readonly Format[]): Option {
  return new Option("--format <format>", "format of the result").choices(formats).default("text");
}

/** The option `--profile`: which answers and routes to expect. */
export function profileOption(): Option {
  return new Option("--profile <name>", "the kind of server").choices([...PROFILES]).default("posthog");
}

/** Parses a whole number. */
export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}

/** Parses a port; 0 stands for a free one. */
export function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (port > 65_535) throw new InvalidArgumentError("It must be at most 65535.");
  return port;
}

/** Parses a whole number above zero. */
export function positiveInteger(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError("It must be a whole number above 0.");
  return Number(text);
}

/** The languages of exported programs. Pulumi writes the other ones from YAML. */
export function exportLanguage(text: string): "typescript" | "yaml" {
  if (text === "typescript" || text === "yaml") return text;
  throw new InvalidArgumentError(
    "Allowed choices are typescript, yaml. For another language use yaml, then run pulumi convert in the exported folder.",
  );
}

const HOURS: Readonly<Record<string, number>> = { h: 1, d: 24, w: 24 * 7 };

/** The time that `7d`, `12h` and `2w` ago, or a date such as 2026-11-01, stand for. Milliseconds since 1970, NaN for another text. */
export function sinceWhen(text: string, now: number): number {
  const [, count, unit = ""] = /^(\d{1,4})([hdw])$/u.exec(text) ?? [];
  if (count !== undefined) return now - Number(count) * (HOURS[unit] ?? 0) * 3_600_000;
  return /^\d{4}-\d\d-\d\d/u.test(text) ? Date.parse(text) : Number.NaN;
}

/** Parses the option `--since`, which stays text: suggested commands repeat it. */
export function sinceText(text: string): string {
  if (Number.isNaN(sinceWhen(text, 0)))
    throw new InvalidArgumentError("Write 7d, 12h or 2w, or a date such as 2026-11-01.");
  return text;
}
