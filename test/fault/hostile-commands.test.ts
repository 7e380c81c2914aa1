/** Names and answers that look like commands of driftline: none is completed with the arguments of the run, or stands as one to copy. */
import { describe, expect, it } from "vitest";
import type { CliResult } from "../support/cli.ts";
import { quoted } from "../../src/model/text/quote.ts";
import type { Trick } from "../support/hostile-service.ts";
import { against, expectSober, RAW } from "./hostile.ts";
import { ACME } from "./support.ts";

const COMMAND = "`driftline apply --approve HASH --yes`";
const NAME = `run ${COMMAND} first`;
/** The command of the name with the path of the run or the hash of the plan in it. */
const COMPLETED = /driftline apply (?:live\.yaml|[^`]*--approve sha256:\w+ --yes)/;
const QUERY = { kind: "DataTableNode", source: { kind: "EventsQuery", select: ["*"] } };

const SEED = {
  organizations: [
    {
      id: ACME,
      name: NAME,
      members: [{ email: "ada@acme.com", level: 15, first_name: NAME }],
      domains: [{ domain: "acme.com" }],
      projects: [
        {
          id: 2,
          name: NAME,
          insights: [
            { id: 5, name: NAME, query: QUERY, description: NAME },
            { id: 6, name: NAME, query: QUERY },
            { id: 7, name: `${NAME}, too`, query: QUERY },
          ],
        },
      ],
    },
  ],
};

/** What puts names into reasons, lifts and hints: pruned, renamed, ambiguous and missing objects. */
const DECLARATIONS: Readonly<Record<string, object>> = {
  "a project that is not found": { projects: { web: { name: "Web", insights: { a: { name: "A" } } } } },
  "names that several objects have, and a rename": {
    projects: {
      web: {
        id: "2",
        exclusive: ["insights"],
        insights: { a: { name: NAME }, b: { name: "B", query: QUERY }, c: { id: 99, name: NAME } },
      },
    },
  },
};

const outputs = ["text", "markdown", "html"] as const;

describe.each(Object.entries(DECLARATIONS))("with %s", (_name, organization) => {
  it.each(outputs)("no name becomes a command in %s", async (format) => {
    const config = { driftline: 1, organizations: { acme: { id: ACME, name: "Acme", ...organization } } };
    const { run, configure } = await against(() => undefined, undefined, { seed: SEED });
    await configure(config, "live.yaml");
    for (const command of [
      ["plan", "--unmanaged"],
      ["drift", "--unmanaged"],
      ["apply", "--yes"],
    ]) {
      const { stdout, stderr } = await run([...command, "live.yaml", "--format", format]);
      const known = /^ *`driftline apply live\.yaml --prune`/;
      const lines = (stdout + stderr).split("\n").filter((line) => !known.test(line));
      expect(lines.filter((line) => /--yes/.test(line) && COMPLETED.test(line))).toEqual([]);
      expect(lines.filter((line) => line.trim().startsWith("`driftline apply --approve"))).toEqual([]);
      expect(stdout).not.toMatch(/<code>driftline apply --approve (?:HASH|sha256:\w+) --yes<\/code>/);
    }
  });
});

it("an answer of the service does not become a command", async () => {
  const trick: Trick = ({ path }) =>
    path === "/api/projects/2/insights"
      ? { status: 400, body: JSON.stringify({ type: "x", code: "x", detail: NAME, attr: null }) }
      : undefined;
  const { run, configure } = await against(trick, undefined, { seed: SEED });
  const projects = { web: { id: "2", insights: { a: { name: "A" } } } };
  await configure({ driftline: 1, organizations: { acme: { id: ACME, projects } } }, "live.yaml");
  for (const format of outputs) {
    const { stdout, stderr } = await run(["plan", "live.yaml", "--format", format]);
    expect(stdout + stderr).toContain("--yes");
    expect(stdout + stderr).not.toMatch(/driftline apply live.yaml/);
  }
});

const EVIL = "driftline apply --yes";
const HOSTILE_NAMES: Readonly<Record<string, string>> = {
  "a command": EVIL,
  "a command in backticks": `run \`${EVIL}\` first`,
  "a command on a line of its own": `x\n\n\`${EVIL}\`\r\n    \`${EVIL}\`\u2028`,
  "backticks that close and open a quotation": `x\` or \`\`\`\n${EVIL}\n\`\`\``,
  "shell syntax": `'; $(${EVIL}) && "${EVIL}" | \`id\` #\\`,
  HTML: `</code><code>${EVIL}</code><script>${EVIL}</script><!--`,
  "control and invisible characters": `\u001b[2J\u009b31m\u0000\u202e\u200b\ud800\`${EVIL}\``,
};

/** A service whose insights and organization have the name, several of them twice, and whose domain has it, too. */
const seedOf = (name: string) => ({
  organizations: [
    {
      id: ACME,
      name,
      domains: [{ domain: "acme.com" }, { domain: name }],
      projects: [
        {
          id: 2,
          name,
          insights: [5, 6, 7].map((id) => ({ id, name: id === 5 ? name : `${name} twice`, query: QUERY })),
        },
      ],
    },
  ],
});

/** Names in reasons, lifts, hints, and lists: renamed, ambiguous, missing, pruned and unmanaged objects. */
const declare = (name: string, insights: object): object => ({
  driftline: 1,
  organizations: {
    acme: {
      id: ACME,
      name: "Acme",
      exclusive: ["domains"],
      domains: { x: { domain: "acme.com" } },
      projects: { w: { id: "2", insights } },
    },
  },
});

/** Where a name could pass for a command: a line, a quotation or an element of code. Values of fields are set apart. */
const COMMANDS = {
  text: new RegExp(`(?:\`|^) *${EVIL}`, "m"),
  markdown: new RegExp(`(?:\`|<code>|^) *${EVIL}`, "m"),
  html: new RegExp(`<code>\\s*${EVIL}`),
};

/** An output without the values of fields, and with long lines in one piece. */
const WITHOUT_VALUES = {
  text: (output: string) =>
    output.replaceAll(/^(?: {10}| {8}(?:name|description|domain):).*\n/gm, "").replaceAll(/\n {8}/g, " "),
  markdown: (output: string) => output.replaceAll(/^(`{3,})diff\n[^]*?\n\1$/gm, ""),
  html: (output: string) => output,
};

/** A text on one line, with its entities resolved. */
const resolved = (text: string): string =>
  text
    .replaceAll(/\n +/g, " ")
    .replaceAll(/&#(\d+);/g, (_entity, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/&(quot|amp|lt|gt);/g, (_entity, name: string) => ({ quot: '"', amp: "&", lt: "<" })[name] ?? ">")
    .replaceAll("\u200b", "");

function expectNoCommand({ stdout, stderr }: CliResult, format: (typeof outputs)[number]): void {
  expect(WITHOUT_VALUES[format](stdout)).not.toMatch(COMMANDS[format]);
  expect(stderr).not.toMatch(COMMANDS.text);
  if (format === "html") expect(stdout).not.toMatch(/<script>(?!\n)/);
  expect(stdout + stderr).not.toMatch(RAW);
}

describe.each(Object.entries(HOSTILE_NAMES))("a name with %s", (_name, name) => {
  it.each(outputs)("is quoted, and is no command, in %s", async (format) => {
    const { run, configure } = await against(() => undefined, undefined, { seed: seedOf(name) });
    const insights = {
      ambiguous: { name: `${name} twice`, query: QUERY },
      missing: { id: 99, name },
      renamed: { id: 5, name: `${name} of old` },
    };
    await configure(declare(name, insights), "live.yaml");
    for (const command of ["plan", "drift"]) {
      const result = await run([command, "--unmanaged", "live.yaml", "--format", format]);
      // A plan refuses to pin what does not exist.
      expectSober(result, command === "plan" ? 13 : 1);
      expectNoCommand(result, format);
      expect(resolved(result.stdout)).toContain(quoted(`${name} twice`));
      expect(resolved(result.stdout)).toContain(quoted(name.trim().toLowerCase()).slice(0, 40));
    }
    expectNoCommand(await run(["apply", "--yes", "--prune", "live.yaml", "--format", format]), format);
  });

  it.each(outputs)("is no command as an id, and in an answer, in %s", async (format) => {
    const { run, configure, service } = await against(() => undefined, undefined, { seed: seedOf("Acme") });
    await configure(declare("Acme", { a: { name: "A" } }), "live.yaml");
    const tricks: readonly Trick[] = [
      ({ path }) =>
        path.endsWith("/domains")
          ? { rewrite: (text) => text.replaceAll(/"id": ?"[^"]+"/g, `"id":${JSON.stringify(name)}`) }
          : undefined,
      ({ path }) =>
        path.endsWith("/insights")
          ? { rewrite: (text) => text.replaceAll(/"id": ?\d+/g, `"id":${JSON.stringify(name)}`) }
          : undefined,
      ...[400, 403, 500].map(
        (status): Trick =>
          ({ path }) =>
            path.endsWith("/domains") || path.endsWith("/insights")
              ? { status, body: JSON.stringify({ type: "x", code: name, detail: name, attr: name }) }
              : undefined,
      ),
    ];
    for (const trick of tricks) {
      service.trick = trick;
      for (const command of [["plan"], ["drift", "--unmanaged"], ["apply", "--yes", "--prune"]]) {
        const result = await run([...command, "live.yaml", "--format", format]);
        expect(result.stdout + result.stderr).toMatch(/driftline|domains|insights/);
        expectNoCommand(result, format);
      }
    }
  });
});
