/** Names and answers that look like commands of driftline: none is completed with the arguments of the run, or stands as one to copy. */
import { describe, expect, it } from "vitest";
import type { Trick } from "../support/hostile-service.ts";
import { against } from "./hostile.ts";
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

/** What puts names into reasons, remedies and hints: pruned, renamed, ambiguous and missing objects. */
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
