/** Mistakes of people who know YAML, Terraform, Pulumi or kubectl, or who type in a hurry. */
import { EXIT, type ExitCode } from "../../../src/cli/exit-codes.ts";
import type { EmulatorOptions, Fault } from "../../../src/emulator/index.ts";
import { SEED, type RunOptions } from "../../support/workspace.ts";

/** Stands for the address that works in the environment of a row, as in the messages. */
export const OWN_URL = "http://localhost:PORT";

export interface Mistake {
  readonly name: string;
  /** What is typed after `driftline`. */
  readonly args: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** Replaces variables of the environment; an empty text unsets one. */
  readonly env?: Readonly<Record<string, string>>;
  /** What comes in place of every answer of the service. */
  readonly fault?: Fault;
  /** The address of a proxy; "asks" is one that wants a password. */
  readonly proxy?: string;
  readonly seed?: EmulatorOptions["seed"];
  readonly runtime?: RunOptions["runtime"];
  readonly code: ExitCode;
  /** Why something has to be sent before the mistake can be seen. */
  readonly sends?: string;
}

/** A line of a configuration, with the two spaces of each level before it. */
const START = "driftline: 1\norganizations:\n  acme:\n    name: Acme Inc\n";
const organization = (text: string): string => START + indented(text, 4);
const project = (text: string): string => `${START}    projects:\n      web:\n        id: 2\n${indented(text, 8)}`;
const insight = (text: string): string => project(`insights:\n  sign-ups:\n    name: Sign-ups\n${indented(text, 4)}`);
const batchExport = (text: string): string =>
  project(`batch_exports:\n  events:\n    name: Events\n    interval: hour\n${indented(text, 4)}`);

function indented(text: string, columns: number): string {
  return text.replaceAll(/^(?=.)/gmu, " ".repeat(columns)).replace(/(?<=.)$/u, "\n");
}

type More = Partial<Omit<Mistake, "name" | "files">>;

const mistake = (name: string, file: string, more: More = {}): Mistake => ({
  name,
  args: ["validate"],
  files: { "driftline.yaml": file },
  code: EXIT.invalid,
  ...more,
});
const warned = (name: string, file: string): Mistake => mistake(name, file, { code: EXIT.ok });
const typed = (name: string, line: string, more: Partial<Mistake> = {}): Mistake => ({
  name,
  args: line.split(" "),
  files: { "driftline.yaml": START },
  code: EXIT.invalid,
  ...more,
});

const YAML: readonly Mistake[] = [
  mistake("a tab as indentation", "driftline: 1\norganizations:\n\tacme: { name: Acme Inc }\n"),
  mistake("no space after a colon", organization("enforce_2fa:true")),
  mistake("a text with a colon in it", insight("description: Note: only paying users")),
  mistake("a text that begins with an @", insight("description: @ada knows more")),
  mistake("a text that begins with a percent sign", insight("description: %done of all")),
  mistake("yes for true", organization("enforce_2fa: yes")),
  mistake("a boolean in quotes", organization('enforce_2fa: "true"')),
  mistake("a number with a zero in front as a name", project("insights:\n  a: { name: 0123 }")),
  mistake("a number with a point as a name", project("insights:\n  a: { name: 1.0 }")),
  mistake("a number with an exponent as a name", project("insights:\n  a: { name: 1e3 }")),
  mistake("a hexadecimal number as a name", project("insights:\n  a: { name: 0xFF }")),
  mistake("numbers as tags", insight("tags: [2024, 1.10]")),
  mistake("a number as a key", project("insights:\n  1.0: { name: A }")),
  mistake("true as a name", project("insights:\n  a: { name: True }")),
  mistake("one tag without a list", insight("tags: growth")),
  mistake("tags with a comma between them", insight("tags: growth, web")),
  mistake("the number of a dashboard in quotes", insight('dashboards: "4"')),
  mistake("{{ name }}, as in Helm", organization("enforce_2fa: {{ enforce }}")),
  mistake("a list of members", organization("memberships:\n  - ada@acme.com\n  - bob@acme.com")),
  mistake("a member with a level and no mapping", organization("memberships:\n  ada@acme.com: admin")),
  mistake("an organization without a mapping", "driftline: 1\norganizations:\n  acme: Acme Inc\n"),
  mistake("a list of organizations", "driftline: 1\norganizations:\n  - name: Acme Inc\n"),
  mistake("a block that is copied", project("insights:\n  a: { id: 5, name: A }\n  a: { id: 5, name: A }")),
  mistake("the same key twice", organization("enforce_2fa: true\nenforce_2fa: false")),
  mistake(
    "a value indented too far",
    "driftline: 1\norganizations:\n  acme:\n    name: Acme Inc\n      enforce_2fa: true\n",
  ),
  warned("smart quotes around a value", "driftline: 1\norganizations:\n  acme:\n    name: “Acme Inc”\n"),
  mistake("smart quotes around a level", organization("memberships:\n  ada@acme.com: { level: ‘admin’ }")),
  mistake("an e-mail address with a blank", organization('memberships:\n  "ada @acme.com": { level: admin }')),
  mistake(
    "an e-mail address with a blank at its end",
    organization('memberships:\n  "ada@acme.com ": { level: admin }'),
  ),
  mistake("an invite to an address with a blank", organization("invites:\n  eve: { target_email: eve @acme.com }")),
  mistake("a name instead of an e-mail address", organization("memberships:\n  ada: { level: admin }")),
  mistake("a domain with its protocol", organization("domains:\n  corp: { domain: https://acme.com }")),
  mistake("an empty name", 'driftline: 1\norganizations:\n  acme:\n    name: ""\n'),
  mistake("an empty name of an insight", project('insights:\n  a: { name: "" }')),
  mistake("a name with a slash as a key", project("insights:\n  a/b: { name: A }")),
  mistake("an id that was cut", "driftline: 1\norganizations:\n  acme:\n    id: 0190aa11\n"),
];

const PLACES: readonly Mistake[] = [
  mistake("a project beside the fields of its organization", organization("web:\n  id: 2\n  insights: {}")),
  mistake(
    "a project one level too high",
    "driftline: 1\norganizations:\n  acme:\n    name: Acme Inc\n  web:\n    id: 2\n    insights: { a: { name: A } }\n",
  ),
  mistake("projects at the top", "driftline: 1\nprojects:\n  web: { id: 2 }\n"),
  mistake("email for target_email", organization("invites:\n  eve: { email: eve@acme.com, level: member }")),
  mistake("insights under the organization", organization("insights:\n  a: { name: A }")),
  mistake("domains under a project", project("domains:\n  corp: { domain: acme.com }")),
  mistake("a collection in the singular", project("insight:\n  a: { name: A }")),
  mistake("dashboards", project("dashboards:\n  growth: { name: Growth }")),
  mistake("a file without the first line", "organizations:\n  acme:\n    name: Acme Inc\n", {
    args: ["validate", "driftline.yaml"],
  }),
  mistake("version: 1", "version: 1\norganizations:\n  acme:\n    name: Acme Inc\n", {
    args: ["validate", "driftline.yaml"],
  }),
  mistake('driftline: "1"', 'driftline: "1"\norganizations:\n  acme:\n    name: Acme Inc\n'),
  typed("a folder without a configuration", "validate", { files: { "readme.md": "# Acme\n" } }),
  typed("a folder that does not exist", "plan confg", { files: { "config/driftline.yaml": START } }),
  typed("a folder below the configuration", "plan sub", {
    files: { "driftline.yaml": START, "sub/readme.md": "# Acme\n" },
  }),
  typed("a configuration in JSON that is not named", "plan", { files: { "driftline.json": "{}" } }),
  typed("a folder that holds only JSON", "plan conf", { files: { "conf/analytics.json": '{ "driftline": 1 }' } }),
  typed("a folder that holds only JSON, below the configuration", "plan conf/live", {
    files: { "driftline.yaml": START, "conf/live/analytics.json": '{ "driftline": 1 }' },
  }),
  mistake("query_sql", insight("query_sql: SELECT 1")),
  mistake("the insight of filters, beside the fields", insight("insight: TRENDS")),
  mistake("events beside the fields", insight("events: [{ id: signup }]")),
  mistake("the type of a destination, beside the fields", batchExport("type: S3")),
  mistake("a date as seconds", batchExport("start_at: 1767225600")),
  mistake("a date as milliseconds", batchExport("end_at: 1767225600000")),
  typed("a saved plan whose keys were sorted", "plan sorted.json", {
    files: { "sorted.json": '{ "changes": [], "hash": "x", "type": "driftline.plan" }' },
  }),
  typed("standard input", "validate -"),
  typed("a file of Terraform", "plan main.tf", { files: { "main.tf": 'resource "posthog_insight" "a" {}\n' } }),
  typed("a state of Terraform", "plan terraform.tfstate", {
    files: { "terraform.tfstate": '{ "version": 4, "resources": [] }\n' },
  }),
  typed("import of a state of Terraform", "import terraform.tfstate", {
    files: { "driftline.yaml": START, "terraform.tfstate": '{ "version": 4, "resources": [] }\n' },
  }),
  typed("a folder of Terraform", "plan", { files: { "main.tf": 'resource "posthog_insight" "a" {}\n' } }),
  typed("init in a folder of Terraform", "init", {
    files: { "main.tf": 'resource "posthog_insight" "a" {}\n' },
    code: EXIT.ok,
  }),
  typed("a folder with a state of Terraform", "apply live", { files: { "live/terraform.tfstate": "{}" } }),
  typed("an address as a path", "plan acme/projects/web"),
  typed("the API key in the configuration", "validate", {
    files: { "driftline.yaml": `${START}service:\n  api_key: phx_0123456789abcdef\n` },
  }),
];

const QUERIES: readonly Mistake[] = [
  mistake("query_json, as in other tools", insight('query_json: \'{"kind": "TrendsQuery"}\'')),
  mistake("a query as JSON text", insight('query: \'{"kind": "TrendsQuery", "series": []}\'')),
  mistake("a query as a block of JSON", insight('query: |\n  { "kind": "TrendsQuery" }')),
  mistake("a query as SQL", insight("query: select count() from events")),
  typed("a file as a query", "validate", {
    files: { "driftline.yaml": insight("query: ${file:query.json}"), "query.json": '{ "kind": "TrendsQuery" }' },
  }),
  mistake("a query as a list", insight("query:\n  - kind: TrendsQuery")),
  warned("a misspelt kind of query", insight("query: { kind: TrendQuery, series: [] }")),
  warned("a misspelt key of a query", insight("query: { kind: TrendsQuery, intervall: week, series: [] }")),
  warned("a misspelt interval of a query", insight("query: { kind: TrendsQuery, interval: weekly, series: [] }")),
  warned("an interval that no query has", insight("query: { kind: TrendsQuery, interval: fortnight, series: [] }")),
  warned(
    "a misspelt math of a series",
    insight("query: { kind: TrendsQuery, series: [{ kind: EventsNode, math: totl }] }"),
  ),
  warned(
    "one series without its list",
    insight("query: { kind: TrendsQuery, series: { kind: EventsNode, event: a } }"),
  ),
  warned("a range of dates as text", insight("query: { kind: TrendsQuery, dateRange: -7d, series: [] }")),
  warned(
    "a misspelt key of SQL",
    insight("query: { kind: DataTableNode, source: { kind: HogQLQuery, qery: select 1 } }"),
  ),
];

const HABITS: readonly Mistake[] = [
  mistake(
    "${{ secrets.X }}, as in a workflow",
    batchExport("destination:\n  type: HTTP\n  config: { url: x, token: '${{ secrets.TOKEN }}' }"),
  ),
  mistake(
    "${TOKEN}, as in a shell",
    batchExport("destination:\n  type: HTTP\n  config: { url: x, token: '${TOKEN}' }"),
  ),
  mistake("prevent_destroy in lifecycle", insight("lifecycle: { prevent_destroy: true }")),
  mistake("ignore_changes in lifecycle", insight("lifecycle: { ignore_changes: [description] }")),
  mistake("ignoreChanges, as in Pulumi", insight("ignoreChanges: [description]")),
  mistake("protect, as in Pulumi", insight("protect: true")),
  mistake("import, as in Pulumi", insight("import: 5")),
  mistake("ignore: all, as in Terraform", insight("lifecycle: { ignore: all }")),
  mistake("ignore with dots", insight("lifecycle: { ignore: [query.source] }")),
  mistake("depends_on, as in Terraform", insight("depends_on: [events]")),
  mistake("count, as in Terraform", insight("count: 2")),
  mistake("for_each, as in Terraform", insight("for_each: [a, b]")),
  mistake("project_id, as in Terraform", insight("project_id: 2")),
  mistake(
    "organization_id, as in Terraform",
    organization("domains:\n  corp:\n    domain: acme.com\n    organization_id: 0190aa11-2b3c-4d5e-8f60-718293a4b5c6"),
  ),
  mistake("state: present in lifecycle", insight("lifecycle: { state: present }")),
  mistake("apiVersion, as in Kubernetes", "apiVersion: v1\nkind: Insight\nmetadata: { name: a }\n", {
    args: ["validate", "driftline.yaml"],
  }),
  mistake("camel case", organization("enforce2fa: true")),
  warned("renamed_from its own name", insight("lifecycle: { renamed_from: Sign-ups }")),
  warned("protect beside state: absent", insight("lifecycle: { protect: true, state: absent }")),
  mistake("moved, as in Terraform", insight("moved: { from: old }")),
  mistake("provider at the top, as in Terraform", `${START}provider: {}\n`),
  mistake("count of a project, as in Terraform", project("count: 2")),
  mistake("timeouts of an organization, as in Terraform", organization("timeouts: { create: 5m }")),
  mistake(
    "a setting that no service takes, in plain text",
    batchExport(
      "destination: { type: AwsS3, integration: 4, config: { bucket_name: b, region: r, aws_secret_access_key: hunter2hunter2 } }",
    ),
  ),
  mistake(
    "the name of an integration",
    batchExport("destination: { type: AwsS3, integration: warehouse, config: { bucket_name: b, region: r } }"),
  ),
  warned(
    "bucket for bucket_name",
    batchExport("destination: { type: AwsS3, config: { bucket: b, region: eu-central-1 } }"),
  ),
  warned(
    "a secret in plain text",
    batchExport("destination: { type: HTTP, config: { url: x, token: hunter2hunter2 } }"),
  ),
  mistake("a computed field from an export of the API", insight("created_at: 2024-01-01T00:00:00Z")),
];

const COMMANDS: readonly Mistake[] = [
  typed("apply plan.json", "apply plan.json", {
    files: { "driftline.yaml": START, "plan.json": '{"type":"driftline.plan","schema_version":1}\n' },
  }),
  typed("plan plan.json", "plan plan.json", {
    files: { "driftline.yaml": START, "plan.json": '{"type":"driftline.plan","schema_version":1}\n' },
  }),
  typed("plan -out=plan.json, as in Terraform", "plan -out=plan.json"),
  typed("plan -out behind an option of the program", "--no-color plan -out=plan.json"),
  typed("plan -target=acme, as in Terraform", "plan -target=acme"),
  typed("the pinned id of another region", "plan", {
    files: {
      "driftline.yaml":
        "driftline: 1\norganizations:\n  acme:\n    id: 0190aa11-2b3c-4d5e-8f60-718293a4b5c6\n    enforce_2fa: true\n",
    },
    code: EXIT.error,
    sends: "only the service knows its ids",
  }),
  typed("a project that does not exist", "plan", {
    files: { "driftline.yaml": `${START}    projects: { new: { name: Brand New } }\n` },
    sends: "only the service knows its projects",
  }),
  typed("apply -f, as in kubectl", "apply -f driftline.yaml"),
  typed("apply --effect", "apply driftline.yaml --effect"),
  typed("apply --dry-run, as in kubectl", "apply --dry-run"),
  typed("plan --destroy, as in Terraform", "plan -destroy"),
  typed("apply -parallelism, as in Terraform", "apply -parallelism=1"),
  typed("plan --html, for a report in a file", "plan --html=report.html"),
  typed("a code for differences, of a drift", "drift --detailed-exitcode"),
  typed("plan --parallelism, with two dashes", "plan --parallelism=3"),
  typed("-version, as in Terraform", "-version"),
  typed("plan -version, as in Terraform", "plan -version"),
  typed("-help, as in Terraform", "-help"),
  typed("plan -refresh=false, as in Terraform", "plan -refresh=false"),
  typed("the key as an option", "plan --api-key phx_0123456789abcdef"),
  typed("a misspelt kind as an option", "init --kind insigts"),
  typed("a misspelt format", "plan --format jsno"),
  typed("a misspelt format of a file", "plan --format htm=report.html"),
  typed("a misspelt shell", "completion bsh"),
  typed("destroy, as in Terraform", "destroy"),
  typed("the help of a command that does not exist", "find --help"),
  typed("help for a command that does not exist", "help fnd"),
  typed("--config", "plan --config driftline.yaml"),
  typed("--insecure, as in curl", "plan --insecure"),
  typed("preview, as in Pulumi", "preview"),
  typed("up, as in Pulumi", "up"),
  typed("login, as in Pulumi", "login"),
  typed("get insights, as in kubectl", "get insights"),
  typed("refresh, as in Terraform", "refresh"),
  typed("--only of a field", "plan --only acme/enforce_2fa"),
  typed("--only of a field of an insight", "plan --only acme/projects/web/insights/sign-ups/query", {
    files: { "driftline.yaml": insight("") },
  }),
  typed("--only without the organization", "plan --only sign-ups", { files: { "driftline.yaml": insight("") } }),
  typed("apply -auto-approve, as in Terraform", "apply -auto-approve"),
  typed("plan -no-color, as in Terraform", "plan -no-color"),
  typed("--var without a value", "plan --var region"),
  typed("state list, as in Terraform", "state list"),
  typed("a saved plan without .json", "apply tfplan", {
    files: { "driftline.yaml": START, tfplan: '{ "type": "driftline.plan", "schema_version": 1 }' },
  }),
  typed("a drift report as configuration", "plan drift.json", {
    files: { "driftline.yaml": START, "drift.json": '{ "type": "driftline.drift", "schema_version": 1 }' },
  }),
  typed("a saved plan as variables", "validate --vars tfplan", {
    files: { "driftline.yaml": START, tfplan: '{ "type": "driftline.plan", "schema_version": 1 }' },
  }),
  typed("variables of Terraform", "validate --vars prod.tfvars", {
    files: { "driftline.yaml": START, "prod.tfvars": 'region = "eu"\n' },
  }),
  typed("a configuration as variables", "validate --vars driftline.yaml"),
  typed("a mistyped variable", "validate --var evn=x", {
    files: { "driftline.yaml": `variables: { env: staging }\n${START}` },
    code: EXIT.ok,
  }),
  typed("import posthog_insight.signups 2/1, as in Terraform", "import posthog_insight.signups 2/1", {
    files: { "driftline.yaml": insight("") },
  }),
  typed("import NAME=PROJECT/ID, as in Terraform", "import acme/projects/web/insights/foo=2/3", {
    files: { "driftline.yaml": insight("") },
  }),
  typed("import of an id that nothing has", "import acme/projects/web/insights/foo=9999", {
    files: { "driftline.yaml": insight("") },
    sends: "only the service knows its ids",
  }),
  typed("import ADDRESS ID, as in Terraform", "import acme/projects/web/insights/sign-ups 5 --yes", {
    files: { "driftline.yaml": insight("") },
  }),
];

const ENVIRONMENT: readonly Mistake[] = [
  typed("a key of the ingestion", "plan", {
    env: { DRIFTLINE_API_KEY: "phc_0123456789abcdefghijklmnop" },
    code: EXIT.denied,
  }),
  typed("a key in quotes", "plan", {
    env: { DRIFTLINE_API_KEY: '"phx_0123456789abcdefghijklmnop"' },
    code: EXIT.denied,
  }),
  typed("a key with Bearer before it", "plan", {
    env: { DRIFTLINE_API_KEY: "Bearer phx_0123456789abcdefghijklmnop" },
    code: EXIT.denied,
  }),
  typed("a key that was not replaced", "plan", { env: { DRIFTLINE_API_KEY: "$POSTHOG_KEY" }, code: EXIT.denied }),
  typed("a placeholder for a key", "plan", { env: { DRIFTLINE_API_KEY: "***" }, code: EXIT.denied }),
  typed("DRIFTLINE_HOST", "plan", { env: { DRIFTLINE_URL: "", DRIFTLINE_HOST: "https://eu.posthog.com" } }),
  typed("POSTHOG_HOST", "plan", { env: { DRIFTLINE_URL: "", POSTHOG_HOST: "https://eu.posthog.com" } }),
  typed("DRIFTLINE_APIKEY", "plan", {
    env: { DRIFTLINE_API_KEY: "", DRIFTLINE_APIKEY: "phx_0123456789abcdefghijklmnop" },
    code: EXIT.denied,
  }),
  typed("POSTHOG_API_KEY", "plan", {
    env: { DRIFTLINE_API_KEY: "", POSTHOG_API_KEY: "phx_0123456789abcdefghijklmnop" },
    code: EXIT.denied,
  }),
  typed("the address of the ingestion", "plan", { env: { DRIFTLINE_URL: "https://eu.i.posthog.com" } }),
  typed("the address of the ingestion as an option", "plan --url https://us.i.posthog.com"),
  typed("the address of the website", "plan", { env: { DRIFTLINE_URL: "https://posthog.com" } }),
  typed("an address without its protocol", "plan", { env: { DRIFTLINE_URL: "eu.posthog.com" } }),
  typed("an address in quotes", "plan", { env: { DRIFTLINE_URL: "'https://eu.posthog.com'" } }),
  mistake("the address of the ingestion in the configuration", `${START}service: { url: https://eu.i.posthog.com }`),
  typed("TF_VAR_region for a variable", "plan", {
    files: { "driftline.yaml": organization("logo_media_id: ${var:region}") },
    env: { TF_VAR_region: "eu" },
  }),
  typed("a variable that is not set", "plan", {
    files: { "driftline.yaml": organization("logo_media_id: ${env:LOGO}") },
  }),
];

const page = (status: number, title: string, body = ""): Fault => ({
  type: "answer",
  status,
  text: `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`,
  contentType: "text/html; charset=utf-8",
});
const asked = (name: string, more: Partial<Mistake>): Mistake =>
  typed(name, "plan", { code: EXIT.error, sends: "only an answer shows it", ...more });
const redirected = (name: string, location: string): Mistake => asked(name, { fault: { type: "redirect", location } });
const url = (text: string): Pick<Mistake, "env"> => ({ env: { DRIFTLINE_URL: text } });
const FAR = url("http://analytics.example.com");
const TWICE = [
  ...SEED.organizations,
  { id: "0190aa11-0000-4000-8000-00000000000b", name: "Acme Inc", projects: [], members: [] },
];
const FACTOR = { "driftline.yaml": organization("enforce_2fa: true") };

const SERVICE: readonly Mistake[] = [
  asked("an address with /api", url(`${OWN_URL}/api`)),
  asked("the address of a project", url(`${OWN_URL}/project/2`)),
  asked("the address of a project on a website", {
    ...url(`${OWN_URL}/project/2/insights`),
    fault: page(200, "PostHog"),
  }),
  asked("the address of any website", { fault: page(200, "Acme &amp; Sons") }),
  asked("a login page", { fault: page(200, "Sign in to Acme", '<input type="password">') }),
  asked("a login page that refuses", { fault: page(403, "Acme Single Sign-On"), code: EXIT.denied }),
  asked("a website without the route", { fault: page(404, "Page not found") }),
  redirected("a redirect to a login", "https://sso.acme.com/oauth2/start?rd=x"),
  redirected("a redirect to another host", "https://eu.acme.com/x?token=abc"),
  redirected("a redirect on the same host", "/other"),
  asked("a proxy that does not answer", { ...FAR, proxy: "http://user:hunter2@127.0.0.1:1" }),
  asked("a proxy without its password", { ...FAR, proxy: "asks" }),
  asked("a proxy that is no URL", { proxy: "http://user:hunter2@bad host" }),
  asked("the name of another organization", {
    files: { "driftline.yaml": organization("enforce_2fa: true").replace("Acme Inc", "Umbrella") },
    code: EXIT.refused,
  }),
  asked("a misspelt name of an organization", {
    files: { "driftline.yaml": organization("enforce_2fa: true").replace("Acme Inc", "Acme In") },
    code: EXIT.refused,
  }),
  asked("two organizations of one name", { files: FACTOR, seed: { organizations: TWICE } }),
  asked("the id of another project", {
    files: { "driftline.yaml": organization("projects: { web: { id: 3, insights: { a: { name: A } } } }") },
    code: EXIT.invalid,
  }),
  asked("less rights for the owner of the key", {
    files: { "driftline.yaml": organization("memberships:\n  owner@example.com: { level: member }") },
    code: EXIT.refused,
  }),
  asked("a key that has expired", { env: { DRIFTLINE_API_KEY: "phx_expired" }, code: EXIT.denied }),
  typed("a key with a line break", "plan", { env: { DRIFTLINE_API_KEY: "phx_a\nphx_b" }, code: EXIT.denied }),
  typed("no key", "plan", { env: { DRIFTLINE_API_KEY: "" }, code: EXIT.denied }),
  typed("apply without a terminal and without --yes", "apply", { files: FACTOR }),
  asked("no as the answer to an apply", {
    args: ["apply"],
    files: FACTOR,
    runtime: { interactive: true, ask: () => Promise.resolve("n") },
  }),
  typed("a misspelt command", "paln"),
  typed("a misspelt option", "plan --onyl acme"),
  typed("a misspelt file", "plan driftlin.yaml"),
];

export const MISTAKES = [YAML, PLACES, QUERIES, HABITS, COMMANDS, ENVIRONMENT, SERVICE].flat();
