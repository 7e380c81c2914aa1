/** What a removal takes away is shown, and so is an undeclared object of an exclusive kind. */
import { expect, it } from "vitest";
import type { Change } from "../../src/model/change.ts";
import type { Emulator } from "../../src/emulator/index.ts";
import { applyJson, changeOf, one, outcomeOf, planJson, seedOf, web } from "../support/acme.ts";
import { planOf, type CliResult } from "../support/cli.ts";
import { ALL_DIALECTS, describeDialects } from "../support/dialects.ts";
import { acme, invite, member, memberships, SELF } from "../support/people.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const JOINED = "2024-05-06T07:08:09Z";
const eve = (number = ""): object => ({ ...member(`eve${number}@acme.com`, 15), joined_at: JOINED });
const exclusive = { exclusive: ["memberships"], ...memberships({ [SELF]: { level: "owner" } }) };

const people = async (...members: readonly object[]): Promise<Workspace> =>
  await acme({ members: [member(SELF, 15), ...members] }, exclusive);

/** The first removal. */
function removedIn(result: CliResult): Omit<Change, "work"> {
  const found = planOf(result).changes.find(({ action }) => action === "delete");
  return changeOf(result, found?.address ?? "");
}

const hashOf = async (space: Workspace): Promise<string> => planOf(await planJson(space, "--prune")).hash;

/** A report as people read it: Markdown escapes the sign, and a page may break an address after it. */
const readable = (text: string): string => text.replaceAll("&#64;", "@").replaceAll("<wbr>", "");

/** Sets fields of a member that the service shows. */
function edit({ emulator }: Workspace, email: string, values: Parameters<Emulator["edit"]>[2]): void {
  const isMeant = (row: object): boolean => JSON.stringify(row).includes(email);
  emulator.edit("member", String(one(emulator.find("member", isMeant))["id"]), values);
}

describeDialects(
  "what a removal takes away",
  () => {
    it("is the level of a person, with second factor and joining date", async () => {
      const space = await people(eve());
      const change = removedIn(await planJson(space, "--prune"));
      const removes = [
        { path: "/level", value: 15 },
        { path: "/joined_at", value: expect.stringContaining("2024-05-06T07:08:09") as string },
        { path: "/is_2fa_enabled", value: false },
      ];
      expect(change).toMatchObject({ name: "eve@acme.com", fields: [], removes });
      expect(removedIn(await space.run(["drift", "--format", "json"]))).toMatchObject({ removes });
      const applied = await applyJson(space, "--prune");
      expect(outcomeOf(applied, change.address)).toMatchObject({ status: "applied", removes });
    });

    it.each([
      ["an open invite", {}, "not yet accepted"],
      ["an expired invite", { is_expired: true }, "expired"],
    ])("is the level of %s, which is called so", async (_name, more, word) => {
      const space = await acme({ invites: [invite("ann@acme.com", { level: 15, ...more })] }, exclusive);
      const { removes, reason } = removedIn(await planJson(space, "--prune"));
      expect(removes).toContainEqual({ path: "/level", value: 15 });
      expect(reason).toContain(word);
    });

    it.each(["text", "markdown", "html"])("is in %s, also of many, and people have their e-mail", async (format) => {
      const space = await people(...["1", "2", "3", "4"].map(eve));
      edit(space, "eve3@acme.com", { level: 1 });
      for (const verb of ["plan", "drift"]) {
        const { stdout } = await space.run([verb, "--format", format]);
        const text = readable(stdout);
        for (const number of ["1", "2", "3", "4"]) expect(text).toContain(`eve${number}@acme.com`);
        expect(text.match(/OWNER/gu)).toHaveLength(3);
        expect(text.match(/second factor/gu)).toHaveLength(4);
        expect(text.match(/eve\d@acme/gu)?.at(-1)).toBe("eve3@acme");
      }
      const applied = await space.run([
        "apply",
        "--prune",
        "--yes",
        "--format",
        format,
        "--approve",
        await hashOf(space),
      ]);
      expect(applied.code).toBe(0);
      expect(readable(applied.stdout)).toContain("eve4@acme.com");
      if (format !== "text") expect(applied.stderr).toMatch(/\] - acme\S*eve4@acme.com deleted \(OWNER, /u);
    });

    it("names people in JSON lines of progress, and in what was not done", async () => {
      const space = await people(eve());
      space.emulator.faults.add({ method: "DELETE", path: "/members", fault: { type: "status", status: 403 } });
      const { stdout, stderr } = await space.run([
        "apply",
        "--prune",
        "--yes",
        "--approve",
        await hashOf(space),
        "--progress",
        "json",
      ]);
      expect(stderr).toContain('"name":"eve@acme.com"');
      expect(stdout).toContain("/eve@acme.com");
    });

    it("counts for the hash if it can be declared: a changed level voids an approval", async () => {
      const space = await people(...["1", "2", "3", "4", "5", "6"].map(eve));
      const shown = await hashOf(space);
      edit(space, "eve1@acme.com", { is_2fa_enabled: true });
      expect(await hashOf(space)).toBe(shown);
      edit(space, "eve1@acme.com", { level: 8 });
      expect(await hashOf(space)).not.toBe(shown);
      expect((await space.run(["apply", "--prune", "--yes", "--approve", shown])).code).toBe(13);
      expect(space.emulator.find("member")).toHaveLength(7);
    });

    it("is compared with a saved plan", async () => {
      const space = await people(eve());
      await space.run(["plan", "--prune", "--out", "plan.json"]);
      edit(space, "eve@acme.com", { is_2fa_enabled: true, level: 8 });
      const { code, stderr } = await space.run(["apply", "--plan", "plan.json", "--yes"]);
      expect(code).toBe(12);
      expect(stderr).toContain("level");
    });

    it("is what an export would write of other objects, without secrets", async () => {
      const destination = {
        type: "S3",
        config: {
          bucket_name: "b",
          region: "eu-west-1",
          prefix: "p",
          aws_access_key_id: "AKIDPLAIN",
          aws_secret_access_key: "PLAINSECRET",
        },
      };
      const exported = { name: "Nightly", model: "events", interval: "day", destination, paused: true };
      const space = await workspace({ seed: seedOf({}, { batch_exports: [exported] }) });
      await space.configure(web({ exclusive: ["batch_exports"] }));
      const planned = await planJson(space, "--prune");
      expect(removedIn(planned).removes).toContainEqual({ path: "/interval", value: "day" });
      expect(planned.stdout).not.toContain("PLAIN");
    });
  },
  ALL_DIALECTS,
);
