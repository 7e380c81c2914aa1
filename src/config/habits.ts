/** What people write out of habit, by place, with what to write here instead: a hint for each misplaced word. */
export type Habits = Readonly<Record<string, string>>;

/** How a document begins. */
export const START_HINT = 'Start the document with "driftline: 1".';
const KEY = "Remove it from the file, and put the key into the environment variable DRIFTLINE_API_KEY.";
const ORDER = "Remove it, because the order is found without it.";
const EACH =
  "Remove it, and declare each object under a name of its own, or write a TypeScript configuration with a loop: docs/configuration.md of the package shows one.";

const CONNECTION = "Remove it: service: { url: ... } names the service of a whole configuration.";
const TIMEOUTS = "Remove it: each request has a time limit of its own.";
const PAGE = "docs/from-terraform.md of the package has the words of Terraform.";
const IGNORE = "Write lifecycle: { ignore: [FIELD] }.";
const REPLACED = "Remove it: an object is replaced only if a field cannot be changed.";
const PROTECT = "Write lifecycle: { protect: true }.";
const RENAMED = "Write lifecycle: { renamed_from: FORMER NAME }.";

/** Keys at the top of a document. */
export const TOP_KEYS: Habits = {
  version: START_HINT,
  apiVersion: START_HINT,
  organization: "Write organizations, with each organization under a name of your choice.",
  provider: "Write service: { url: ... }.",
  posthog: "Write service: { url: ... }.",
  terraform: "Remove it: there is no state and no backend.",
  backend: "Remove it: there is no state and no backend.",
  locals: "Write variables.",
  data: `Remove it. Write the id of an existing object where you need it. ${PAGE}`,
  output: `Remove it: export and plan --format json have the ids. ${PAGE}`,
  import: `Remove it: write id beside the fields of the object. The command import does that. ${PAGE}`,
  removed: `Remove it: what leaves the files stays on the service. ${PAGE}`,
  check: `Remove it: drift compares the service with the files. ${PAGE}`,
  moved:
    "Remove it: an address is only a name in your files. A new name on the service: lifecycle: { renamed_from: FORMER NAME }.",
  module: "Remove it: declare the objects, in several files if you like, or write a TypeScript configuration.",
  resource: "Write organizations, with each organization under a name of your choice.",
};

export const SERVICE_KEYS: Habits = {
  api_key: KEY,
  apiKey: KEY,
  key: KEY,
  token: KEY,
  personal_api_key: KEY,
  host: "Write url.",
  endpoint: "Write url.",
  api_url: "Write url.",
};

export const RESOURCE_KEYS: Habits = {
  query_json: "Write query, with a mapping as its value. JSON without quotes around it is one.",
  depends_on: ORDER,
  dependsOn: ORDER,
  count: EACH,
  for_each: EACH,
  moved: RENAMED,
  provider: CONNECTION,
  providers: CONNECTION,
  timeouts: TIMEOUTS,
  customTimeouts: TIMEOUTS,
  prevent_destroy: PROTECT,
  ignore_changes: IGNORE,
  ignoreChanges: IGNORE,
  deleteBeforeReplace: REPLACED,
  replaceOnChanges: REPLACED,
  retainOnDelete: "Remove it: what leaves the files stays on the service, unless its kind is exclusive.",
  aliases: "Remove it: an address is only a name in your files.",
  email:
    "An invite has target_email. A membership has the address as its key: memberships: { ada@acme.com: { level: member } }.",
  role: "Write level, with member, admin or owner.",
  import: "Write id, with the id of the object as its value.",
  project_id: "Write the id at the project: projects: { web: { id: 2 } }. Objects below it belong to it.",
  organization_id:
    "Write the id at the organization: organizations: { acme: { id: ID } }. Objects below it belong to it.",
};

/** Keys that belong inside of a field. Among the keys of a scope they may be kinds. */
const FILTERS =
  "Write it under filters, such as filters: { insight: TRENDS, events: [{ id: EVENT }] }, or write a query.";
export const INNER_KEYS: Habits = {
  query_sql: "Write query: { kind: DataVisualizationNode, source: { kind: HogQLQuery, query: SELECT 1 } }.",
  insight: FILTERS,
  events: FILTERS,
  type: "Write it inside of the field that has a type: destination: { type: S3, config: { ... } }. In a query it is kind.",
};

export const LIFECYCLE_KEYS: Habits = {
  prevent_destroy: "Write protect: true.",
  ignore_changes: "Write ignore: [FIELD].",
  ignoreChanges: "Write ignore: [FIELD].",
  create_before_destroy: REPLACED,
  replace_triggered_by: REPLACED,
};

/** Values in `lifecycle.ignore`. */
const ALL = "Write lifecycle: { forget: true } to leave the whole object alone.";
export const IGNORED: Habits = { all: ALL, "*": ALL };

/** Values of `lifecycle.state`. */
export const STATES: Habits = {
  present: "Remove it: a declared object has to be present.",
  deleted: "Write absent.",
  destroyed: "Write absent.",
  removed: "Write absent.",
};

/** The other names of what stands in `${...}` in shells, workflows and Terraform. */
export function expressionHint(inner: string): string {
  const [, type = "", name = ""] =
    /^\{?\s*(?:(variables?|vars?|env|secrets?|local)\.)?([A-Za-z_]\w*)\s*$/u.exec(inner) ?? [];
  if (name === "") return "Write $${ for a literal ${.";
  if (type.startsWith("secret")) return `Write \${secret:${name}}. Its value comes from the environment.`;
  if (type === "local" || (type.startsWith("var") && type !== "vars")) return `Write \${var:${name}}.`;
  if (type !== "") return `Write \${env:${name}}.`;
  return `Write \${var:${name}} for a variable, \${env:${name}} for one of the environment, or \${secret:${name}} for a secret.`;
}
