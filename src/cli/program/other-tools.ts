/** Commands and options of Terraform, Pulumi and kubectl, and options of another command, each with what to do instead. */
import { own } from "../../model/json.ts";
import { command, type CommandWords, type Hint } from "../../model/command.ts";

const to = (hint: string, words: CommandWords): Hint => ({ hint, command: words });

const [APPLY, DOCTOR, DRIFT, EXPORT] = [command("apply"), command("doctor"), command("drift"), command("export")];
const [PLAN, VALIDATE] = [command("plan"), command("validate")];

const MAKE_CHANGES = to("To make the changes:", APPLY);
const SEE_CHANGED = to("To see what changed on the service:", DRIFT);
const SEE_LIVE = to("To write what is live as YAML:", EXPORT);
const CHECK_KEY = to("To check the key and its rights:", DOCTOR);

const REMOVE = to(
  "No command removes everything. Write lifecycle: { state: absent } for what is to go. To see what would be removed:",
  PLAN,
);
const PLAN_ALONE = to("An apply shows its plan and asks first. To see the plan alone:", PLAN);
const ASKED = "Use --yes to answer the question.";
const KEY = "The key has no option, because others can read it there. Set the environment variable DRIFTLINE_API_KEY.";
const URL = "Use --url.";
const LOCK = "Leave it out: there is no state to lock.";
const BACKEND = "Leave it out: there is no backend and no state. init writes files.";
const PATH = "Give the path of the files or of their folder without an option, behind the name of the command.";
const ENVIRONMENT = "Give each environment a file of variables, with --vars.";
const TLS =
  "No option turns the check of certificates off. Name those of your own authority in NODE_EXTRA_CA_CERTS, which Node reads.";
const QUIET = "Leave it out. With --quiet a run shows only the final line and errors.";

/** By the command, the option, or the option of one command. */
const INSTEAD: Readonly<Record<string, Hint>> = {
  preview: to("To see what would change:", PLAN),
  status: SEE_CHANGED,
  refresh: SEE_CHANGED,
  up: MAKE_CHANGES,
  deploy: MAKE_CHANGES,
  sync: MAKE_CHANGES,
  get: SEE_LIVE,
  pull: SEE_LIVE,
  whoami: CHECK_KEY,
  login: CHECK_KEY,
  fmt: to("No command formats files. To check them:", VALIDATE),
  lint: to("To check the files:", VALIDATE),
  test: to(
    "A plan against the emulator tests a configuration: docs/emulator.md of the package, and init --example library. To check the files alone:",
    VALIDATE,
  ),
  providers: to("There are no providers to choose. To check the service and the key:", DOCTOR),
  output: to("There are no outputs: an export has the ids. To write what is live as YAML:", EXPORT),
  graph: to("The order of changes is found by itself. To see the changes:", PLAN),
  console: to("There is no console. To see what a field accepts:", command("explain")),
  untaint: to("Nothing is tainted, because there is no state. To see what would change:", PLAN),
  state: to("There is no state: what is declared is compared with the service. To compare:", PLAN),
  "state rm": to(
    "There is no state: remove the declaration, and the object stays on the service. To see what is left:",
    PLAN,
  ),
  "state mv": to("There is no state: an address is only a name in your files. Write the new one, and compare:", PLAN),
  "state show": SEE_LIVE,
  "state pull": SEE_LIVE,
  workspace: to(
    "There are no workspaces: give each environment a file of variables, with --vars. To see what would change:",
    PLAN,
  ),
  stack: to("There are no stacks and no state: the service is read anew each time. To compare:", PLAN),
  "stack select": to(
    "There are no stacks: give each environment a file of variables, with --vars. To see what would change:",
    PLAN,
  ),
  config: to(
    "There are no settings of a stack: values stand in the files, or come from --var and --vars. To check the files:",
    VALIDATE,
  ),
  logs: to("There are no logs of the service here. A drift says who changed what, and when:", DRIFT),
  cancel: to("Nothing runs elsewhere: Ctrl-C ends an apply, and its lock ends with it. To see what is left:", PLAN),
  rollback: to(
    "Nothing is undone by itself. Restore the former files, from git for example. To make the changes:",
    APPLY,
  ),
  taint: to("Nothing forces a replacement; apply --rotate sends secrets again. To see what would change:", PLAN),
  "force-unlock": to("A lock ends with its process. To make the changes:", APPLY),
  destroy: REMOVE,
  delete: REMOVE,

  "apply --effect": to("What a change does to the numbers is shown by the plan:", command("plan", { effect: true })),
  "apply --effect-limit": "Use plan --effect-limit.",
  "apply --effect-totals": "Use plan --effect-totals.",
  "apply --out": "Save the plan with plan --out FILE, then make the changes with apply --plan FILE.",
  "apply --dry-run": PLAN_ALONE,
  "apply --preview": PLAN_ALONE,
  "apply --detailed-exitcode": to("To get an exit code for differences:", command("plan", { detailedExitcode: true })),
  "apply --force": `${ASKED} What a rule refuses is allowed by the option that its message names.`,
  "apply --skip-preview": ASKED,
  "drift --detailed-exitcode": "Leave it out: a drift exits with 2 if anything differs.",
  "export --kind": "Use init --kind, which exports only some kinds.",
  "init --force": "No file is replaced. Remove it, or choose another name.",
  "init --upgrade":
    "Leave it out: nothing is downloaded. A new version of driftline is installed as it was the first time.",
  "init --backend": BACKEND,
  "init --backend-config": BACKEND,
  "init --reconfigure": BACKEND,
  "init --migrate-state": BACKEND,
  "plan --dry-run": "Leave it out: a plan writes nothing.",
  "plan --approve": "Use apply --approve.",
  "plan --generate-config-out":
    "Use import ADDRESS=ID, which writes what is live into your files, or export --out FOLDER.",
  "plan --yes": to("A plan asks nothing. To make the changes:", command("apply", { yes: true })),
  "plan --accept": to("Live values are written into the files by:", command("drift", { accept: true })),
  ...Object.fromEntries(
    ["apply", "drift", "plan", "validate"].flatMap((verb) => [
      [`${verb} --compact-warnings`, QUIET],
      [`${verb} --concise`, QUIET],
    ]),
  ),

  "--refresh-only": SEE_CHANGED,
  "--refresh": "Leave it out: each run reads the service anew, and there is no state.",
  "--destroy":
    "No option removes everything. Write lifecycle: { state: absent } for what is to go, or use --prune for an exclusive kind.",
  "--replace": "Nothing forces a replacement; --rotate ADDRESS sends secrets again.",
  "--lock": LOCK,
  "--lock-timeout": LOCK,
  "--state": LOCK,
  "--parallelism": "Leave it out: eight changes run at once, and --max-requests-per-minute limits their requests.",
  "--input": "Leave it out: without a terminal nothing is asked, and --yes answers.",
  "--api-key": KEY,
  "--key": KEY,
  "--token": KEY,
  "--host": URL,
  "--endpoint": URL,
  "--config": PATH,
  "-c": PATH,
  "--file": PATH,
  "--chdir": PATH,
  "--stack": ENVIRONMENT,
  "--workspace": ENVIRONMENT,
  "--env": ENVIRONMENT,
  "--insecure": TLS,
  "-k": TLS,
  "--debug": "Use --verbose.",
  "--version": "Use driftline --version, with two dashes.",
  "--help": "Write --help, with two dashes.",
  "-v": "Use --version, or --verbose behind the name of a command.",
};

/** What to do instead of a command; `next` is the word behind it, which may belong to it, as in `state rm`. */
export function insteadOfCommand(name: string, next = ""): Hint | undefined {
  return firstOf(`${name} ${next}`, name);
}

/** What to do instead of an option that the command does not have. Terraform's long options have one dash. */
export function insteadOfOption(verb: string, flag: string): Hint | undefined {
  const name = flag.replace(/^-(?=[a-z]{2})/u, "--").replace(/^--(?=.$)/u, "-");
  return firstOf(`${verb} ${name}`, name);
}

function firstOf(...keys: readonly string[]): Hint | undefined {
  const key = keys.find((one) => Object.hasOwn(INSTEAD, one));
  return key === undefined ? undefined : own(INSTEAD, key);
}
