/** The commands that need no service, and `init`, which begins without one. */
import { version } from "../../generated/version.ts";
import { Argument, Option, type Command } from "commander";
import { kindNames } from "../../model/kind-name.ts";
import type { GuidedInitOptions } from "../commands/init/guided.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { failure } from "../failure.ts";
import {
  collect,
  portNumber,
  positiveInteger,
  profileOption,
  shells,
  textJsonOrMarkdown,
  textOrJson,
  wholeNumber,
  withConfig,
  withExamples,
  withFormat,
  withPaths,
  withQuiet,
  withService,
  withVerbose,
  type Shell,
} from "./options.ts";
import { exampleNames } from "../steps/package.ts";
import type { Runtime } from "../runtime.ts";

/** Runs a command with the runtime that its options ask for. Each command's code is loaded when it runs. */
export type Run = (command: (runtime: Runtime) => Promise<ExitCode>) => Promise<void>;

/** The options of `init` that answer its questions. */
const ANSWERS = ["organization", "project", "kind", "out"] as const;

interface InitOptions extends GuidedInitOptions {
  readonly example?: string;
}

/** Adds `init`. */
export function addInit(program: Command, run: Run): void {
  const command = program.command("init").description("write a first configuration, or copy an example");
  withExamples(
    withService(command),
    "driftline init",
    "driftline init --url https://eu.posthog.com --project Web --out analytics",
    "driftline init acme.driftline.ts",
    "driftline init --example minimal",
  )
    .argument("[file]", "write an empty configuration into this file; with --example the folder (default: .)")
    .option("--organization <id-or-name...>", "write only these organizations")
    .option("--project <id-or-name...>", "write only these projects, and their organizations")
    .addOption(new Option("--kind <kind...>", "write only these kinds").choices(kindNames))
    .option("-o, --out <folder>", "write into this folder (default: analytics)")
    .addOption(
      new Option("--example <name>", "copy this example, with data for the emulator")
        .choices(exampleNames())
        .conflicts(["url", ...ANSWERS]),
    )
    .addHelpText(
      "after",
      `
On a terminal, it asks for what no option says: service, key, organizations,
projects, kinds and folder. Then it writes the files, and plans them. The key is
not shown. It has no option: DRIFTLINE_API_KEY answers that question.
Without a terminal nothing is asked. With --url, --organization, --project,
--kind or --out it writes what they select, and else an empty driftline.yaml.`,
    )
    .action((file: string | undefined, options: InitOptions) => run((runtime) => runInit(runtime, file, options)));
}

async function runInit(runtime: Runtime, file: string | undefined, options: InitOptions): Promise<ExitCode> {
  const { example, url } = options;
  if (example !== undefined)
    return (await import("../commands/init/example.ts")).initExampleCommand(runtime, example, file);
  const answered = ANSWERS.filter((name) => options[name] !== undefined);
  if (file !== undefined && answered[0] !== undefined)
    throw failure(
      EXIT.invalid,
      "usage",
      `--${answered[0]} is for an organization that you have, but a file gets an empty configuration`,
      "Leave out the file, or the option.",
    );
  if (file === undefined && (runtime.interactive || url !== undefined || answered.length > 0))
    return (await import("../commands/init/guided.ts")).guidedInitCommand(runtime, options);
  return (await import("../commands/init/empty.ts")).initCommand(runtime, { file, url });
}

/** Adds `validate`. */
export function addValidate(program: Command, run: Run): void {
  const command = program.command("validate").description("check the configuration without the service");
  withExamples(withQuiet(withPaths(withConfig(command))), "driftline validate", "driftline validate live --json")
    .addOption(profileOption())
    .addOption(textOrJson())
    .action((paths: string[], options) =>
      run(async (runtime) => (await import("../commands/validate.ts")).validateCommand(runtime, paths, options)),
    );
}

/** Adds `show`. */
export function addShow(program: Command, run: Run): void {
  const command = withQuiet(
    withVerbose(
      withFormat(program.command("show").description("show a saved plan")),
      "list every warning, and live keys that are not compared",
    ),
  );
  withExamples(command, "driftline show plan.json", "driftline show plan.json --format markdown")
    .argument("<plan>", "a file that plan --out wrote")
    .option("--unmanaged", "list live objects that nothing declares")
    .option("--effect", "show the numbers that plan --effect has calculated")
    .action((file: string, options) =>
      run(async (runtime) => (await import("../commands/show.ts")).showCommand(runtime, file, options)),
    );
}

/** Adds `explain`. */
export function addExplain(program: Command, run: Run): void {
  const command = program.command("explain").description("list the kinds, or explain a kind or a field");
  withExamples(command, "driftline explain insight", "driftline explain insight.query")
    .addOption(textJsonOrMarkdown())
    .argument("[kind]", `a kind or one of its fields: KIND or KIND.FIELD, of ${kindNames.join(", ")}`)
    .action((name: string | undefined, options) =>
      run(async (runtime) => (await import("../commands/explain.ts")).explainCommand(runtime, name, options)),
    );
}

/** Adds `completion`, and the command that its scripts call. */
export function addCompletion(program: Command, run: Run): void {
  const command = program.command("completion").description("write a completion script for a shell");
  withExamples(command, 'eval "$(driftline completion bash)"', "driftline completion fish | source")
    .addArgument(new Argument("<shell>", "the shell").choices(shells))
    .action((shell: Shell) =>
      run(async (runtime) => (await import("../commands/completion.ts")).completionCommand(runtime, shell, program)),
    );
  // The scripts call it.
  program
    .command("complete-address", { hidden: true })
    .argument("[word...]", "the command line up to the word that is completed")
    .action((words: string[]) =>
      run(async (runtime) =>
        (await import("../commands/complete-address.ts")).completeAddressCommand(runtime, words, program),
      ),
    );
}

/** Adds `version`. */
export function addVersion(program: Command, run: Run): void {
  const command = program.command("version").description("print the version");
  withExamples(command, "driftline version", "driftline --version").action(() =>
    run((runtime) => {
      runtime.out(`${version}\n`);
      return Promise.resolve(EXIT.ok);
    }),
  );
}

/** Adds `emulator`. */
export function addEmulator(program: Command, run: Run): void {
  const command = program.command("emulator").description("serve the interface on this machine, in memory");
  withExamples(
    command,
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
    .option("--latency <ms>", "minimum duration of each request, in milliseconds", wholeNumber)
    .option("--max-page-size <n>", "the largest page size that is accepted", positiveInteger)
    .option(
      "--key <name=scopes>",
      "accept this key, limited to these scopes, instead of emulator-key (repeatable)",
      collect,
    )
    .option("--rate-limits", "enforce the rate limits of deployed servers")
    .action((options) =>
      run(async (runtime) => (await import("../commands/emulator.ts")).emulatorCommand(runtime, options)),
    );
}
