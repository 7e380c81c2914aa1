/** drift --accept --branch: real git with a bare repository as the remote one, and a stub of GitHub's interface. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { codeHost, HOST_TOKEN, type CodeHost } from "../support/code-host.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const BRANCH = "driftline/drift";

const CONFIG = `# our organization
driftline: 1
variables: { interval: week }
organizations:
  acme:
    name: Acme Inc
    enforce_2fa: false # asked for by security
    projects:
      web:
        id: "2"
        insights:
          signups:
            id: 1
            name: Signups
            description: Who came
            tags: &tags [growth]
            query: { kind: TrendsQuery, interval: "\${var:interval}", series: [{ event: signed up }] }
`;

const INSIGHT = {
  id: 1,
  name: "Signups",
  description: "Who came",
  tags: ["growth"],
  query: { kind: "TrendsQuery", interval: "week", series: [{ event: "signed up" }] },
};
const SEED = {
  organizations: [
    {
      id: "0190aa11-0000-4000-8000-00000000000a",
      name: "Acme Inc",
      enforce_2fa: false,
      members: [
        { email: "ada@acme.com", level: 8 },
        { email: "bob@acme.com", level: 8 },
      ],
      projects: [{ id: 2, name: "Web", insights: [INSIGHT] }],
    },
  ],
};

interface Clone extends Workspace {
  readonly git: (...args: readonly string[]) => string;
  /** Git in the remote repository. */
  readonly remote: (...args: readonly string[]) => string;
  /** `drift --accept --branch`. */
  readonly accept: (
    more?: Readonly<Record<string, string>>,
    ...args: readonly string[]
  ) => ReturnType<Workspace["run"]>;
  /** An edit in the web interface. */
  readonly edit: (values: object, by?: string) => void;
  readonly host: CodeHost;
  readonly onGitHub: Readonly<Record<string, string>>;
  readonly file: string;
}

async function clone(config = CONFIG): Promise<Clone> {
  const space = await workspace({ seed: SEED, dialect: "deployed" });
  const host = await codeHost();
  const folder = join(space.folder, "work");
  const bare = join(space.folder, "remote.git");
  mkdirSync(folder);
  const env = { PATH: process.env["PATH"] ?? "", HOME: space.folder, GIT_CONFIG_NOSYSTEM: "1" };
  const person = {
    GIT_AUTHOR_NAME: "Eve",
    GIT_AUTHOR_EMAIL: "eve@acme.com",
    GIT_COMMITTER_NAME: "Eve",
    GIT_COMMITTER_EMAIL: "eve@acme.com",
  };
  const gitIn =
    (cwd: string) =>
    (...args: readonly string[]) =>
      execFileSync("git", args, {
        cwd,
        env: { ...env, ...person },
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }).trim();
  const git = gitIn(folder);
  gitIn(space.folder)("init", "--quiet", "--bare", "--initial-branch=main", bare);
  git("init", "--quiet", "--initial-branch=main");
  const file = join(folder, "driftline.yaml");
  writeFileSync(file, config);
  git("add", ".");
  git("commit", "--quiet", "--message", "The configuration");
  git("remote", "add", "origin", bare);
  git("push", "--quiet", "origin", "main");
  return {
    ...space,
    git,
    remote: gitIn(bare),
    accept: (more = {}, ...args) =>
      space.run(["drift", "--branch", BRANCH, ...args], {
        env: { ...env, ...more },
        runtime: { cwd: folder },
      }),
    edit: (values, by = "bob@acme.com") =>
      space.emulator.edit("insight", 1, {
        ...values,
        last_modified_by: by,
        last_modified_at: "2026-03-01T12:00:00.5Z",
      }),
    host,
    onGitHub: {
      GITHUB_ACTIONS: "true",
      GITHUB_TOKEN: HOST_TOKEN,
      GITHUB_REPOSITORY: "acme/analytics",
      GITHUB_API_URL: host.url,
    },
    file,
  };
}

const tipOf = ({ remote }: Clone): string => remote("for-each-ref", "--format=%(objectname)", `refs/heads/${BRANCH}`);
const fileOn = ({ remote }: Clone, ref = BRANCH): string => remote("show", `${ref}:driftline.yaml`);

describe("drift --accept --branch", () => {
  it("commits and pushes what was changed, and leaves the work tree as it is", async () => {
    const space = await clone();
    space.edit({ description: "Who has come" });
    const { code, stdout } = await space.accept();
    expect(code).toBe(0);
    expect(stdout).toContain("acme/projects/web/insights/signups");
    expect(fileOn(space)).toBe(CONFIG.replace("Who came", "Who has come").trim());
    expect(readFileSync(space.file, "utf8")).toBe(CONFIG);
    expect(space.git("status", "--porcelain")).toBe("");
    expect(space.git("branch")).toBe("* main");
    const commit = space.remote("log", "--format=%an <%ae>%n%B", "-1", BRANCH);
    expect(commit.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, "TIME")).toMatchSnapshot();
    expect(space.remote("rev-parse", `${BRANCH}^`)).toBe(space.remote("rev-parse", "main"));
  });

  it("makes a commit for each person, in the order of their changes", async () => {
    const space = await clone();
    space.edit({ description: "Who has come" });
    space.emulator.edit("organization", "0190aa11-0000-4000-8000-00000000000a", {
      enforce_2fa: true,
      updated_at: "2030-01-01T00:00:00Z",
    });
    await space.accept();
    const subjects = space.remote("log", "--reverse", "--format=%s", `main..${BRANCH}`).split("\n");
    expect(subjects).toEqual(["Accept what bob@acme.com changed", "Accept what was changed on the service"]);
    expect(fileOn(space, `${BRANCH}^`)).toContain("enforce_2fa: false # asked");
    expect(fileOn(space)).toContain("enforce_2fa: true # asked");
  });

  it("lives through seven nights", async () => {
    const space = await clone();
    const { host, onGitHub } = space;
    const night = async (): Promise<number> => (await space.accept(onGitHub)).code;

    space.edit({ description: "Who has come" });
    expect(await night()).toBe(0);
    const first = tipOf(space);
    expect(host.pulls).toMatchObject([{ number: 100, base: "main", head: { ref: BRANCH }, state: "open" }]);
    expect(host.pulls[0]?.body).toContain("### driftline drift: 1 drifted");

    // The same drift.
    const text = { ...host.pulls[0] };
    expect(await night()).toBe(0);
    expect([tipOf(space), host.pulls.length, host.pulls[0]]).toEqual([first, 1, text]);

    // More drift.
    space.emulator.edit("organization", "0190aa11-0000-4000-8000-00000000000a", { enforce_2fa: true });
    expect(await night()).toBe(0);
    expect(tipOf(space)).not.toBe(first);
    expect(host.pulls).toMatchObject([{ state: "open", title: "Accept 2 changes from the service" }]);

    // A person pushes to the branch: it stays as it is.
    space.git("fetch", "--quiet", "origin", BRANCH);
    space.git("checkout", "--quiet", "FETCH_HEAD");
    writeFileSync(space.file, `${readFileSync(space.file, "utf8")}# reviewed\n`);
    space.git("commit", "--quiet", "--all", "--message", "A word");
    space.git("push", "--quiet", "origin", `HEAD:refs/heads/${BRANCH}`);
    space.git("checkout", "--quiet", "main");
    const edited = tipOf(space);
    space.edit({ description: "Nobody" });
    const stopped = await space.accept(onGitHub);
    expect([stopped.code, tipOf(space)]).toEqual([13, edited]);
    expect(stopped.stderr).toContain("branch_refused");
    space.edit({ description: "Who has come" });

    // It is merged, and the branch is left over: its last commit is in main now.
    space.git("merge", "--quiet", "--no-ff", "FETCH_HEAD", "--message", "Merge");
    space.git("fetch", "--quiet", "origin", BRANCH);
    space.git("merge", "--quiet", "FETCH_HEAD", "--message", "Merge");
    space.git("push", "--quiet", "origin", "main");
    Object.assign(host.pulls[0] ?? {}, { state: "closed", merged_at: "2026-03-02T00:00:00Z" });
    expect(await night()).toBe(0);
    expect([tipOf(space), host.pulls.length]).toEqual(["", 1]);

    // Another change, a new pull request. Then somebody takes it back.
    space.edit({ description: "Whoever" });
    expect(await night()).toBe(0);
    expect(host.pulls).toMatchObject([{ number: 100 }, { number: 101, state: "open" }]);
    space.edit({ description: "Who has come" });
    expect(await night()).toBe(0);
    expect(host.pulls[1]).toMatchObject({ state: "closed", merged_at: null });
    expect(host.pulls[1]?.comments).toHaveLength(1);
    expect(tipOf(space)).toBe("");

    // Nothing.
    expect(await night()).toBe(0);
    expect(host.pulls).toHaveLength(2);
  });

  it("does not open again what a person has closed", async () => {
    const space = await clone();
    space.edit({ description: "Who has come" });
    await space.accept(space.onGitHub);
    Object.assign(space.host.pulls[0] ?? {}, { state: "closed", head: { ref: BRANCH, sha: tipOf(space) } });
    expect((await space.accept(space.onGitHub)).code).toBe(0);
    expect(space.host.pulls).toHaveLength(1);
  });

  it("builds on the newest commit, and works in a shallow clone with a detached head", async () => {
    const space = await clone();
    space.edit({ description: "Who has come" });
    await space.accept();
    const before = tipOf(space);
    writeFileSync(space.file, `${CONFIG}# more\n`);
    space.git("commit", "--quiet", "--all", "--message", "More");
    space.git("push", "--quiet", "origin", "main");
    const shallow = join(space.folder, "shallow");
    space.git("clone", "--quiet", "--depth=1", `file://${join(space.folder, "remote.git")}`, shallow);
    execFileSync("git", ["checkout", "--quiet", "--detach"], { cwd: shallow });
    const env = { PATH: process.env["PATH"] ?? "", HOME: space.folder };
    const { code } = await space.run(["drift", "--accept", "--branch", BRANCH], { env, runtime: { cwd: shallow } });
    expect(code).toBe(0);
    expect(tipOf(space)).not.toBe(before);
    expect(space.remote("rev-parse", `${BRANCH}^`)).toBe(space.remote("rev-parse", "main"));
    expect(fileOn(space)).toContain("Who has come");
  });

  it("leaves what it cannot write to people, with the reason in the pull request", async () => {
    const space = await clone();
    space.edit({ description: "Who has come", query: { ...INSIGHT.query, interval: "day" } });
    const { code } = await space.accept(space.onGitHub);
    expect(code).toBe(2);
    expect(space.host.pulls[0]?.body).toContain("not_accepted");
    expect(fileOn(space)).toContain('interval: "${var:interval}"');
  });

  it.each([
    ["--by", "ada@acme.com"],
    ["--since", "2030-01-01"],
  ])("leaves the branch alone if %s leaves out what is on it", async (option, value) => {
    const space = await clone();
    space.edit({ description: "Who has come" });
    await space.accept(space.onGitHub);
    const before = tipOf(space);
    await space.accept(space.onGitHub, option, value);
    expect(tipOf(space)).toBe(before);
    expect(space.host.pulls).toMatchObject([{ state: "open", comments: [] }]);
  });

  it("pushes nothing if not everything could be read", async () => {
    const space = await clone();
    space.edit({ description: "Who has come" });
    await space.accept();
    const before = tipOf(space);
    space.edit({ description: "Who came" });
    space.emulator.faults.add({ method: "GET", path: "/insights", fault: { type: "status", status: 400 } });
    const { code } = await space.accept();
    expect(code).not.toBe(0);
    expect(tipOf(space)).toBe(before);
  });

  it("hides the key of the service from the hooks of the repository", async () => {
    const space = await clone();
    const seen = join(space.folder, "seen");
    const hook = join(space.git("rev-parse", "--absolute-git-dir"), "hooks", "pre-push");
    writeFileSync(hook, `#!/bin/sh\nprintf '%s' "key: $DRIFTLINE_API_KEY" > '${seen}'\n`, { mode: 0o755 });
    space.edit({ description: "Who has come" });
    expect((await space.accept()).code).toBe(0);
    expect(readFileSync(seen, "utf8")).toBe("key: ");
  });

  it("asks GitLab for the merge request with the push", async () => {
    const space = await clone();
    space.remote("config", "receive.advertisePushOptions", "true");
    const hook = join(space.folder, "remote.git", "hooks", "pre-receive");
    writeFileSync(hook, 'printenv | grep ^GIT_PUSH_OPTION_ | sort > "$GIT_DIR/options"\n', { mode: 0o755 });
    writeFileSync(hook, `#!/bin/sh\n${readFileSync(hook, "utf8")}`, { mode: 0o755 });
    space.edit({ description: "Who has come" });
    expect((await space.accept({ GITLAB_CI: "true" })).code).toBe(0);
    expect(readFileSync(join(space.folder, "remote.git", "options"), "utf8")).toContain("merge_request.target=main");
  });

  describe("refuses before anything is read", () => {
    const cases: readonly [string, (space: Clone) => Readonly<Record<string, string>> | undefined, string, number][] = [
      [
        "a work tree with changes",
        ({ file }) => (writeFileSync(file, `${CONFIG}# mine\n`), undefined),
        "branch_refused",
        13,
      ],
      ["no remote repository", ({ git }) => void git("remote", "remove", "origin"), "git_unusable", 10],
      [
        "a remote repository that is gone",
        ({ git }) => void git("remote", "set-url", "origin", "/nowhere"),
        "git_unusable",
        10,
      ],
      ["no git", () => ({ PATH: "/nowhere" }), "git_unusable", 10],
      ["no token", ({ onGitHub }) => ({ ...onGitHub, GITHUB_TOKEN: "" }), "forge_refused", 10],
      ["a token without the right", ({ onGitHub }) => ({ ...onGitHub, GITHUB_TOKEN: "wrong" }), "forge_refused", 13],
      [
        "a commit that the default branch lacks",
        ({ git }) => void git("commit", "--quiet", "--allow-empty", "--message", "Mine"),
        "branch_refused",
        13,
      ],
    ];
    it.each(cases)("%s", async (_name, spoil, expected, exit) => {
      const space = await clone();
      space.edit({ description: "Who has come" });
      const env = spoil(space) ?? {};
      const { code, stderr } = await space.accept(env);
      expect(stderr).toContain(expected);
      expect(code).toBe(exit);
      expect(space.emulator.requests).toEqual([]);
      expect(tipOf(space)).toBe("");
    });

    it.each([
      ["main", 13],
      ["a b", 10],
      ["", 10],
    ] as const)("the branch %j", async (name, exit) => {
      const space = await clone();
      expect((await space.accept({}, "--branch", name)).code).toBe(exit);
      expect(space.emulator.requests).toEqual([]);
    });
  });

  it("edits several files of one project, and none that is a program", async () => {
    const space = await clone();
    const [top = "", insights = ""] = CONFIG.split("        insights:\n");
    writeFileSync(space.file, top.replace("enforce_2fa: false # asked for by security", ""));
    const header = "driftline: 1\norganizations:\n  acme:\n    projects:\n      web:\n        insights:\n";
    writeFileSync(join(space.git("rev-parse", "--show-toplevel"), "web.yaml"), header + insights);
    const program = `import { defineConfig } from "driftline";
      export default defineConfig({ driftline: 1, organizations: { acme: { enforce_2fa: false } } });`;
    writeFileSync(join(space.git("rev-parse", "--show-toplevel"), "people.driftline.ts"), program);
    space.git("add", ".");
    space.git("commit", "--quiet", "--message", "Three files");
    space.git("push", "--quiet", "origin", "main");
    space.edit({ description: "Who has come" });
    space.emulator.edit("organization", "0190aa11-0000-4000-8000-00000000000a", { enforce_2fa: true });
    const { code, stderr } = await space.accept({}, ".");
    expect(stderr).toContain("not_accepted");
    expect(code).toBe(2);
    expect(space.remote("diff", "--name-only", "main", BRANCH)).toBe("web.yaml");
  });

  it("says which file is not committed", async () => {
    const space = await clone();
    space.git("rm", "--quiet", "--cached", "driftline.yaml");
    space.git("commit", "--quiet", "--message", "Forgotten");
    space.git("push", "--quiet", "origin", "main");
    space.edit({ description: "Who has come" });
    const { code, stderr } = await space.accept();
    expect(code).toBe(2);
    expect(stderr).toContain("not_accepted");
    expect(tipOf(space)).toBe("");
  });

  it("keeps line ends as git has them", async () => {
    const space = await clone(CONFIG.replaceAll("\n", "\r\n"));
    space.edit({ description: "Who has come" });
    await space.accept();
    const diff = space.remote("diff", "--numstat", "main", BRANCH);
    expect(diff).toBe("1\t1\tdriftline.yaml");
  });
});
