import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv } from "ajv";
import { expect, it } from "vitest";
import type { AccessDocument, AccessPerson } from "../../src/model/access.ts";
import type { EmulatorOptions } from "../../src/emulator/index.ts";
import { ALL_DIALECTS, describeDialects } from "../support/dialects.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const ORGANIZATION = "0190aa11-0000-4000-8000-00000000000a";
const OTHER = "0190aa11-0000-4000-8000-00000000000b";
const HEADER =
  "person,level,second_factor,social_sign_in,enforced_by_domain,joined,last_changed,declared_in,since_commit,invite,address_domain";
const NOW = "2026-11-29T12:00:00Z";

const SEED = {
  organizations: [
    {
      id: ORGANIZATION,
      name: "Acme Inc",
      projects: [{ id: 2, name: "Web" }],
      members: [
        {
          email: "zoe@acme.com",
          level: 15,
          is_2fa_enabled: true,
          joined_at: "2026-01-01T00:00:00Z",
          updated_at: "2026-01-02T00:00:00Z",
        },
        {
          email: "ada@acme.com",
          level: 8,
          has_social_auth: true,
          joined_at: "2026-11-01T00:00:00Z",
          updated_at: "2026-11-20T00:00:00Z",
        },
        { email: "bob@other.example", level: 1, joined_at: "2025-11-01T00:00:00Z", updated_at: "2025-11-01T00:00:00Z" },
      ],
      invites: [
        {
          target_email: "new@acme.com",
          level: 8,
          created_at: "2026-11-29T00:00:00Z",
          updated_at: "2026-11-29T00:00:00Z",
        },
        {
          target_email: "old@acme.com",
          level: 1,
          created_at: "2026-01-01T00:00:00Z",
          updated_at: "2026-01-01T00:00:00Z",
        },
      ],
      domains: [{ domain: "acme.com", is_verified: true, sso_enforcement: "google-oauth2" }],
    },
  ],
};

const CONFIG = `driftline: 1
organizations:
  acme:
    id: ${ORGANIZATION}
    memberships:
      zoe@acme.com: { level: owner }
      ADA@acme.com: { level: admin }
`;

function acme(options: EmulatorOptions = {}): Promise<Workspace> {
  return workspace({ seed: SEED, now: () => new Date(NOW), ...options });
}

interface Review {
  readonly code: number;
  readonly document: AccessDocument;
  readonly of: (person: string) => AccessPerson | undefined;
}

async function review(space: Workspace, ...args: readonly string[]): Promise<Review> {
  const { code, stdout } = await space.run(["access", "--format", "json", ...args]);
  const document = JSON.parse(stdout) as AccessDocument;
  const schema = await readFile(new URL("../../schemas/access.schema.json", import.meta.url), "utf8");
  const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(JSON.parse(schema) as object);
  validate(document);
  expect(validate.errors ?? []).toEqual([]);
  expect(space.emulator.requests.every(({ method }) => method === "GET")).toBe(true);
  return { code, document, of: (person) => document.people.find((one) => one.person === person) };
}

/** A repository in the folder of a workspace, with everything committed. Returns git in it. */
function repository({ folder }: Workspace): (...args: readonly string[]) => string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd: folder, env, stdio: "pipe" })
      .toString()
      .trim();
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "first");
  return git;
}

describeDialects(
  "access",
  () => {
    it("lists everybody, owners and admins first", async () => {
      const space = await acme();
      await space.configure(CONFIG);
      const { code, document, of } = await review(space);
      expect(code).toBe(0);
      expect(document.people.filter(({ person }) => SEEDED.has(person)).map(({ person }) => person)).toEqual([
        "zoe@acme.com",
        "ada@acme.com",
        "new@acme.com",
        "bob@other.example",
        "old@acme.com",
      ]);
      const levels = document.people.map(({ level }) => ["member", "admin", "owner"].indexOf(level));
      expect(levels).toEqual(levels.toSorted((a, b) => b - a));
      expect(of("zoe@acme.com")).toMatchObject({
        level: "owner",
        second_factor: "yes",
        social_sign_in: "no",
        enforced_by_domain: "google-oauth2",
        declared_in: "driftline.yaml",
        since_commit: "unknown",
        invite: null,
      });
      expect(of("ada@acme.com")).toMatchObject({ second_factor: "no", social_sign_in: "yes" });
      expect(of("bob@other.example")).toMatchObject({ enforced_by_domain: "no", declared_in: null });
      expect(of("new@acme.com")).toMatchObject({
        level: "admin",
        joined: null,
        second_factor: "unknown",
        invite: "open",
      });
      expect(of("old@acme.com")).toMatchObject({ level: "member", invite: "expired" });
      // The organization by its id, and three lists of it.
      expect(space.emulator.requests.length).toBe(4);
    });

    it("marks what changed since a time", async () => {
      const space = await acme();
      await space.configure(CONFIG);
      const { of } = await review(space, "--since", "2026-10-30");
      expect(of("zoe@acme.com")?.changed).toBe("no");
      expect(of("ada@acme.com")?.changed).toBe("yes");
      expect(of("bob@other.example")?.changed).toBe("no");
      expect(of("new@acme.com")?.changed).toBe("yes");
      expect(of("old@acme.com")?.changed).toBe("no");
      const { stdout } = await space.run(["access", "--since", "2026-10-30"]);
      expect(stdout).toMatch(/^\* ada@acme\.com/mu);
      expect(stdout).toMatch(/^ {2}zoe@acme\.com/mu);
    });

    it("refuses a time in the future before it sends anything, as drift does", async () => {
      const space = await acme();
      await space.configure(CONFIG);
      for (const command of ["access", "drift"]) {
        const { code, stderr } = await space.run([command, "--since", "2999-01-01"]);
        expect([code, stderr]).toEqual([
          10,
          expect.stringMatching(/^error usage: --since 2999-01-01 is in the future/u),
        ]);
      }
      expect(space.emulator.requests).toEqual([]);
    });

    it("writes CSV that no spreadsheet takes for formulas", async () => {
      const members = [
        { email: '=cmd|"a",b@acme.com', level: 1 },
        { email: "+one@acme.com", level: 1 },
      ];
      const space = await acme({ seed: { organizations: SEED.organizations.map((one) => ({ ...one, members })) } });
      const { code, stdout } = await space.run(["access", "--organization", "Acme Inc", "--format", "csv"]);
      expect(code).toBe(0);
      const lines = stdout.split("\r\n");
      expect(lines[0]).toBe(HEADER);
      expect(lines.some((line) => line.startsWith('"\'=cmd|""a"",b@acme.com",member,no,no,'))).toBe(true);
      expect(lines.some((line) => line.startsWith('"\'+one@acme.com",member,no,no,google-oauth2,'))).toBe(true);
      expect(lines.at(-1)).toBe("");
      expect(stdout.replaceAll("\r\n", "")).not.toContain("\n");
    });

    it("needs no configuration, and asks for one of several organizations", async () => {
      const space = await acme({
        seed: { ...SEED, organizations: [...SEED.organizations, { id: OTHER, name: "Other" }] },
      });
      expect((await space.run(["access", "--format", "json"])).code).toBe(10);
      const { document } = await review(space, "--organization", "Acme Inc");
      expect(document.organization).toEqual({ id: ORGANIZATION, name: "Acme Inc" });
      expect(document.configured).toBe(false);
      expect(new Set(document.people.map(({ declared_in: file }) => file))).toEqual(new Set(["unknown"]));
      const html = await space.run(["access", "--organization", "Acme Inc", "--format", "html"]);
      expect(html.stdout).not.toContain("not declared");
      expect((await review(space, "--organization", OTHER)).document.organization.name).toBe("Other");
      await space.configure(CONFIG);
      expect((await review(space, "--organization", "acme")).of("zoe@acme.com")?.declared_in).toBe("driftline.yaml");
      expect((await space.run(["access", "--organization", "nobody"])).code).toBe(1);
    });

    it("says what a file declares otherwise", async () => {
      const space = await acme();
      const people = {
        "zoe@acme.com": { level: "admin" },
        "ada@acme.com": { lifecycle: { state: "absent" } },
        "bob@other.example": { level: "admin", lifecycle: { forget: true } },
        "new@acme.com": { level: "member" },
      };
      await mkdir(join(space.folder, "people"));
      const config = { driftline: 1, organizations: { acme: { id: ORGANIZATION, memberships: people } } };
      await space.configure(config, "people/all.yaml");
      const { code, of } = await review(space);
      expect(code).toBe(0);
      expect(of("zoe@acme.com")?.declared_in).toBe("people/all.yaml (as admin)");
      expect(of("ada@acme.com")?.declared_in).toBe("people/all.yaml (absent)");
      expect(of("bob@other.example")?.declared_in).toBeNull();
      expect(of("new@acme.com")).toMatchObject({ declared_in: "people/all.yaml (as member)", level: "admin" });
    });

    it("takes no remark for a time", async () => {
      const members = [
        { email: "zoe@acme.com", joined_at: "2026-01-01 (approved)", updated_at: "2026-01-01T00:00:00+01:00" },
      ];
      const space = await acme({ seed: { organizations: SEED.organizations.map((one) => ({ ...one, members })) } });
      const { of } = await review(space);
      expect(of("zoe@acme.com")).toMatchObject({ joined: "unknown", last_changed: "2026-01-01T00:00:00+01:00" });
    });

    it("warns of a file that it does not read", async () => {
      const space = await acme();
      await space.configure(CONFIG);
      await space.configure(CONFIG, "more.yaml");
      const { document } = await review(space);
      expect(document.diagnostics).toMatchObject([{ severity: "warning", code: "file_not_read" }]);
    });

    it("says what could not be read, and never that there is none", async () => {
      const space = await acme();
      await space.configure(CONFIG);
      space.emulator.faults.add({ path: "/invites/", fault: { type: "status", status: 403 } });
      space.emulator.faults.add({ path: "/domains/", fault: { type: "status", status: 403 } });
      const { code, of, document } = await review(space, "--since", "30d");
      expect(code).toBe(11);
      expect(of("zoe@acme.com")).toMatchObject({
        invite: "unknown",
        enforced_by_domain: "unknown",
        second_factor: "yes",
        changed: "unknown",
      });
      expect(document.diagnostics.length).toBeGreaterThan(0);
      space.emulator.faults.add({ path: "/members/", fault: { type: "status", status: 403 } });
      const { code: none, stdout } = await space.run(["access", "--format", "json"]);
      expect(none).toBe(11);
      expect(JSON.parse(stdout)).toMatchObject({ type: "driftline.diagnostics" });
    });

    it("fits a terminal of 80 columns, and is one HTML file", async () => {
      const space = await acme();
      await space.configure(CONFIG);
      const { stdout } = await space.run(["access", "--since", "30d"], { runtime: { columns: 80 } });
      expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
      const { stdout: html } = await space.run(["access", "--format", "html"]);
      expect(html).toMatch(/^<!doctype html>/u);
      expect(html).toContain("<td><code>zoe@acme.com</code></td><td>owner</td>");
    });
  },
  ALL_DIALECTS,
);

const SEEDED = new Set(["zoe@acme.com", "ada@acme.com", "bob@other.example", "new@acme.com", "old@acme.com"]);

describeDialects("access in a repository", () => {
  it("names the commit of a declaration", async () => {
    const space = await acme();
    await space.configure(CONFIG);
    const git = repository(space);
    const first = git("rev-parse", "HEAD").slice(0, 10);
    await space.configure(
      CONFIG.replace(
        "ADA@acme.com: { level: admin }",
        "bob@other.example: { level: member }\n      ada@acme.com: { level: admin }",
      ),
    );
    const { of } = await review(space);
    expect(of("zoe@acme.com")?.since_commit).toBe(first);
    expect(of("ada@acme.com")?.since_commit).toBe("not committed");
    expect(of("bob@other.example")?.since_commit).toBe("not committed");
    expect(of("new@acme.com")?.since_commit).toBeNull();
    await space.configure(CONFIG.replace(/.*zoe@acme.*\n/u, ""));
    git("commit", "--quiet", "--all", "--message", "zoe leaves");
    const second = git("rev-parse", "HEAD").slice(0, 10);
    expect((await review(space)).of("zoe@acme.com")).toMatchObject({ declared_in: null, since_commit: second });
    expect((await space.run(["access"])).stdout).toContain(`taken out of the files (commit ${second})`);
    // A file that was not given may declare her.
    await mkdir(join(space.folder, "people"));
    await space.configure(CONFIG, "people/all.yaml");
    const { document, of: partly } = await review(space, "driftline.yaml");
    expect(partly("zoe@acme.com")?.since_commit).toBeNull();
    expect(document.diagnostics.map(({ code }) => code)).toContain("history_cut");
  });

  it("names the commit that changed more than blanks", async () => {
    const space = await acme();
    await space.configure(CONFIG);
    const git = repository(space);
    const first = git("rev-parse", "HEAD").slice(0, 10);
    const formatted = CONFIG.replaceAll("{ level", "{  level").replace("owner }", "admin }");
    await space.configure(formatted);
    git("commit", "--quiet", "--all", "--message", "format, and zoe is an admin");
    const second = git("rev-parse", "HEAD").slice(0, 10);
    await space.configure(formatted.replaceAll("}", " }"));
    const { of } = await review(space);
    expect([of("zoe@acme.com")?.since_commit, of("ada@acme.com")?.since_commit]).toEqual([second, first]);
  });

  it("knows no commit in a shallow clone", async () => {
    const space = await acme();
    await space.configure(CONFIG);
    const git = repository(space);
    git("commit", "--quiet", "--allow-empty", "--message", "second");
    const clone = join(space.folder, "clone");
    git("clone", "--quiet", "--depth=1", `file://${space.folder}`, clone);
    const { stdout } = await space.run(["access", "--format", "csv", "clone"]);
    expect(stdout).toContain("clone/driftline.yaml,unknown,");
  });

  it("runs no program that the repository configures", async () => {
    const space = await acme();
    await space.configure(CONFIG);
    const git = repository(space);
    const ran = join(space.folder, "ran");
    await mkdir(join(space.folder, "hooks"));
    await writeFile(join(space.folder, ".gitattributes"), "* diff=evil filter=evil\n");
    const program = `touch ${ran}; cat`;
    for (const [key, value] of [
      ["core.fsmonitor", program],
      ["core.pager", program],
      ["diff.evil.textconv", program],
      ["filter.evil.clean", program],
      ["filter.evil.smudge", program],
      ["diff.external", program],
      ["gpg.program", program],
      ["log.showSignature", "true"],
    ] as const)
      git("config", key, value);
    const { of } = await review(space);
    expect(of("zoe@acme.com")?.since_commit).toMatch(/^[0-9a-f]{10}$/u);
    await expect(readFile(ran)).rejects.toThrow("ENOENT");
  });
});
