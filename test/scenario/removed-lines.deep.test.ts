import { execFileSync } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { PlanDocument } from "../../src/model/plan.ts";
import { describeDialects } from "../support/dialects.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const HEAD = `driftline: 1
variables: { corp: nothing.example }
organizations:
  acme:
    name: Acme Inc
`;
const PEOPLE = `    memberships:
      ada@acme.com: { level: admin }
      bob@acme.com: { level: member }
`;
/** The codes, but those about people who are on the service. */
const codesOf = (diagnostics: readonly { readonly code: string }[]): readonly string[] =>
  diagnostics.flatMap(({ code }) => (code === "undeclared_rights" ? [] : code));
const ADA = PEOPLE.replace(/.*bob.*\n/u, "");
const DOMAIN = `    domains:
      corp: { domain: "\${var:corp}" }
`;

const SEED = {
  organizations: [
    {
      name: "Acme Inc",
      projects: [{ id: 2, name: "Web" }],
      members: [
        { email: "ada@acme.com", level: 8 },
        { email: "bob@acme.com", level: 1 },
      ],
      domains: [{ domain: "acme.com" }, { domain: "other.example" }],
    },
  ],
};

const ENV = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };

function git(folder: string, ...args: readonly string[]): string {
  const names = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
  return execFileSync("git", [...names, ...args], { cwd: folder, env: ENV, stdio: "pipe" })
    .toString()
    .trim();
}

interface CommitOptions {
  readonly date?: string;
  readonly path?: string;
  readonly with?: readonly string[];
}

async function commit(
  { folder }: Workspace,
  config: string,
  { date, path = "driftline.yaml", with: others = [] }: CommitOptions = {},
): Promise<string> {
  await writeFile(join(folder, path), config);
  const dates = date === undefined ? {} : { GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date };
  git(folder, "init", "--quiet");
  git(folder, "add", path, ...others);
  const names = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
  execFileSync("git", [...names, "commit", "--quiet", "-m", "x"], { cwd: folder, env: { ...ENV, ...dates } });
  return git(folder, "rev-parse", "HEAD").slice(0, 10);
}

function removed({ diagnostics }: PlanDocument): readonly (readonly [string | undefined, string])[] {
  return diagnostics.flatMap(({ code, address, message }) =>
    code === "removed_from_files" ? [[address, message]] : [],
  );
}

describeDialects("a line that was taken out", () => {
  it("is named with its commit, and with what is still there, for no request more", async () => {
    const space = await workspace({ seed: SEED });
    await commit(space, HEAD + PEOPLE);
    await space.plan();
    const requests = space.emulator.requests.length;
    const after = await commit(space, HEAD + ADA);
    const before = space.emulator.requests.length;
    const plan = await space.plan();
    expect(removed(plan)).toEqual([
      [
        "acme/memberships/bob@acme.com",
        expect.stringMatching(new RegExp(`\\(commit ${after}\\); the person stays a member$`, "u")),
      ],
    ]);
    expect(space.emulator.requests.length - before).toBe(requests);
    expect((await space.drift()).document.diagnostics.map(({ code }) => code)).toContain("removed_from_files");
    expect(removed(await space.plan("--only", "acme/memberships/ada@acme.com"))).toEqual([]);
  });

  it("is named by an apply as well, for no request more", async () => {
    const space = await workspace({ seed: SEED });
    await commit(space, HEAD + PEOPLE);
    await space.apply();
    const before = space.emulator.requests.length;
    await space.apply();
    const requests = space.emulator.requests.length - before;
    await commit(space, HEAD + ADA);
    const { diagnostics } = await space.apply();
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ code: "removed_from_files", address: "acme/memberships/bob@acme.com" }),
    );
    expect(space.emulator.requests.length - before).toBe(2 * requests);
    await space.run(["plan", "--out", "plan.json"]);
    expect((await space.run(["apply", "--yes", "--plan", "plan.json"])).stderr).toContain("removed_from_files");
  });

  const ID = "0190aa11-0000-4000-8000-00000000000a";
  const PROTECTED = `${HEAD}    enforce_2fa: true
    members_can_invite: true
    domains:
      own: { domain: acme.com, jit_provisioning_enabled: false }
`;

  it("is a field that protects, with what the service has, for no request more", async () => {
    const organizations = SEED.organizations.map((one) => ({ ...one, id: ID, enforce_2fa: true }));
    const space = await workspace({ seed: { organizations } });
    await commit(space, PROTECTED);
    await space.plan();
    const requests = space.emulator.requests.length;
    const after = await commit(
      space,
      PROTECTED.replaceAll(/ {4}(?:enf|mem).*\n/gu, "").replace(/own: .*/u, "all: { domain: acme.com }"),
    );
    const said = (document: PlanDocument) =>
      removed(document).map(([address, message]) => [address, message.replace(after, "COMMIT")]);
    expect(said(await space.plan())).toMatchSnapshot();
    expect(space.emulator.requests.length).toBe(2 * requests);
    space.emulator.edit("organization", ID, { enforce_2fa: false });
    expect(said((await space.drift()).document)[0]?.[1]).toContain("; the service has false, and");
    expect(said(await space.plan("--only", "acme/domains/all")).map(([address]) => address)).toEqual([
      "acme/domains/all",
    ]);
    await space.configure(PROTECTED);
    expect(said(await space.plan())).toEqual([]);
  });

  it("is what lifecycle leaves to others, too, and what kept an object from being removed", async () => {
    const organizations = SEED.organizations.map((one) => ({ ...one, id: ID, enforce_2fa: true }));
    const space = await workspace({ seed: { organizations } });
    const watched = PROTECTED.replace("false }", "false, lifecycle: { protect: true } }") + PEOPLE;
    await commit(space, watched);
    expect(removed(await space.plan())).toEqual([]);
    const left = `${HEAD}    enforce_2fa: true
    lifecycle: { ignore: [/enforce_2fa] }
    domains:
      own: { domain: acme.com, jit_provisioning_enabled: false, lifecycle: { state: absent } }
    memberships:
      ada@acme.com: { level: admin, lifecycle: { forget: true } }
      bob@acme.com: { level: member, lifecycle: { ignore: [level] } }
`;
    await space.configure(left);
    const said = (document: PlanDocument) => removed(document).map(([, message]) => message);
    expect(said(await space.plan())).toMatchSnapshot();
    const after = await commit(space, left);
    space.emulator.edit("organization", ID, { enforce_2fa: false });
    expect(said((await space.drift()).document).filter((one) => one.includes(`(commit ${after})`))).toHaveLength(4);
    await commit(space, HEAD + PEOPLE.replace(/.*ada.*\n/u, ""));
    // Taken out in two steps, it is named as well.
    expect(removed(await space.plan()).map(([address]) => address)).toContain("acme/memberships/ada@acme.com");
    await space.configure(watched);
    expect(removed(await space.plan())).toEqual([]);
  });

  it("that is not committed is named as well", async () => {
    const space = await workspace({ seed: SEED });
    await commit(space, HEAD + PEOPLE);
    await space.configure(HEAD + ADA);
    expect(removed(await space.plan())).toEqual([
      ["acme/memberships/bob@acme.com", expect.stringContaining(" (not committed)")],
    ]);
  });

  it("is found on the service with the variables of the run", async () => {
    const space = await workspace({ seed: SEED });
    const other = "      other: { domain: other.example }\n";
    await commit(space, HEAD + DOMAIN + other);
    await commit(space, HEAD + DOMAIN.replace(/.*corp: .*\n/u, other));
    expect(removed(await space.plan())).toEqual([]);
    expect(removed(await space.plan("--var", "corp=acme.com"))).toEqual([
      ["acme/domains/corp", expect.stringContaining("the domain is still there")],
    ]);
  });

  it("of a kind whose list was not read is said to be unknown", async () => {
    const space = await workspace({ seed: SEED });
    await commit(space, HEAD + PEOPLE);
    await commit(space, HEAD);
    expect(removed(await space.plan()).map(([address, message]) => [address, message.includes("not read")])).toEqual([
      ["acme/memberships/ada@acme.com", true],
      ["acme/memberships/bob@acme.com", true],
    ]);
  });

  it("is not named if nothing could be read, which is one error", async () => {
    const space = await workspace({ seed: SEED });
    await commit(space, HEAD + PEOPLE + DOMAIN);
    await commit(space, HEAD + ADA + DOMAIN);
    const { stderr } = await space.run(["plan"], { env: { DRIFTLINE_API_KEY: "wrong-key-4711" } });
    expect(stderr).toContain("error ");
    expect(stderr).not.toContain("warning");
  });

  it("is nothing if it was renamed, moved, declared absent, is gone, or was taken out long ago", async () => {
    const space = await workspace({ seed: SEED });
    await commit(space, HEAD + PEOPLE.replace("bob@acme.com: { level: member }", "gone@acme.com: { level: member }"));
    await commit(
      space,
      `${HEAD + PEOPLE.replace("{ level: member }", "{ lifecycle: { state: absent } }")}    domains:\n      a: { domain: acme.com }\n`,
    );
    await commit(space, `${HEAD + ADA}    domains:\n      b: { domain: acme.com }\n`);
    expect(removed(await space.plan())).toEqual([]);
    const old = await workspace({ seed: SEED });
    await commit(old, HEAD + PEOPLE, { date: "2020-01-01T00:00:00Z" });
    await commit(old, HEAD + ADA, { date: "2020-01-02T00:00:00Z" });
    expect(removed(await old.plan())).toEqual([]);
  });

  it("is decided by its newest version, whatever was changed around it", async () => {
    const space = await workspace({ seed: SEED });
    await commit(space, HEAD + PEOPLE);
    await commit(space, HEAD + PEOPLE.replace("{ level: member }", "{ lifecycle: { state: absent } }"));
    await commit(space, HEAD + ADA);
    expect(removed(await space.plan())).toEqual([]);
    const busy = await workspace({ seed: SEED });
    await commit(busy, `${HEAD + PEOPLE}    domains:\n      a: { domain: acme.com }\n`);
    for (let edit = 0; edit < 7; edit += 1)
      await commit(busy, `# ${String(edit)}\n${HEAD + ADA}    domains:\n      a: { domain: acme.com }\n`);
    await commit(busy, `${HEAD + ADA}    domains:\n      b: { domain: acme.com }\n`);
    expect(removed(await busy.plan()).map(([address]) => address)).toEqual(["acme/memberships/bob@acme.com"]);
  });

  it("is found beside a text of another file, and in a file with any name", async () => {
    const space = await workspace({ seed: SEED });
    const insight = `    projects:
      Web:
        insights:
          sql:
            name: SQL
            query: { kind: DataVisualizationNode, source: { kind: HogQLQuery, query: "\${file:sql/a.sql}" } }
`;
    await mkdir(join(space.folder, "sql"));
    await writeFile(join(space.folder, "sql/a.sql"), "select 1\n");
    const all = { path: "büro ü.yaml", with: ["sql/a.sql"] };
    await commit(space, HEAD + PEOPLE + insight, all);
    await commit(space, HEAD + ADA + insight, all);
    expect(removed(await space.plan("büro ü.yaml")).map(([address]) => address)).toEqual([
      "acme/memberships/bob@acme.com",
    ]);
  });

  it("is found in a folder of many files", async () => {
    const space = await workspace({ seed: SEED });
    const file = (name: string): string => `people/${name}.yaml`;
    const names = ["bob", ...Array.from({ length: 510 }, (_, index) => `p${String(index)}`)];
    await mkdir(join(space.folder, "people"));
    for (const name of names)
      await writeFile(
        join(space.folder, file(name)),
        `driftline: 1\norganizations: { acme: { memberships: { ${name}@acme.com: { level: member } } } }\n`,
      );
    await commit(space, HEAD + ADA, { with: ["people"] });
    await rm(join(space.folder, file("bob")));
    await commit(space, HEAD + ADA, { with: ["people"] });
    expect(removed(await space.plan(".")).map(([address]) => address)).toEqual(["acme/memberships/bob@acme.com"]);
  });

  it("is not known if only a part of the files was given", async () => {
    const space = await workspace({ seed: SEED });
    await mkdir(join(space.folder, "people"));
    await commit(space, HEAD + PEOPLE);
    const moved = HEAD.replace(/variables.*\n/u, "") + PEOPLE.replace(/.*ada.*\n/u, "");
    await writeFile(join(space.folder, "people/bob.yaml"), moved);
    await commit(space, HEAD + ADA, { with: ["people/bob.yaml"] });
    const { diagnostics } = await space.plan("driftline.yaml");
    expect(codesOf(diagnostics)).toEqual(["history_cut"]);
    expect(codesOf((await space.plan(".")).diagnostics)).toEqual([]);
    // A file that does not name it is no reason to say nothing.
    await space.configure("driftline: 1\norganizations: { acme: { domains: {} } }\n", "people/bob.yaml");
    const named = codesOf((await space.plan("driftline.yaml")).diagnostics);
    expect(named).toEqual(["removed_from_files"]);
    // What cannot be read as text may declare anything.
    await writeFile(join(space.folder, "other.yaml"), Buffer.from(moved, "utf16le"));
    expect(codesOf((await space.plan("driftline.yaml")).diagnostics)).toEqual(["history_cut"]);
  });

  it.each<[string, number, string, string]>([
    ["import --all", 2, "", "import --only acme/memberships/bob@acme.com"],
    ["drift --accept --unmanaged", 0, "", "import --only acme/memberships/bob@acme.com"],
    ["drift --accept", 2, "    exclusive: [memberships]\n", "drift --accept --only acme/memberships"],
  ])("is put back by %s only if it is named or asked for, which is said", async (words, code, more, named) => {
    const space = await workspace({ seed: SEED });
    const file = (): Promise<string> => readFile(join(space.folder, "driftline.yaml"), "utf8");
    await commit(space, HEAD + more + PEOPLE);
    const after = await commit(space, HEAD + more + ADA);
    const left = await space.run([...words.split(" "), "--yes"]);
    expect(left.code).toBe(code);
    expect(left.stderr).toMatch(new RegExp(`removed_from_files.*\\(commit ${after}\\), so it is put back only`, "u"));
    expect(await file()).not.toContain("bob@acme.com");
    const back = await space.run([...named.split(" "), "--yes"]);
    expect(back.stderr).toMatch(new RegExp(`removed_from_files.*\\(commit ${after}\\), and is put back`, "u"));
    expect(await file()).toContain("bob@acme.com");
  });

  it("cannot be found in a clone of too few commits, which is said", async () => {
    const space = await workspace({ seed: SEED });
    await commit(space, HEAD + PEOPLE);
    await commit(space, HEAD + ADA);
    const clone = join(space.folder, "clone");
    git(space.folder, "clone", "--quiet", "--depth=1", `file://${space.folder}`, clone);
    await commit(space, `# 1\n${HEAD}${ADA}`);
    git(space.folder, "clone", "--quiet", "--depth=2", `file://${space.folder}`, join(space.folder, "two"));
    for (const folder of ["clone", "two"]) {
      const { diagnostics } = await space.plan(folder);
      expect(diagnostics.map(({ code }) => code)).toContain("history_cut");
    }
    for (const folder of ["clone", "two"]) await rm(join(space.folder, folder), { recursive: true });
    expect((await space.plan()).diagnostics.map(({ code }) => code)).not.toContain("history_cut");
  });

  it("is looked for without running a program of the repository", async () => {
    const space = await workspace({ seed: SEED });
    const ran = join(space.folder, "ran");
    const program = `touch ${ran}; cat`;
    await commit(space, HEAD + PEOPLE);
    await commit(space, HEAD + ADA);
    await writeFile(join(space.folder, ".gitattributes"), "* diff=evil filter=evil\n");
    await mkdir(join(space.folder, "hooks"));
    for (const [key, value] of [
      ["core.fsmonitor", program],
      ["core.pager", program],
      ["diff.evil.textconv", program],
      ["diff.evil.command", program],
      ["filter.evil.clean", program],
      ["filter.evil.smudge", program],
      ["diff.external", program],
      ["gpg.program", program],
      ["log.showSignature", "true"],
    ] as const)
      git(space.folder, "config", key, value);
    expect(removed(await space.plan())).toHaveLength(1);
    await expect(readFile(ran)).rejects.toThrow("ENOENT");
  });
});
