/** The options that people type who know Terraform, Pulumi or kubectl, and those of a neighbouring command. */
import { command, type Hint } from "../../model/command.ts";

const PLAN: Hint = { hint: "An apply shows its plan and asks first. To see the plan alone:", command: command("plan") };
const SAVE: Hint = "Save the plan with plan --out FILE, then make the changes with apply --plan FILE.";
const EFFECT: Hint = {
  hint: "What a change does to the numbers is shown by the plan:",
  command: command("plan", { effect: true }),
};
const DRIFT: Hint = { hint: "To see what changed on the service:", command: command("drift") };
const REMOVE: Hint =
  "No option removes everything. Write lifecycle: { state: absent } for what is to go, or use --prune for an exclusive kind.";
const REPLACE: Hint = "Nothing forces a replacement; --rotate ADDRESS sends secrets again.";
const KEY: Hint =
  "The key has no option, because others can read it there. Set the environment variable DRIFTLINE_API_KEY.";
const URL: Hint = "Use --url.";
const FRESH: Hint = "Leave it out: each run reads the service anew, and there is no state.";
const LOCK: Hint = "Leave it out: there is no state to lock.";
const BACKEND: Hint = "Leave it out: there is no backend and no state. init writes files.";

const PATH: Hint = "Give the path of the files or of their folder without an option, behind the name of the command.";
const ENVIRONMENT: Hint = "Give each environment a file of variables, with --vars.";
const TLS: Hint =
  "No option turns the check of certificates off. Name those of your own authority in NODE_EXTRA_CA_CERTS, which Node reads.";

const QUIET: Hint = "Leave it out. With --quiet a run shows only the final line and errors.";
const TERSE = { "compact-warnings": QUIET, concise: QUIET };

/** Options that a command of driftline does not have, by the command. */
const OF_COMMAND: Readonly<Record<string, Readonly<Record<string, Hint>>>> = {
  apply: {
    ...TERSE,
    effect: EFFECT,
    "effect-limit": "Use plan --effect-limit.",
    "effect-totals": "Use plan --effect-totals.",
    out: SAVE,
    "dry-run": PLAN,
    preview: PLAN,
    "detailed-exitcode": {
      hint: "To get an exit code for differences:",
      command: command("plan", { detailedExitcode: true }),
    },
    force: "Use --yes to answer the question. What a rule refuses is allowed by the option that its message names.",
    "skip-preview": "Use --yes to answer the question.",
  },
  drift: { ...TERSE, "detailed-exitcode": "Leave it out: a drift exits with 2 if anything differs." },
  export: { kind: "Use init --kind, which exports only some kinds." },
  init: {
    force: "No file is replaced. Remove it, or choose another name.",
    upgrade: "Leave it out: nothing is downloaded. A new version of driftline is installed as it was the first time.",
    backend: BACKEND,
    "backend-config": BACKEND,
    reconfigure: BACKEND,
    "migrate-state": BACKEND,
  },
  plan: {
    ...TERSE,
    "dry-run": "Leave it out: a plan writes nothing.",
    approve: "Use apply --approve.",
    "generate-config-out": "Use import ADDRESS=ID, which writes what is live into your files, or export --out FOLDER.",
    yes: { hint: "A plan asks nothing. To make the changes:", command: command("apply", { yes: true }) },
    accept: { hint: "Live values are written into the files by:", command: command("drift", { accept: true }) },
  },
  validate: TERSE,
};

/** Options that no command has. */
const OF_ALL: Readonly<Record<string, Hint>> = {
  "refresh-only": DRIFT,
  refresh: FRESH,
  destroy: REMOVE,
  replace: REPLACE,
  lock: LOCK,
  "lock-timeout": LOCK,
  state: LOCK,
  parallelism: "Leave it out: eight changes run at once, and --max-requests-per-minute limits their requests.",
  input: "Leave it out: without a terminal nothing is asked, and --yes answers.",
  "api-key": KEY,
  key: KEY,
  token: KEY,
  host: URL,
  endpoint: URL,
  config: PATH,
  c: PATH,
  file: PATH,
  chdir: PATH,
  stack: ENVIRONMENT,
  workspace: ENVIRONMENT,
  env: ENVIRONMENT,
  insecure: TLS,
  k: TLS,
  debug: "Use --verbose.",
  version: "Use driftline --version, with two dashes.",
  help: "Write --help, with two dashes.",
  v: "Use --version, or --verbose behind the name of a command.",
};

/** What to do instead of an option that the command does not have. */
export function otherOption(verb: string, flag: string): Hint | undefined {
  const [name = ""] = flag.replace(/^--?/u, "").split("=");
  const own = Object.hasOwn(OF_COMMAND, verb) ? OF_COMMAND[verb] : undefined;
  if (own !== undefined && Object.hasOwn(own, name)) return own[name];
  return Object.hasOwn(OF_ALL, name) ? OF_ALL[name] : undefined;
}
