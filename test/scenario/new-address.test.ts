/** People who have another e-mail address than the one that is declared. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { applyJson, changeOf, config, outcomeOf, planJson, seedOf, stored, writes } from "../support/acme.ts";
import { ALL_DIALECTS, describeDialects } from "../support/dialects.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const OLD = "acme/memberships/ada@acme.com";
const SELF = "key@acme.com";

/** The live people beside the key's own user, and what is declared. */
async function people(members: readonly object[], declared: object): Promise<Workspace> {
  const space = await workspace({ seed: seedOf({ members }) });
  const [self] = space.emulator.find("member", ({ level }) => level === 15);
  const { email = SELF } = (self?.["user"] ?? {}) as { email?: string };
  await space.configure({
    ...config({ exclusive: ["memberships"], ...declared, members: { [email]: { level: "owner" } } }),
    service: { self: email },
  });
  return space;
}

describeDialects(
  "a person with a new e-mail address",
  () => {
    const memberships = { memberships: { "ada@acme.com": { level: "admin", lifecycle: { protect: true } } } };

    it("is neither removed nor invited again: both changes are blocked, and name each other", async () => {
      const space = await people([{ email: "ada@acme.io", level: 8 }], memberships);
      const planned = await planJson(space, "--prune");
      expect(planned.code).toBe(13);
      const removal = JSON.stringify(changeOf(planned, OLD).blocked).match(/acme\/memberships\/id=[^)]+/u)?.[0] ?? "";
      expect(changeOf(planned, OLD).blocked).toMatchObject({ rule: "forgotten_rename" });
      expect(changeOf(planned, removal).blocked).toMatchObject({ rule: "forgotten_rename" });
      expect(JSON.stringify(changeOf(planned, removal).blocked)).toContain("ada@acme.com");
      expect((await applyJson(space, "--prune")).code).toBe(13);
      expect(writes(space)).toEqual([]);
    });

    it("gets that one into the file with accept, and everything else of the declaration stays", async () => {
      const space = await people([{ email: "ada@acme.io", level: 8 }], memberships);
      expect(await space.run(["drift", "--accept", "--yes", "--only", OLD])).toMatchObject({ code: 0 });
      const text = await readFile(join(space.folder, "driftline.yaml"), "utf8");
      expect(text).toContain("ada@acme.io:");
      expect(text).toContain("protect: true");
      expect(text).not.toContain("ada@acme.com");
      expect((await planJson(space, "--prune", "--detailed-exitcode")).code).toBe(0);
    });

    it("is found by being the only one of a level, also where the run is limited to it", async () => {
      const space = await people([{ email: "countess@acme.io", level: 8 }], memberships);
      for (const args of [[], ["--prune"], ["--only", OLD]])
        expect(changeOf(await planJson(space, ...args), OLD).blocked?.rule).toBe("forgotten_rename");
      expect((await applyJson(space, "--only", OLD)).code).toBe(13);
      expect(writes(space)).toEqual([]);
      expect(await space.run(["drift", "--accept", "--yes", "--only", OLD])).toMatchObject({ code: 0 });
      expect(await readFile(join(space.folder, "driftline.yaml"), "utf8")).toContain("countess@acme.io:");
    });

    it("is another person if lifecycle.create says so", async () => {
      const declared = { memberships: { "ada@acme.com": { level: "admin", lifecycle: { create: true } } } };
      const space = await people([{ email: "ada@acme.io", level: 8 }], declared);
      const result = await applyJson(space, "--prune");
      expect(outcomeOf(result, OLD).status).toBe("applied");
      expect(stored(space, "invite", "target_email")).toEqual(["ada@acme.com"]);
    });

    it("is found for an invite, whose address is a field", async () => {
      const declared = { invites: { ada: { target_email: "ada@acme.com", level: "admin" } } };
      const space = await people([{ email: "ada@acme.io", level: 8 }], declared);
      expect(changeOf(await planJson(space, "--prune"), "acme/invites/ada").blocked?.rule).toBe("forgotten_rename");
      expect(await space.run(["drift", "--accept", "--yes"])).toMatchObject({ code: 0 });
      expect(await readFile(join(space.folder, "driftline.yaml"), "utf8")).toContain("target_email: ada@acme.io");
    });
  },
  ALL_DIALECTS,
);
