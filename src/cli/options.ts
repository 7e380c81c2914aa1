import { type Command, InvalidArgumentError, Option } from "commander";

/** Options of every command that reads a configuration. */
export interface ConfigOptions {
  readonly var?: readonly string[];
  readonly vars?: readonly string[];
  readonly verbose?: boolean;
}

/** Options of every command that talks to the service. */
export interface ServiceOptions {
  readonly url?: string;
  readonly profile: "posthog" | "document";
  readonly maxRequestsPerMinute?: number;
  readonly progress: "text" | "json";
  readonly verbose?: boolean;
}

export interface FormatOptions {
  readonly format: "text" | "json" | "markdown";
}

const collect = (value: string, before: readonly string[] | undefined): readonly string[] => [...(before ?? []), value];

/** Adds the options of {@link ConfigOptions}. */
export function withConfig(command: Command): Command {
  return command
    .option("--var <name=value>", "set a variable (may be given again)", collect)
    .option("--vars <file>", "read variables from a YAML or JSON file (may be given again)", collect)
    .option("--verbose", "say more of what happens");
}

/** Adds the options of {@link ServiceOptions}; the key comes from DRIFTLINE_API_KEY only. */
export function withService(command: Command): Command {
  return command
    .option("--url <url>", "the service (else DRIFTLINE_URL, else service.url of the configuration)")
    .addOption(new Option("--profile <name>", "the kind of server").choices(["posthog", "document"]).default("posthog"))
    .option("--max-requests-per-minute <n>", "never send more than this", positiveInteger)
    .addOption(new Option("--progress <form>", "form of progress on stderr").choices(["text", "json"]).default("text"));
}

/** Adds the option of {@link FormatOptions}. */
export function withFormat(command: Command): Command {
  return command.addOption(
    new Option("--format <format>", "form of the result").choices(["text", "json", "markdown"]).default("text"),
  );
}

/** A whole number, zero included. */
export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError("It has to be a whole number.");
  return Number(text);
}

/** A port; 0 is a free one. */
export function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (port > 65_535) throw new InvalidArgumentError("It has to be at most 65535.");
  return port;
}

/** A whole number above zero. */
export function positiveInteger(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError("It has to be a whole number above 0.");
  return Number(text);
}

/**
 * Addresses out of an option that takes several, which may have swallowed the paths after it: no address begins with a dot
 * or a slash or ends like a configuration file.
 */
export function splitPaths(addresses: readonly string[]): {
  readonly addresses: readonly string[];
  readonly paths: readonly string[];
} {
  const isPath = (text: string): boolean => /^[./]|\.(ya?ml|m?ts)$/.test(text);
  return { addresses: addresses.filter((text) => !isPath(text)), paths: addresses.filter(isPath) };
}
