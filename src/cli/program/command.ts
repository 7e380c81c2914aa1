import type { ExitCode } from "../exit-codes.ts";
import type { Runtime } from "../runtime.ts";
import { PROFILES } from "../../model/profile.ts";
import { Command, InvalidArgumentError, Option } from "commander";
import type { Format } from "../../report/options.ts";
import { DEFAULT_EFFECT_LIMIT, type ReportFile, collect, positiveInteger } from "./options.ts";

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

const FORMATS = ["text", "json", "markdown", "html"] as const;

/** A command, with the options and the help that several commands share. */
export class DriftlineCommand extends Command {
  override createCommand(name?: string): DriftlineCommand {
    return new DriftlineCommand(name);
  }

  paths(): this {
    return this.argument("[path...]", "configuration files and folders (default: driftline.yaml, else .)");
  }

  /** The options of ConfigOptions. */
  config(): this {
    return this.option("--var <name=value>", "set a variable (repeatable)", collect)
      .option("--vars <file>", "read variables from a YAML or JSON file (repeatable)", collect)
      .option("-v, --verbose", "report more details")
      .addOption(
        asRareOption(new Option("--no-programs", "refuse a configuration that is a program, instead of running it")),
      );
  }

  /** The options of ServiceOptions. The key comes from DRIFTLINE_API_KEY only. */
  service(): this {
    const limit = new Option("--max-requests-per-minute <n>", "maximum number of requests per minute");
    const progress = new Option("--progress <format>", "format of progress on stderr");
    return this.option("--url <url>", "the service (default: DRIFTLINE_URL, else service.url of the configuration)")
      .addOption(asRareOption(profileOption()))
      .addOption(asRareOption(limit.argParser(positiveInteger)))
      .addOption(asRareOption(progress.choices(["text", "json"]).default("text")));
  }

  /** The option of FormatOptions: `--format json` for stdout, `--format html=report.html` for a file beside it. */
  format(): this {
    const option = new Option(
      "--format <format>",
      "format of the result; FORMAT=FILE writes one more report (repeatable)",
    );
    const parse = (text: string, before: Format): Format => this.#parseFormat(text, before);
    return this.addOption(option.choices(FORMATS).argParser(parse).default("text"));
  }

  #parseFormat(text: string, before: Format): Format {
    const [name = "", ...rest] = text.split("=");
    const format = FORMATS.find((one) => one === name);
    if (format === undefined) throw new InvalidArgumentError(`Allowed choices are ${FORMATS.join(", ")}.`);
    if (rest.length === 0) return format;
    const file = rest.join("=");
    if (file === "") throw new InvalidArgumentError(`Write the file after the sign: ${format}=FILE.`);
    const reports = (this.getOptionValue("reports") ?? []) as readonly ReportFile[];
    if (reports.some((other) => other.file === file)) throw new InvalidArgumentError("Two reports need two files.");
    this.setOptionValue("reports", [...reports, { format, file }]);
    return before;
  }

  /** The option that leaves out everything but the result, in one line if there is one. */
  quiet(description = "print only the final line and errors"): this {
    return this.addOption(new Option("-q, --quiet", description).conflicts("verbose"));
  }

  /** The options of the commands that compare a configuration with the service. */
  planning(): this {
    return this.paths()
      .config()
      .service()
      .format()
      .option("--only <address>", "limit the plan to this address and its children (repeatable)", collect)
      .option("--unmanaged", "list live objects that nothing declares")
      .quiet();
  }

  /** The options of `plan` and `apply` that name what is written although no value differs. */
  sendingAgain(): this {
    const secrets = "send the write-only fields of this address again (repeatable)";
    const object = "recreate this pinned object if it no longer exists (repeatable)";
    return this.option("--rotate <address>", secrets, collect).option("--recreate <address>", object, collect);
  }

  /** The options that ask for the numbers of changed insights. */
  effect(): this {
    const limit = new Option(
      "--effect-limit <n>",
      `calculate at most this many (default: ${String(DEFAULT_EFFECT_LIMIT)})`,
    );
    const totals = new Option("--effect-totals", "add up the values of breakdowns, which may be personal data");
    return this.option("--effect", "show what changed queries do to their numbers; needs the scope query:read")
      .addOption(asRareOption(limit.argParser(positiveInteger).implies({ effect: true })))
      .addOption(asRareOption(totals.implies({ effect: true })));
  }

  examples(...examples: readonly string[]): this {
    return this.addHelpText("after", `\n${examplesText(examples)}\n${EXIT_CODES}`);
  }

  /** Ends the help with examples, and with the exit codes: `own` beside those of every command. */
  exitCodes(own: Meanings, ...examples: readonly string[]): this {
    const lines = Object.entries({ ...OF_EVERY_COMMAND, ...own }).map(
      ([code, meaning]) => `  ${code.padStart(3)}  ${meaning}\n`,
    );
    const page = "docs/troubleshooting.md of the package says what to do about each.";
    return this.addHelpText("after", `\n${examplesText(examples)}\nExit codes:\n${lines.join("")}\n${page}`);
  }
}

function examplesText(examples: readonly string[]): string {
  return `Examples:\n${examples.map((example) => `  ${example}\n`).join("")}`;
}

/** Puts an option that few need below the others of a help. */
export function asRareOption(option: Option): Option {
  return option.helpGroup("Rarely needed:");
}

/** The option `--format` of commands that have some of the formats, and write no files of reports. */
export function formatOption(...formats: readonly (Format | "csv")[]): Option {
  return new Option("--format <format>", "format of the result").choices(formats).default("text");
}

/** The option `--profile`: which answers and routes to expect. */
export function profileOption(): Option {
  return new Option("--profile <name>", "the kind of server").choices([...PROFILES]).default("posthog");
}

/**
 * Returns the action of a command: it loads the code of the command, and calls it with the runtime that the options ask for, the
 * arguments and the options.
 */
export type Run = <Given extends readonly unknown[]>(
  load: () => Promise<(runtime: Runtime, ...given: Given) => Promise<ExitCode>>,
) => (...given: Given) => Promise<void>;

/** The command that is typed so; undefined if there is none. */
export function commandNamed(program: Command, name = ""): Command | undefined {
  return program.commands.find((command) => command.name() === name || command.aliases().includes(name));
}
