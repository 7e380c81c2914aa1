/** The commands that need no service. */
import { version } from "../../generated/version.ts";
import { Argument, Option } from "commander";
import { kindNames } from "../../model/kind-name.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { type DriftlineCommand, formatOption, profileOption, type Run } from "./command.ts";
import { collect, portNumber, positiveInteger, shells, wholeNumber } from "./options.ts";
import type { Runtime } from "../runtime.ts";

export function addValidate(program: DriftlineCommand, run: Run): void {
  program
    .command("validate")
    .description("check the configuration without the service")
    .config()
    .paths()
    .quiet()
    .examples("driftline validate", "driftline validate live --json")
    .addOption(profileOption())
    .addOption(formatOption("text", "json"))
    .action(run(async () => (await import("../commands/validate.ts")).validateCommand));
}

export function addShow(program: DriftlineCommand, run: Run): void {
  program
    .command("show")
    .description("show a saved plan")
    .format()
    .option("-v, --verbose", "list every warning, and live keys that are not compared")
    .quiet()
    .examples("driftline show plan.json", "driftline show plan.json --format markdown")
    .argument("<plan>", "a file that plan --out wrote")
    .option("--unmanaged", "list live objects that nothing declares")
    .option("--effect", "show the numbers that plan --effect has calculated")
    .action(run(async () => (await import("../commands/show.ts")).showCommand));
}

export function addExplain(program: DriftlineCommand, run: Run): void {
  program
    .command("explain")
    .description("list the kinds, or explain a kind or a field")
    .examples("driftline explain insight", "driftline explain insight.query")
    .addOption(formatOption("text", "json"))
    .argument("[kind]", `a kind or one of its fields: KIND or KIND.FIELD, of ${kindNames.join(", ")}`)
    .action(run(async () => (await import("../commands/explain.ts")).explainCommand));
}

/** Adds `completion`, and the command that its scripts call. */
export function addCompletion(program: DriftlineCommand, run: Run): void {
  program
    .command("completion")
    .description("write a completion script for a shell")
    .examples('eval "$(driftline completion bash)"', "driftline completion fish | source")
    .addArgument(new Argument("<shell>", "the shell").choices(shells))
    .action(run(async () => (await import("../commands/completion.ts")).completionCommand));
  program
    .command("complete-words", { hidden: true })
    .argument("[word...]", "the command line up to the word that is completed")
    .action((words: string[]) =>
      run(async () => (await import("../commands/complete-words.ts")).completeWordsCommand)(words, program),
    );
}

export function addVersion(program: DriftlineCommand, run: Run): void {
  program
    .command("version")
    .description("print the version")
    .examples("driftline version", "driftline --version")
    .action(run(() => Promise.resolve(versionCommand)));
}

function versionCommand({ out }: Runtime): Promise<ExitCode> {
  out(`${version}\n`);
  return Promise.resolve(EXIT.ok);
}

export function addEmulator(program: DriftlineCommand, run: Run): void {
  program
    .command("emulator")
    .description("serve the interface on this machine, in memory")
    .examples(
      "driftline emulator --port 8010",
      "driftline emulator --seed seed.json --dialect deployed",
      "driftline emulator --key reader=organization:read,insight:read --key writer",
    )
    .option("--port <n>", "the port (default: a free one)", portNumber)
    .option("--seed <file>", "initial data (JSON)")
    .addOption(
      new Option("--dialect <name>", "follow the interface document, or answer like servers of 2025 or of today")
        .choices(["document", "deployed", "current"])
        .default("document"),
    )
    .option("--control-port <n>", "port of the control API (seed, edit, faults, request log)", portNumber)
    .option("--allow-host <name>", "also answer requests to this host, beside loopback names (repeatable)", collect)
    .option("--latency <ms>", "minimum duration of each request, in milliseconds", wholeNumber)
    .option("--max-page-size <n>", "the largest page size that is accepted", positiveInteger)
    .option(
      "--key <name=scopes>",
      "accept this key, limited to these scopes, instead of emulator-key (repeatable)",
      collect,
    )
    .option("--rate-limits", "enforce the rate limits of deployed servers")
    .action(run(async () => (await import("../commands/emulator.ts")).emulatorCommand));
}
