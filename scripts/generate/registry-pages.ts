/**
 * The two pages that Pulumi's registry takes from a repository, in its own form: front matter, no title of their own, a tab for
 * each language. Settings and examples come from where the schema has them.
 */
import { examplesOf, type Language } from "./pulumi-examples.ts";
import { SETTINGS, variableOf } from "./pulumi-schema.ts";
import { kindNamed, type Source } from "./source.ts";

/** The kinds in the example of the first page. */
const SHOWN = ["domain", "membership", "insight"];

const PLUGINS = `\`\`\`yaml
plugins:
  providers:
    - name: driftline
      path: node_modules/.bin
\`\`\``;

const NPM = "npm install driftline @pulumi/pulumi";
const INSTALLATION: Readonly<Record<Language, string>> = {
  typescript: shell(NPM),
  yaml: shell(NPM),
  python: shell(NPM, "pulumi package add ./node_modules/.bin/pulumi-resource-driftline"),
};

/** What each setting is set to in the examples. */
const EXAMPLES: Readonly<Record<string, string>> = {
  url: "https://eu.posthog.com",
  apiKey: "phx_...",
  profile: "document",
  self: "ada@acme.com",
  settleAfter: "120",
  maxRequestsPerMinute: "240",
};
/** The schema has them as optional, because the environment may name them. */
const REQUIRED: readonly string[] = ["url", "apiKey"];

/** The pages, by their paths. */
export function registryPages(source: Source): ReadonlyMap<string, string> {
  const examples = examplesOf(SHOWN.map((name) => kindNamed(source, name)));
  const pages = { "docs/_index.md": overview(examples), "docs/installation-configuration.md": installation() };
  return new Map(Object.entries(pages));
}

function overview(examples: Readonly<Record<Language, string>>): string {
  return `${frontMatter("driftline", "The Pulumi package driftline declares a PostHog organization: settings, people, domains, batch exports, plugins and insights.")}
The driftline provider keeps a [PostHog](https://posthog.com) organization in a Pulumi program: its security settings, e-mail domains,
people, batch exports, plugins and insights. It works with PostHog Cloud, and with a server of your own.

- A refresh finds what somebody changed in the web interface, and the next update puts it right.
- Nothing is created twice, not even after a lost answer. What exists can be adopted or imported.
- It reads whole lists, not object by object.

The page Installation & Configuration has what to install, the key and every setting.

## Example Usage

${tabs(fenced(examples))}
`;
}

function installation(): string {
  return `${frontMatter("driftline Installation & Configuration", "How to install the Pulumi package driftline, and which settings and which key it needs.")}
## Installation

The provider and its classes for TypeScript and JavaScript are in the npm package [\`driftline\`](https://www.npmjs.com/package/driftline). It needs
Node 20.19 or newer. For Python, \`pulumi package add\` generates the SDK \`pulumi_driftline\` into the project.

${tabs(INSTALLATION)}

Tell Pulumi where the provider is, in \`Pulumi.yaml\`. With that, Pulumi downloads nothing:

${PLUGINS}

## The key

The provider needs a [personal API key](https://posthog.com/docs/api#personal-api-keys) with the scopes \`organization\`, \`organization_member\`, \`batch_export\`,
\`plugin\` and \`insight\`, or those of the resources that you declare. Read is enough for a preview, an update needs write. The key has the rights of its
user: only an admin or owner of the organization can change its settings and its people.

## Configuration

${settings()}

Pulumi asks for the value of a secret, and encrypts it:

${shell(...Object.keys(SETTINGS).map(configSet))}

What the stack does not set comes from the environment:

${shell(...REQUIRED.map((name) => `export ${variableOf(name)}=${EXAMPLES[name] ?? ""}`))}
`;
}

function frontMatter(title: string, description: string): string {
  return `---\ntitle: ${title}\nmeta_desc: ${JSON.stringify(description)}\nlayout: package\n---\n`;
}

/** The same in each language, of which the registry shows one. */
function tabs(texts: Readonly<Record<Language, string>>): string {
  const parts = Object.entries(texts).map(
    ([language, text]) => `{{% choosable language ${language} %}}\n\n${text}\n\n{{% /choosable %}}`,
  );
  return `{{< chooser language "${Object.keys(texts).join(",")}" >}}\n\n${parts.join("\n\n")}\n\n{{< /chooser >}}`;
}

function fenced(examples: Readonly<Record<Language, string>>): Readonly<Record<Language, string>> {
  const fence = (language: Language): string => `\`\`\`${language}\n${examples[language]}\`\`\``;
  return { typescript: fence("typescript"), yaml: fence("yaml"), python: fence("python") };
}

function shell(...lines: readonly string[]): string {
  return `\`\`\`sh\n${lines.join("\n")}\n\`\`\``;
}

function configSet(name: string): string {
  const [secret, value] = SETTINGS[name]?.["secret"] === true ? [" --secret", ""] : ["", ` ${EXAMPLES[name] ?? ""}`];
  return `pulumi config set${secret} driftline:${name}${value}`;
}

function settings(): string {
  const rows = Object.entries(SETTINGS).map(([name, { description, secret }]) => {
    const needed = [REQUIRED.includes(name) ? "yes" : "no", ...(secret === true ? ["secret"] : [])];
    return `| \`driftline:${name}\` | \`${variableOf(name)}\` | ${needed.join(", ")} | ${String(description)} |`;
  });
  return `| Setting | Variable | Required | Meaning |\n| --- | --- | --- | --- |\n${rows.join("\n")}`;
}
