/** drift --accept --branch: real git with a bare repository as the remote one, and a stub of GitHub's interface. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { EmulatorOptions } from "../../src/emulator/index.ts";
import { COMMAND } from "../fault/hostile.ts";
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
const ORGANIZATION = {
  id: "0190aa11-0000-4000-8000-00000000000a",
  name: "Acme Inc",
  enforce_2fa: false,
  members: [
    { email: "ada@acme.com", level: 8 },
    { email: "bob@acme.com", level: 8 },
  ],
  projects: [{ id: 2, name: "Web", insights: [INSIGHT] }],
};
const SEED = { organizations: [ORGANIZATION] };

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

const PERSON = {
  GIT_AUTHOR_NAME: "Eve",
  GIT_AUTHOR_EMAIL: "eve@acme.com",
  GIT_COMMITTER_NAME: "Eve",
  GIT_COMMITTER_EMAIL: "eve@acme.com",
};
const environmentIn = (home: string) => ({ PATH: process.env["PATH"] ?? "", HOME: home, GIT_CONFIG_NOSYSTEM: "1" });

const gitIn =
  (home: string, cwd: string) =>
  (...args: readonly string[]): string =>
    execFileSync("git", args, {
      cwd,
      env: { ...environmentIn(home), ...PERSON },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();

/** Folders with a repository and its remote one, by the configuration in them. Tests copy them. */
const committedTo = new Map<string, string>();
afterAll(() => {
  for (const folder of committedTo.values()) rmSync(folder, { recursive: true, force: true });
});

function commitOnce(config: string): string {
  const folder = mkdtempSync(join(tmpdir(), "driftline-test-"));
  const bare = join(folder, "remote.git");
  gitIn(folder, folder)("init", "--quiet", "--bare", "--initial-branch=main", bare);
  mkdirSync(join(folder, "work"));
  const git = gitIn(folder, join(folder, "work"));
  git("init", "--quiet", "--initial-branch=main");
  writeFileSync(join(folder, "work/driftline.yaml"), config);
  git("add", ".");
  git("commit", "--quiet", "--message", "The configuration");
  git("remote", "add", "origin", bare);
  git("push", "--quiet", "origin", "main");
  return folder;
}

async function clone(config = CONFIG, seed: EmulatorOptions["seed"] = SEED): Promise<Clone> {
  const space = await workspace({ seed, dialect: "deployed" });
  const host = await codeHost();
  const folder = join(space.folder, "work");
  const committed = committedTo.get(config) ?? commitOnce(config);
  committedTo.set(config, committed);
  cpSync(committed, space.folder, { recursive: true });
  const settings = join(folder, ".git/config");
  writeFileSync(settings, readFileSync(settings, "utf8").replace(committed, space.folder));
  return {
    ...space,
    git: gitIn(space.folder, folder),
    remote: gitIn(space.folder, join(space.folder, "remote.git")),
    accept: (more = {}, ...args) =>
      space.run(["drift", "--branch", BRANCH, ...args], {
        env: { ...environmentIn(space.folder), ...more },
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
    file: join(folder, "driftline.yaml"),
  };
}

const tipOf = ({ remote }: Clone): string => remote("for-each-ref", "--format=%(objectname)", `refs/heads/${BRANCH}`);
/** What is said, without what differs from run to run. */
const sentences = ({ folder, host }: Clone, text: string): string =>
  text
    .replaceAll(folder, "FOLDER")
    .replaceAll(host.url, "HOST")
    .replaceAll(/(?<=cannot be read \().*(?=\)$)/gmu, "WHAT GIT SAYS")
    .replaceAll(/\b[0-9a-f]{7,40}\b/gu, "COMMIT");

/** Nobody may push to a branch of the remote repository. */
function protect({ folder }: Clone, ref: string): void {
  const hook = join(folder, "remote.git", "hooks", "update");
  writeFileSync(
    hook,
    `#!/bin/sh\n[ "$1" != ${ref} ] || { echo "GH006: Protected branch update failed." >&2; exit 1; }\n`,
    { mode: 0o755 },
  );
}

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
    expect(commit).toMatch(/\([\dT:-]+Z\)/u);
    expect(commit.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, "TIME")).toMatchSnapshot();
    expect(space.remote("rev-parse", `${BRANCH}^`)).toBe(space.remote("rev-parse", "main"));
  });

  it.each(["driftline/drift", "it's&that"])("prints how to merge %s where nothing opens a request", async (branch) => {
    const space = await clone();
    space.edit({ description: "Who has come" });
    const { stderr } = await space.accept({}, "--branch", branch);
    const [, line = ""] = /^To merge it: `(.*)`$/mu.exec(stderr) ?? [];
    const cwd = join(space.folder, "work");
    execFileSync("bash", ["-c", line], {
      cwd,
      stdio: "ignore",
      env: { PATH: process.env["PATH"], HOME: space.folder },
    });
    expect(fileOn(space, "main")).toContain("Who has come");
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
    const standing = (): unknown => structuredClone([tipOf(space), space.remote("rev-parse", "main"), host.pulls]);
    /** A night, and the same once more, which changes nothing. */
    const night = async (): Promise<number> => {
      const { code } = await space.accept(onGitHub);
      const after = standing();
      expect((await space.accept(onGitHub)).code).toBe(code);
      expect(standing()).toEqual(after);
      return code;
    };

    space.edit({ description: "Who has come" });
    expect(await night()).toBe(0);
    const first = tipOf(space);
    expect(host.pulls).toMatchObject([{ number: 100, base: "main", head: { ref: BRANCH }, state: "open" }]);
    expect(host.pulls[0]?.body).toContain("### driftline drift: 1 drifted");
    // The request goes the way of its own diff.
    const diff = space.remote("diff", `main..${BRANCH}`);
    for (const [sign, text] of [
      ["-", "Who came"],
      ["+", "Who has come"],
    ] as const)
      for (const shown of [diff, host.pulls[0]?.body])
        expect(shown).toMatch(new RegExp(`^[${sign}].*description: "?${text}"?$`, "mu"));

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
    expect(host.pulls[1]?.comments).toMatchSnapshot();
    expect(tipOf(space)).toBe("");

    // Nothing.
    expect(await night()).toBe(0);
    expect(host.pulls).toHaveLength(2);
  });

  it("closes the request with another sentence if what differs can be accepted no more", async () => {
    const space = await clone();
    space.edit({ query: { ...INSIGHT.query, series: [{ event: "signed in" }] } });
    await space.accept(space.onGitHub);
    writeFileSync(
      space.file,
      CONFIG.replace("event: signed up", "event: '${var:event}'").replace("week }", "week, event: signed up }"),
    );
    space.git("commit", "--quiet", "--all", "--message", "A variable");
    space.git("push", "--quiet", "origin", "main");
    const { code, stderr } = await space.accept(space.onGitHub);
    expect([code, tipOf(space)]).toEqual([2, ""]);
    expect(space.host.pulls).toMatchObject([{ state: "closed", comments: [expect.any(String)] }]);
    expect({ comment: space.host.pulls[0]?.comments[0], said: stderr.split("\n").at(-2) }).toMatchSnapshot();
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
    ["--since", "2026-06-01"],
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

  it("leaves a branch that somebody else has made", async () => {
    const space = await clone();
    space.git("checkout", "--quiet", "-b", "theirs");
    space.git("commit", "--quiet", "--allow-empty", "--message", "Theirs");
    space.git("push", "--quiet", "origin", `theirs:refs/heads/${BRANCH}`);
    space.git("checkout", "--quiet", "main");
    const before = tipOf(space);
    space.edit({ description: "Who has come" });
    const { code, stderr } = await space.accept(space.onGitHub);
    expect([code, tipOf(space), space.host.pulls]).toEqual([13, before, []]);
    expect(sentences(space, stderr)).toMatchSnapshot();
    expect(space.emulator.requests).toEqual([]);
  });

  it("works beside a default branch that nobody may push to", async () => {
    const space = await clone();
    protect(space, "refs/heads/main");
    space.edit({ description: "Who has come" });
    expect((await space.accept(space.onGitHub)).code).toBe(0);
    expect(space.host.pulls).toHaveLength(1);
    space.edit({ description: "Who came" });
    expect((await space.accept(space.onGitHub)).code).toBe(0);
    expect(tipOf(space)).toBe("");
  });

  it("pushes the branch if the token may only read pull requests, and opens the request as soon as it may", async () => {
    const space = await clone();
    space.host.failure = 403;
    space.edit({ description: "Who has come" });
    const { code, stderr } = await space.accept(space.onGitHub);
    expect([code, space.host.pulls]).toEqual([13, []]);
    expect(stderr).toMatch(/^Pushed to driftline\/drift[^]*forge_refused/u);
    expect((await space.accept(space.onGitHub)).code).toBe(0);
    expect(space.host.pulls).toMatchObject([{ state: "open" }]);
  });

  it("does not overwrite what somebody pushes in the meantime", async () => {
    const space = await clone();
    const hook = join(space.git("rev-parse", "--absolute-git-dir"), "hooks", "pre-push");
    writeFileSync(hook, `#!/bin/sh\ngit push --quiet --no-verify origin HEAD:refs/heads/${BRANCH}\n`, { mode: 0o755 });
    space.edit({ description: "Who has come" });
    const { code, stderr } = await space.accept(space.onGitHub);
    expect([code, tipOf(space), space.host.pulls]).toEqual([13, space.remote("rev-parse", "main"), []]);
    expect(stderr).toContain("push_refused");
  });

  it("says that it may not push to the branch, and opens nothing", async () => {
    const space = await clone();
    protect(space, `refs/heads/${BRANCH}`);
    space.edit({ description: "Who has come" });
    const { code, stderr } = await space.accept(space.onGitHub);
    expect([code, tipOf(space), space.host.pulls]).toEqual([13, "", []]);
    expect(sentences(space, stderr)).toMatchSnapshot();
  });

  it.each([
    "http://me:hush-1@127.0.0.1:1/a.git",
    "http://hush-1@127.0.0.1:1/a.git?private_token=hush-2",
    "http://127.0.0.1:1/a.git?x=1&access_token=hush-1",
    "http://127.0.0.1:1/a.git?token=hush-1&key=hush-2",
  ])("shows no token of the remote repository or of the code host: %s", async (url) => {
    const { edit, accept, git, onGitHub, host } = await clone();
    edit({ description: "Live" });
    const api = host.url.replace("//", "//me:hush-3@");
    for (const GITHUB_API_URL of [`${api}?private_token=hush-4`, "http://me:hush-5@127.0.0.1:1?key=hush-6", "hush"]) {
      const { code, stdout, stderr } = await accept({ ...onGitHub, GITHUB_API_URL });
      expect(code).not.toBe(0);
      expect(stdout + stderr).not.toMatch(/hush-/);
    }
    git("remote", "set-url", "origin", url);
    for (const options of [[], ["--format", "json"]]) {
      const { code, stdout, stderr } = await accept(onGitHub, ...options);
      expect([code, stdout + stderr]).toEqual([10, expect.stringContaining("cannot be read")]);
      expect(stdout + stderr).not.toContain("hush");
    }
  });

  it("what a hook of the remote repository says is no command of the pipeline", async () => {
    const { folder, edit, accept, onGitHub } = await clone();
    edit({ description: "Live" });
    const said = ["::stop-commands::x", " ##vso[task.prependpath]/evil", "##teamcity[x]", "section_start:1:a"];
    for (const [index, words] of said.entries()) {
      const script = `#!/bin/sh\necho "${words}" >&2\nprintf '\\r${words}' >&2\nexit 1\n`;
      writeFileSync(join(folder, "remote.git", "hooks", "update"), script, { mode: 0o755 });
      const options = [[], ["--format", "json"], ["--format", "markdown"]][index % 3] ?? [];
      const { code, stdout, stderr } = await accept(onGitHub, ...options);
      expect([code, stderr]).toEqual([13, expect.stringContaining("push_refused")]);
      for (const written of [stdout, stderr]) expect(written).not.toMatch(COMMAND);
    }
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
      [
        "an address with a token that is wrong",
        ({ git }) => void git("remote", "set-url", "origin", "http://drift:token-4711@127.0.0.1:9/remote.git"),
        "git_unusable",
        10,
      ],
      ["no git", () => ({ PATH: "/nowhere" }), "git_unusable", 10],
      [
        "no repository",
        ({ folder }) => {
          rmSync(join(folder, "work", ".git"), { recursive: true });
        },
        "git_unusable",
        10,
      ],
      [
        "a detached work tree with changes",
        ({ git, file }) => {
          git("checkout", "--quiet", "--detach");
          writeFileSync(file, `${CONFIG}# mine\n`);
        },
        "branch_refused",
        13,
      ],
      [
        "a merge that is not finished",
        ({ git, file }) => {
          git("checkout", "--quiet", "-b", "theirs");
          writeFileSync(file, CONFIG.replace("Who came", "Theirs"));
          git("commit", "--quiet", "--all", "--message", "Theirs");
          git("checkout", "--quiet", "main");
          writeFileSync(file, CONFIG.replace("Who came", "Ours"));
          git("commit", "--quiet", "--all", "--message", "Ours");
          git("push", "--quiet", "origin", "main");
          expect(() => git("merge", "--quiet", "theirs")).toThrow("merge");
          // The file itself has no conflict any more.
          writeFileSync(file, CONFIG);
        },
        "branch_refused",
        13,
      ],
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
      expect(sentences(space, stderr)).toMatchSnapshot();
      expect(stderr).not.toContain("token-4711");
      expect(space.emulator.requests).toEqual([]);
      expect([tipOf(space), space.host.pulls]).toEqual(["", []]);
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

  describe("keeps out of the traps", () => {
    /** Commits files beside the configuration, and pushes them. */
    function commit({ git }: Clone, files: Readonly<Record<string, string>>): void {
      for (const [file, text] of Object.entries(files)) {
        const path = join(git("rev-parse", "--show-toplevel"), file);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      }
      git("add", ".");
      git("commit", "--quiet", "--message", "Files");
      git("push", "--quiet", "origin", "main");
    }

    describe("an undeclared object of an exclusive kind", () => {
      const EXCLUSIVE = CONFIG.replace('        id: "2"\n', '        id: "2"\n        exclusive: [insights]\n');
      async function withNewInsight(): Promise<Clone> {
        const space = await clone(EXCLUSIVE);
        space.emulator.insert(
          "insight",
          { project: 2 },
          {
            ...INSIGHT,
            id: 7,
            name: "Visits per week",
            last_modified_by: "ada@acme.com",
            last_modified_at: "2026-03-02T12:00:00Z",
          },
        );
        return space;
      }

      it("gets a declaration, so that the next apply does not delete it", async () => {
        const space = await withNewInsight();
        space.edit({ description: "Who has come" });
        expect((await space.accept(space.onGitHub)).code).toBe(0);
        const text = fileOn(space);
        expect(text).toContain("visits-per-week:\n");
        expect(text).toContain("id: 7");
        expect(text).toContain("Who has come");
        const subjects = space.remote("log", "--reverse", "--format=%s", `main..${BRANCH}`).split("\n");
        expect(subjects).toEqual(["Accept what bob@acme.com changed", "Accept what ada@acme.com changed"]);
        expect(space.remote("log", "-1", "--format=%b", BRANCH)).toContain("visits-per-week: created on the service");
        expect(space.host.pulls[0]?.title).toBe("Accept 2 changes from the service");

        // The next night makes the same commits. Once it is merged, nothing differs.
        const tip = tipOf(space);
        await space.accept(space.onGitHub);
        expect(tipOf(space)).toBe(tip);
        space.git("pull", "--quiet", "--ff-only", "origin", BRANCH);
        const { stdout, code } = await space.run(["drift"], { runtime: { cwd: join(space.folder, "work") } });
        expect([code, stdout]).toEqual([0, expect.stringContaining("Nothing differs")]);
      });

      /** The same with a file for each first letter of an insight, and others. */
      async function split(others: Readonly<Record<string, string>> = {}): Promise<Clone> {
        const space = await withNewInsight();
        const [top = "", insights = ""] = EXCLUSIVE.split("        insights:\n");
        const header = "driftline: 1\norganizations:\n  acme:\n    projects:\n      web:\n        insights:\n";
        const other = "          other:\n            lifecycle: { state: absent }\n            name: Other\n";
        const files = { "insights/s.yaml": header + insights, "insights/o.yaml": header + other };
        commit(space, { "driftline.yaml": top, ...files, ...others });
        return space;
      }

      it("gets a new file if an export would have made one for its name", async () => {
        const space = await split();
        expect((await space.accept(space.onGitHub, ".")).code).toBe(0);
        expect(space.remote("diff", "--name-status", "main", BRANCH)).toBe("A\tinsights/v.yaml");
        expect(space.remote("show", `${BRANCH}:insights/v.yaml`)).toContain("visits-per-week:\n");
        expect(space.remote("ls-tree", BRANCH, "insights/v.yaml")).toMatch(/^100644 /u);
        space.git("pull", "--quiet", "--ff-only", "origin", BRANCH);
        const { code } = await space.run(["drift", "."], { runtime: { cwd: join(space.folder, "work") } });
        expect(code).toBe(0);
      });

      it("loses a file whose last insight is gone", async () => {
        const space = await split();
        for (const id of [1, 7]) space.emulator.remove("insight", id);
        await space.accept(space.onGitHub, ".");
        expect(space.remote("diff", "--name-status", "main", BRANCH)).toBe("D\tinsights/s.yaml");
        space.git("pull", "--quiet", "--ff-only", "origin", BRANCH);
        const { code } = await space.run(["drift", "."], { runtime: { cwd: join(space.folder, "work") } });
        expect(code).toBe(0);
      });

      it("takes the place of no file that exists, and of none that the repository ignores", async () => {
        const kept = "driftline: 1\norganizations: {} # mine\n";
        const space = await split({ "insights/v.yaml": kept });
        expect((await space.accept(space.onGitHub, ".")).code).toBe(0);
        expect(space.remote("diff", "--name-status", "main", BRANCH)).toBe("A\tinsights/vi.yaml");
        const ignoring = await split({ "insights/v.yaml": kept });
        ignoring.git("rm", "--quiet", "-r", "--cached", "insights");
        commit(ignoring, { ".gitignore": "insights\n" });
        const { code, stderr } = await ignoring.accept(ignoring.onGitHub, ".");
        expect([code, tipOf(ignoring)]).toEqual([2, ""]);
        expect(sentences(ignoring, stderr)).toMatchSnapshot();
      });

      it("takes the place of no file that only the repository has", async () => {
        const space = await split({ "insights/v.yaml": "driftline: 1\norganizations: {} # mine\n" });
        space.git("sparse-checkout", "set", "--no-cone", "/*", "!/insights/v.yaml");
        const { code, stderr } = await space.accept(space.onGitHub, ".");
        expect([code, tipOf(space)]).toEqual([2, ""]);
        expect(sentences(space, stderr)).toMatchSnapshot();
      });

      it("stays on the branch if the lists cannot be read a second time", async () => {
        const space = await withNewInsight();
        await space.accept(space.onGitHub);
        const before = tipOf(space);
        space.emulator.clearRequests();
        await space.accept(space.onGitHub);
        const reads = space.emulator.requests.filter(({ path }) => path.includes("/insights/")).length;
        const fault = { type: "status", status: 400 } as const;
        const rule = space.emulator.faults.add({ method: "GET", path: "/insights/", nth: reads, times: 9, fault });
        const { code } = await space.accept(space.onGitHub);
        expect(rule.hits).toBeGreaterThan(0);
        expect([code === 0, tipOf(space)]).toEqual([false, before]);
      });
    });

    it("open work on the same lines: the branch is made anew on top of it", async () => {
      const space = await clone();
      space.edit({ description: "Who has come" });
      await space.accept(space.onGitHub);
      commit(space, { "driftline.yaml": CONFIG.replace("Who came", "Who arrived") });
      expect((await space.accept(space.onGitHub)).code).toBe(0);
      expect(space.remote("rev-parse", `${BRANCH}^`)).toBe(space.remote("rev-parse", "main"));
      expect(space.remote("diff", "main", BRANCH)).toMatch(/^-.*Who arrived\n\+.*Who has come$/mu);
      expect(space.host.pulls).toHaveLength(1);
    });

    it.each([
      ["the repository has LF, and the work tree CRLF", "* text=auto eol=crlf\n", CONFIG],
      ["both have CRLF", "* -text\n", CONFIG.replaceAll("\n", "\r\n")],
    ])("line ends: %s", async (_name, attributes, config) => {
      const space = await clone(config);
      commit(space, { ".gitattributes": attributes });
      space.git("rm", "--quiet", "-r", "--cached", ".");
      space.git("reset", "--quiet", "--hard");
      expect(readFileSync(space.file, "utf8")).toContain("\r\n");
      space.edit({ description: "Who has come" });
      expect((await space.accept()).code).toBe(0);
      expect(space.remote("diff", "--numstat", "main", BRANCH)).toBe("1\t1\tdriftline.yaml");
    });

    it("a file that is ignored, not only one that is forgotten", async () => {
      const space = await clone();
      space.git("rm", "--quiet", "--cached", "driftline.yaml");
      commit(space, { ".gitignore": "driftline.yaml\n" });
      space.edit({ description: "Who has come" });
      const { code, stderr } = await space.accept(space.onGitHub);
      expect([code, tipOf(space), space.host.pulls]).toEqual([2, "", []]);
      expect(stderr).toContain("not_accepted");
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

  it.each(["--skip-worktree", "--assume-unchanged"])("publishes no edit that git hides: %s", async (flag) => {
    const space = await clone();
    space.git("update-index", flag, "driftline.yaml");
    writeFileSync(space.file, CONFIG.replace("# our organization", "# only here"));
    space.edit({ description: "Who has come" });
    const { code, stderr } = await space.accept(space.onGitHub);
    expect([code, tipOf(space)]).toEqual([2, ""]);
    expect(stderr).toContain("not_accepted");
  });

  it("pushes nothing after an interrupt", async () => {
    const space = await clone(
      CONFIG.replace("driftline: 1\n", "driftline: 1\nx-who: &who Who came\n").replace(": Who came\n", ": *who\n") +
        "x-tags: *tags\n",
    );
    space.edit({ description: "Who has come", tags: ["growth", "more"] });
    const controller = new AbortController();
    // What stays is said before the commits are made.
    const err = (text: string): void => void (text.includes("not_accepted") && controller.abort());
    const runtime = { cwd: join(space.folder, "work"), signal: controller.signal, err };
    const { code } = await space.run(["drift", "--branch", BRANCH], { runtime, env: space.onGitHub });
    expect([code, tipOf(space), space.host.pulls]).toEqual([130, "", []]);
  });
});
