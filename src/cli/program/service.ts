/** The commands that talk to a service. */
import { Option } from "commander";
import { collections, kindNames } from "../../model/kind-name.ts";
import { exampleNames } from "./package.ts";
import { type Run, type DriftlineCommand, formatOption, asRareOption } from "./command.ts";
import { collect, initAnswers, positiveInteger, sinceText } from "./options.ts";

/** What exit code 13 means. */
const REFUSED = "a rule that protects what exists refuses something";

const CONFIRM_ORGANIZATION = [
  "--confirm-organization <name>",
  "allow the organization with this name to be deleted (repeatable)",
  collect,
] as const;

export function addInit(program: DriftlineCommand, run: Run): void {
  program
    .command("init")
    .description("write a first configuration, or copy an example")
    .service()
    .examples(
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
        .conflicts(["url", ...initAnswers]),
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
    .action(run(async () => (await import("../commands/init.ts")).initCommand));
}

export function addPlan(program: DriftlineCommand, run: Run): void {
  const codes = { 2: "something differs, with --detailed-exitcode", 13: REFUSED };
  program
    .command("plan")
    .alias("diff")
    .description("show what differs from the service, and what apply would do (also: diff)")
    .planning()
    .effect()
    .exitCodes(codes, "driftline plan", "driftline plan --out plan.json --detailed-exitcode")
    .option("-o, --out <file>", "save the plan, to be applied with apply --plan")
    .option("--detailed-exitcode", "exit with 2 if anything differs")
    .option("--prune", "plan to delete undeclared objects of exclusive kinds")
    .sendingAgain()
    .action(run(async () => (await import("../commands/plan.ts")).planCommand));
}

export function addDrift(program: DriftlineCommand, run: Run): void {
  const codes = { 2: "something differs", 12: "with --accept: a file was changed meanwhile", 13: REFUSED };
  program
    .command("drift")
    .description("report what changed outside of the configuration; exit with 2 if anything did")
    .planning()
    .effect()
    .exitCodes(codes, "driftline drift", "driftline drift --accept")
    .option("--accept", "write the live values into the YAML files that declare them; --only limits this")
    .option("--since <time>", "only what was changed since then: 7d, 1y, or a date", sinceText)
    .option("--by <person>", "only what this person changed last: the e-mail, as the report shows it")
    .addOption(
      new Option(
        "--branch <name>",
        "accept on this branch: commit, push, and open a pull request; no file is written",
      ).implies({ accept: true }),
    )
    .option("-y, --yes", "with --accept: do not ask")
    .action(run(async () => (await import("../commands/drift.ts")).driftCommand));
}

export function addApply(program: DriftlineCommand, run: Run): void {
  const codes = {
    12: "the service is no longer as it was planned: plan again",
    13: REFUSED,
    14: "only a part is written: read why, then apply again",
    15: "it is unknown whether something was written: apply again, which finds out first",
  };
  program
    .command("apply")
    .description("write exactly the plan that is shown")
    .planning()
    .option("-y, --yes", "do not ask")
    .exitCodes(codes, "driftline apply", "driftline apply --plan plan.json --yes")
    .option("--plan <file>", "apply exactly this saved plan")
    .option("--approve <hash>", "allow the plan with this hash to remove more than the limit")
    .option("--prune", "delete undeclared objects of exclusive kinds")
    .sendingAgain()
    .option(...CONFIRM_ORGANIZATION)
    .option("--allow-loss <address>", "change this object even if something is lost for good (repeatable)", collect)
    .option("--pin", "write the ids of created objects into the YAML files")
    .addOption(
      asRareOption(
        new Option(
          "--settle-after <seconds>",
          "seconds to wait before assuming that an unanswered create did not happen (default: 60)",
        ).argParser(positiveInteger),
      ),
    )
    .action(run(async () => (await import("../commands/apply.ts")).applyCommand));
}

export function addExport(program: DriftlineCommand, run: Run): void {
  program
    .command("export")
    .description("write a configuration from a live organization")
    .service()
    .option("-v, --verbose", "report every request")
    .quiet("print only errors and what is missing")
    .examples("driftline export --out live", "driftline export --pulumi live")
    .option("--organization <id-or-name...>", "export only these organizations")
    .option("--project <id-or-name...>", "export only these projects, without the rest of their organizations")
    .option("-o, --out <folder>", "write into this folder: a file per organization and per project (default: stdout)")
    .option("--single-file", "write one file into the folder")
    .addOption(
      new Option("--split <collection...>", "write a file for each resource of these collections").choices(
        Object.values(collections),
      ),
    )
    .option("--all-fields", "write fields with their default, too; a change of them is then drift")
    .option("--no-ids", "do not pin ids: names find the objects, here or in another organization")
    .option("--ids-as-variables", "with --no-ids: write variables for ids of one project")
    .option(
      "--pulumi [folder]",
      "write a file for pulumi import instead, which writes the program (Pulumi 3.254 or newer)",
    )
    .addOption(
      new Option("--provider <name>", "resources of the file for Pulumi (default: packaged)").choices([
        "packaged",
        "dynamic",
      ]),
    )
    .action(run(async () => (await import("../commands/export.ts")).exportCommand));
}

export function addImport(program: DriftlineCommand, run: Run): void {
  const codes = {
    2: "something is not written, as in TypeScript files: the lines to add are printed",
    12: "a file was changed meanwhile",
  };
  program
    .command("import")
    .description("write live objects that nothing declares into the YAML files, with their ids")
    .paths()
    .config()
    .service()
    .option("-y, --yes", "do not ask")
    .exitCodes(codes, "driftline import --only acme/projects/web/insights/7", "driftline import --all --yes")
    .option("--only <address>", "import this: an address, ADDRESS=ID, or all that is below one (repeatable)", collect)
    .option("--all", "import everything that nothing declares")
    .addHelpText(
      "after",
      `
Without --only it lists what can be imported, and asks. An object is named by the address in that list, or by its id.
ADDRESS=ID gives it the name at the end of that address. A scope or a collection stands for everything in it.`,
    )
    .action(run(async () => (await import("../commands/import.ts")).importCommand));
}

export function addPin(program: DriftlineCommand, run: Run): void {
  program
    .command("pin")
    .description("write the ids of objects that were found by name into the YAML files")
    .paths()
    .config()
    .service()
    .option("-y, --yes", "do not ask")
    .examples("driftline pin --yes", "driftline pin config --only acme/projects/web/insights")
    .option("--only <address>", "pin this: an address, ADDRESS=ID, or all that is below one (repeatable)", collect)
    .addHelpText(
      "after",
      `
A pinned object that is renamed in the web interface is drift that apply puts right.
ADDRESS=ID pins an object, a project or an organization that has another name already.
Exit code 2: some ids have to be added by hand, as in TypeScript files; the lines are printed.`,
    )
    .action(run(async () => (await import("../commands/pin.ts")).pinCommand));
}

export function addAccess(program: DriftlineCommand, run: Run): void {
  program
    .command("access")
    .description("show who has access to an organization, for a review")
    .paths()
    .config()
    .service()
    .examples("driftline access", "driftline access --format csv --since 90d > access.csv")
    .option("--organization <id-or-name>", "the organization: its id, its name, or its key in the configuration")
    .option("--since <time>", "mark what changed since then: 30d, 1y, or a date", sinceText)
    .addOption(formatOption("text", "csv", "json", "html"))
    .action(run(async () => (await import("../commands/access.ts")).accessCommand));
}

export function addCall(program: DriftlineCommand, run: Run): void {
  program
    .command("call")
    .description("send any operation of the interface by name")
    .service()
    .option("-v, --verbose", "report every request")
    .option("-y, --yes", "do not ask before a writing operation")
    .examples(
      "driftline call domains.list organization_id=ID --all",
      'driftline call insights.trend project_id=2 events:=\'[{"id": "signed up"}]\' date_from=-7d',
      "driftline call invites.create organization_id=ID --body invite.json --dry-run",
      "driftline call pipeline_destinations.update_source organization_id=ID id=7 --file index.ts=./index.ts",
    )
    .argument("[operation]", "its name, such as domains.verify; with --list, the name of a family")
    .argument("[parameter...]", "name=value, name:=JSON, or name=@FILE; --list shows their types")
    .option("--list", "list the operations with method, path, scope and parameters")
    .option("--body <file>", "the body as JSON, - for stdin; parameters override its fields")
    .option("--file <name=path>", "a file of a plugin's source, for update_source (repeatable)", collect)
    .option("--all", "read every page of a list, one row of JSON per line")
    .option("--dry-run", "show the request without sending it")
    .option(...CONFIRM_ORGANIZATION)
    .addOption(formatOption("text", "json"))
    .addHelpText(
      "after",
      "\nResults are JSON in every format, with secrets concealed by name; format=csv returns the service's own text.",
    )
    .action(run(async () => (await import("../commands/call.ts")).callCommand));
}

export function addDoctor(program: DriftlineCommand, run: Run): void {
  program
    .command("doctor")
    .description("check the setup: URL, key, scopes, clock, limits and configuration")
    .paths()
    .config()
    .service()
    .examples("driftline doctor", "driftline doctor --json")
    .addOption(formatOption("text", "json"))
    .action(run(async () => (await import("../commands/doctor.ts")).doctorCommand));
}
