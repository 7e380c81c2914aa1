import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeDialects } from "../support/dialects.ts";
import { linesWith, normalized } from "../support/normalized.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const CONFIG = `# our organization
driftline: 1
variables: { interval: week }
organizations:
  acme:
    name: Acme Inc
    enforce_2fa: false # asked for by security
    domains:
      corp: { domain: acme.com } # unverified
    memberships:
      # admins
      ada@acme.com: { level: admin }
    projects:
      web:
        id: "2"
        batch_exports:
          events:
            name: Events
            interval: hour
            destination: { type: HTTP, config: { url: "https://events.example.com", token: "\${secret:TOKEN}" } }
        insights:
          signups:
            name: Signups
            tags: # in any order
              - growth
            query: { kind: TrendsQuery, interval: "\${var:interval}", series: [{ event: signed up }] }
service: { self: owner@example.com }
`;

const SECRETS = { env: { TOKEN: "token-of-the-test" } };

async function applied(config: string = CONFIG): Promise<Workspace> {
  const space = await workspace();
  await space.configure(config);
  const { code, stderr } = await space.run(["apply", "--yes"], SECRETS);
  expect([code, stderr.includes("error")]).toEqual([0, false]);
  return space;
}

/** A change in the user interface. */
async function changeLive({ emulator }: Workspace, method: string, path: string, body: object): Promise<void> {
  const response = await fetch(`${emulator.url}/api/${path}`, {
    method,
    headers: { Authorization: `Bearer ${emulator.key}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
}

const ORGANIZATION = "organizations/0190aa11-0000-4000-8000-00000000000a";

/** The rows of a list. */
async function rows({ emulator }: Workspace, path: string): Promise<readonly Row[]> {
  const response = await fetch(`${emulator.url}/api/${path}/`, {
    headers: { Authorization: `Bearer ${emulator.key}` },
  });
  return ((await response.json()) as { readonly results: readonly Row[] }).results;
}

interface Row {
  readonly id: number | string;
  readonly user?: { readonly email: string; readonly uuid: string };
}

async function insightPath(space: Workspace): Promise<string> {
  return `projects/2/insights/${String((await rows(space, "projects/2/insights"))[0]?.id)}/`;
}

describeDialects("drift --accept", () => {
  it("writes the live values into the YAML, keeps everything else, and leaves no difference", async () => {
    const space = await applied();
    await changeLive(space, "PATCH", `${ORGANIZATION}/`, { enforce_2fa: true });
    await changeLive(space, "PATCH", await insightPath(space), { tags: ["growth", "signups"] });
    const before = space.emulator.requests.length;
    const { code, stdout, stderr } = await space.run(["drift", "--accept", "--yes"]);
    expect(code).toBe(0);
    expect(linesWith(stderr, "driftline.yaml")).toMatchSnapshot();
    // The report goes the way of the file: what was declared, then what is live.
    expect(stdout).toMatch(/enforce_2fa: +declared false, live true/u);
    // The report suggests this command.
    expect(stdout).not.toContain("--accept");
    expect(space.emulator.requests.slice(before).filter(({ method }) => method !== "GET")).toEqual([]);
    expect(await readFile(join(space.folder, "driftline.yaml"), "utf8")).toBe(
      CONFIG.replace("enforce_2fa: false #", "enforce_2fa: true #").replace(
        "              - growth\n",
        "              - growth\n              - signups\n",
      ),
    );
    expect((await space.drift()).code).toBe(0);
  });

  it("writes levels as words, and a batch export's pause where it was not declared", async () => {
    const space = await applied();
    const member = (await rows(space, `${ORGANIZATION}/members`)).find(({ user }) => user?.email === "ada@acme.com");
    await changeLive(space, "PATCH", `${ORGANIZATION}/members/${String(member?.user?.uuid)}/`, { level: 1 });
    const [exported] = await rows(space, "projects/2/batch_exports");
    await changeLive(space, "POST", `projects/2/batch_exports/${String(exported?.id)}/pause/`, {});
    expect((await space.run(["drift", "--accept", "--yes"])).code).toBe(0);
    expect(await readFile(join(space.folder, "driftline.yaml"), "utf8")).toBe(
      CONFIG.replace("{ level: admin }", "{ level: member }").replace(
        "            destination: { type: HTTP",
        "            paused: true\n            destination: { type: HTTP",
      ),
    );
    expect((await space.drift()).code).toBe(0);
  });

  it("says which protection the files give up, and of whom", async () => {
    const space = await applied(CONFIG.replace("enforce_2fa: false", "enforce_2fa: true"));
    await changeLive(space, "PATCH", `${ORGANIZATION}/`, { enforce_2fa: false });
    const drift = await space.run(["drift"]);
    expect(drift.stderr).toBe("");
    expect(linesWith(drift.stdout, "protection_off")).toMatchSnapshot("drift");
    const { code, stderr } = await space.run(["drift", "--accept", "--yes"]);
    expect([code, linesWith(stderr, "protection_off")]).toMatchSnapshot("accept");
  });

  it("writes a text that one value includes into its own file", async () => {
    const config = CONFIG.replace(
      "            name: Signups\n",
      '            name: Signups\n            description: "${file:about.md}"\n',
    );
    const space = await workspace();
    await space.configure(config);
    await writeFile(join(space.folder, "about.md"), "Who came.\n");
    expect((await space.run(["apply", "--yes"], SECRETS)).code).toBe(0);
    await changeLive(space, "PATCH", await insightPath(space), { description: "Who has come." });
    const { code, stderr } = await space.run(["drift", "--accept", "--yes"]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("Accepted into about.md: 1 field")]);
    expect(await readFile(join(space.folder, "about.md"), "utf8")).toBe("Who has come.\n");
    expect(await readFile(join(space.folder, "driftline.yaml"), "utf8")).toBe(config);
    expect((await space.drift()).code).toBe(0);
  });

  it("lists the changes that it leaves alone, and exits with 2 because of them", async () => {
    const space = await applied();
    const path = await insightPath(space);
    await changeLive(space, "PATCH", path, {
      tags: ["core"],
      query: { kind: "TrendsQuery", interval: "day", series: [{ event: "signed up" }] },
    });
    const [domain] = await rows(space, `${ORGANIZATION}/domains`);
    await changeLive(space, "DELETE", `${ORGANIZATION}/domains/${String(domain?.id)}/`, {});
    const { code, stderr } = await space.run(["drift", "--accept", "--yes"]);
    expect(code).toBe(2);
    expect(linesWith(stderr, " query.interval ")).toMatchSnapshot("a value from a variable");
    expect(linesWith(stderr, "Accepted into")).toMatchSnapshot("what it accepts");
    const text = await readFile(join(space.folder, "driftline.yaml"), "utf8");
    expect(text).toBe(
      // The domain has no id, so nothing shows that it existed.
      CONFIG.replace("- growth", "- core"),
    );
  });

  it("says in its document what it does not accept", async () => {
    const space = await applied();
    await changeLive(space, "PATCH", await insightPath(space), {
      query: { kind: "TrendsQuery", interval: "month", series: [{ event: "signed up" }] },
    });
    const { code, stdout } = await space.run(["drift", "--accept", "--yes", "--json"]);
    expect(code).toBe(2);
    const { diagnostics } = JSON.parse(stdout) as { readonly diagnostics: readonly { readonly code: string }[] };
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "not_accepted" }]);
  });

  it("is limited to the given addresses, and refuses those without a difference", async () => {
    const space = await applied();
    await changeLive(space, "PATCH", `${ORGANIZATION}/`, { enforce_2fa: true });
    await changeLive(space, "PATCH", await insightPath(space), { tags: ["core"] });
    const file = join(space.folder, "driftline.yaml");
    for (const address of ["acme/projects/webb", "acme/domains/corp"]) {
      const refused = await space.run(["drift", "--accept", "--yes", "--only", "acme/projects/web", "--only", address]);
      expect(refused.code).toBe(10);
      expect(linesWith(refused.stderr, address)).toMatchSnapshot(address);
      expect(await readFile(file, "utf8")).toBe(CONFIG);
    }
    const { code } = await space.run(["drift", "--accept", "--yes", "driftline.yaml", "--only", "acme/projects/web"]);
    expect(code).toBe(0);
    expect(await readFile(file, "utf8")).toBe(CONFIG.replace("- growth", "- core"));
    expect((await space.drift()).code).toBe(2);
  });

  it("asks for each file with its difference, and leaves the declined ones unchanged", async () => {
    const space = await workspace();
    const declared = (what: string): string => `driftline: 1\norganizations:\n  acme: ${what}\n`;
    const web = '{ projects: { web: { id: "2", insights: { one: { name: One, tags: [a] } } } } }';
    await space.configure(declared("{ name: Acme Inc, enforce_2fa: false }"), "a.yaml");
    await space.configure(declared(web), "b.yaml");
    await space.run(["apply", "--yes", "."]);
    await changeLive(space, "PATCH", `${ORGANIZATION}/`, { enforce_2fa: true });
    await changeLive(space, "PATCH", await insightPath(space), { tags: ["b"] });
    const answers = ["n", "Yes"];
    const ask = (): Promise<string | undefined> => Promise.resolve(answers.shift());
    const { code, stderr } = await space.run(["drift", "--accept", "."], { runtime: { interactive: true, ask } });
    expect([code, answers]).toEqual([2, []]);
    expect(normalized(stderr)).toMatchSnapshot();
    expect(await readFile(join(space.folder, "a.yaml"), "utf8")).toContain("enforce_2fa: false");
    expect(await readFile(join(space.folder, "b.yaml"), "utf8")).toContain("tags: [b]");
  });

  describe("of undeclared objects of exclusive kinds", () => {
    const exclusive = `driftline: 1
organizations:
  acme:
    name: Acme Inc
    enforce_2fa: false
    exclusive: [domains] # all of them
    domains:
      corp: { domain: acme.com }
`;
    async function strays(): Promise<Workspace> {
      const space = await applied(exclusive);
      await changeLive(space, "PATCH", `${ORGANIZATION}/`, { enforce_2fa: true });
      for (const domain of ["one.acme.com", "two.acme.com"])
        await changeLive(space, "POST", `${ORGANIZATION}/domains/`, { domain });
      expect((await space.drift()).code).toBe(2);
      return space;
    }
    const text = ({ folder }: Workspace): Promise<string> => readFile(join(folder, "driftline.yaml"), "utf8");
    const edited = exclusive.replace("false", "true");

    it("declares them after the question about their file, and only adds to it", async () => {
      const space = await strays();
      const before = space.emulator.requests.length;
      const asked: string[] = [];
      const ask = (question: string): Promise<string> => Promise.resolve(asked.push(question) > 0 ? "yes" : "");
      const { code, stderr } = await space.run(["drift", "--accept"], { runtime: { interactive: true, ask } });
      expect([code, asked.length, stderr]).toEqual([0, 1, expect.not.stringContaining("not_accepted")]);
      expect(space.emulator.requests.slice(before).filter(({ method }) => method !== "GET")).toEqual([]);
      const lines = edited.trimEnd().split("\n");
      expect((await text(space)).split("\n").slice(0, lines.length)).toEqual(lines);
      expect((await space.drift()).code).toBe(0);
    });

    it("says how many were declared, and what a declaration needs", async () => {
      const space = await applied(
        `driftline: 1\norganizations: { acme: { name: Acme Inc, projects: { web: { id: "2", exclusive: [batch_exports] } } } }\n`,
      );
      const destination = { type: "HTTP", config: { url: "https://sink.example", token: "sink-key-4711" } };
      space.emulator.insert("batch_export", { project: 2 }, { name: "Events", interval: "hour", destination });
      const { code, stderr } = await space.run(["drift", "--accept", "--yes"]);
      expect(code).toBe(0);
      for (const word of ["Accepted into", "secret_needed"])
        expect(linesWith(normalized(stderr), word)).toMatchSnapshot(word);
      expect(await text(space)).not.toContain("sink-key-4711");
    });

    it("imports with --yes those at the addresses that are given, and no others", async () => {
      const space = await strays();
      const [, , two] = space.emulator.find("domain");
      const { code } = await space.run(["drift", "--accept", "--yes", "--only", `acme/domains/id=${String(two?.id)}`]);
      expect(code).toBe(0);
      expect(await text(space)).toContain("domain: two.acme.com");
      expect(await text(space)).not.toContain("one.acme.com");
      expect((await space.run(["drift", "--accept", "--yes"])).code).toBe(0);
      expect((await space.drift()).code).toBe(0);
    });
  });

  it("needs a person or --yes, and comes after a missing configuration", async () => {
    const space = await workspace();
    expect((await space.run(["drift", "--accept"])).stderr).toContain("no_documents");
    await space.configure(CONFIG);
    const before = space.emulator.requests.length;
    const { code, stderr } = await space.run(["drift", "--accept"], SECRETS);
    expect([code, space.emulator.requests.length]).toEqual([10, before]);
    expect(linesWith(stderr, "not_confirmed")).toMatchSnapshot();
  });

  it("reports in the drift who changed it last and when", async () => {
    const space = await applied();
    await changeLive(space, "PATCH", await insightPath(space), { tags: ["core"] });
    const { document } = await space.drift();
    const changed = document.changes.find(({ action }) => action === "update");
    expect(changed?.modified).toEqual({
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      by: expect.stringContaining("@"),
    });
    const { stdout } = await space.run(["drift"]);
    const line = stdout
      .split("\n")
      .find((one) => one.includes(String(changed?.modified?.at?.slice(0, 16).replace("T", " "))));
    expect(line).toContain(String(changed?.modified?.by));
    expect(normalized(line)).toMatchSnapshot();
    expect(JSON.stringify(await space.plan())).not.toContain('"modified"');
  });
});
