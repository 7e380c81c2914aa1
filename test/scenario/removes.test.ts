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

    it("is the level of an invite", async () => {
      const space = await acme({ invites: [invite("ann@acme.com", { level: 15 })] }, exclusive);
      const { removes, reason } = removedIn(await planJson(space, "--prune"));
      expect(removes).toEqual([{ path: "/level", value: 15 }]);
      expect(reason).toContain("invite");
    });

    it("counts for the hash if it can be declared: a changed level voids an approval", async () => {
      const space = await people(...["1", "2", "3", "4", "5", "6"].map(eve));
      const hash = async (): Promise<string> => planOf(await planJson(space, "--prune")).hash;
      const shown = await hash();
      edit(space, "eve1@acme.com", { is_2fa_enabled: true });
      expect(await hash()).toBe(shown);
      edit(space, "eve1@acme.com", { level: 8 });
      expect(await hash()).not.toBe(shown);
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
