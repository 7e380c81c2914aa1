/** What people type who know another tool, with what to do here. */
import { command, hintText, type CommandWords, type Hint } from "./command.ts";
import { own } from "./json/json.ts";

const to = (hint: string, words: CommandWords): Hint => ({ hint, command: words });

/** How a document begins. */
export const START_HINT = 'Start the document with "driftline: 1".';

const MAKE_CHANGES = to("To make the changes:", command("apply"));
const SEE_CHANGED = to("To see what changed on the service:", command("drift"));
const REMOVE = to(
  "Nothing removes everything. Write lifecycle: { state: absent } for what is to go. To see what would be removed:",
  command("plan"),
);
const KEY = "Put the key into the environment variable DRIFTLINE_API_KEY: others can read it here.";
const PATH = "Give the path of the files or of their folder without an option, behind the name of the command.";
const EACH =
  "Declare each object under a name of its own, or write a TypeScript configuration with a loop: docs/configuration.md of the package shows one.";
const FILTERS =
  "Write it under filters, such as filters: { insight: TRENDS, events: [{ id: EVENT }] }, or write a query.";
const ABOVE = "Write the id at the organization or the project. Objects below it belong to it.";

/**
 * By the command, the option, the option of one command, or the key with its colon. At most forty: a word is here because many type it
 * and the nearest word of driftline does not help. Others are in docs/from-terraform.md.
 */
export const INSTEAD: Readonly<Record<string, Hint>> = {
  up: MAKE_CHANGES,
  preview: to("To see what would change:", command("plan")),
  refresh: SEE_CHANGED,
  destroy: REMOVE,
  login: to("To check the key and its rights:", command("doctor")),
  get: to("To write what is live as YAML:", command("export")),
  state: to("There is no state: what is declared is compared with the service. To compare:", command("plan")),

  "apply --dry-run": to("An apply shows its plan and asks first. To see the plan alone:", command("plan")),
  "apply --effect": to("What a change does to the numbers is shown by:", command("plan", { effect: true })),
  "apply --out": "Save the plan with plan --out FILE, then make the changes with apply --plan FILE.",
  "plan --accept": to("Live values are written into the files by:", command("drift", { accept: true })),
  "drift --detailed-exitcode": "Leave it out: a drift exits with 2 if anything differs.",
  "--refresh-only": SEE_CHANGED,
  "--refresh": "Leave it out: each run reads the service anew, and there is no state.",
  "--destroy": REMOVE,
  "--replace": "Nothing forces a replacement; --rotate ADDRESS sends secrets again.",
  "--parallelism": "Leave it out: eight changes run at once, and --max-requests-per-minute limits their requests.",
  "--html": "Write --format html=FILE. The text report is printed as well.",
  "--api-key": KEY,
  "--config": PATH,
  "-f": PATH,
  "--insecure":
    "No option turns the check of certificates off. Name those of your own authority in NODE_EXTRA_CA_CERTS, which Node reads.",

  "version:": START_HINT,
  "api_version:": START_HINT,
  "api_key:": KEY,
  "provider:": "Remove it. At the top of a file, service: { url: ... } names the service.",
  "moved:":
    "Remove it: an address is only a name in your files. A new name on the service: lifecycle: { renamed_from: FORMER NAME }.",
  "depends_on:": "Remove it, because the order is found without it.",
  "count:": EACH,
  "for_each:": EACH,
  "import:": "Write id beside the fields of the object. The command import does that.",
  "project_id:": ABOVE,
  "organization_id:": ABOVE,
  "email:":
    "An invite has target_email. A membership has the address as its key: memberships: { ada@acme.com: { level: member } }.",
  "query_json:": "Write query, with a mapping as its value. JSON without quotes around it is one.",
  "query_sql:": "Write query: { kind: DataVisualizationNode, source: { kind: HogQLQuery, query: SELECT 1 } }.",
  "insight:": FILTERS,
  "events:": FILTERS,
  "type:":
    "Write it inside of the field that has a type: destination: { type: HTTP, config: { ... } }. In a query it is kind.",
  "ignore_changes:":
    "Write lifecycle: { ignore: [FIELD] }. To leave the whole object alone: lifecycle: { forget: true }.",
};

/** What to do instead of an option that the command does not have. Terraform's long options have one dash. */
export function insteadOfOption(verb: string, flag: string): Hint | undefined {
  const name = flag.replace(/^-(?=[a-z]{2})/u, "--");
  return own(INSTEAD, `${verb} ${name}`) ?? own(INSTEAD, name);
}

/** What to write instead of a key that is not known, in camel case or not. */
export function insteadOfKey(key: string): string | undefined {
  const hint = own(INSTEAD, `${key.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`)}:`);
  return hint === undefined ? undefined : hintText(hint);
}
