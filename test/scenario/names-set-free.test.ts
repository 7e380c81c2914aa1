/** Names that only one object of a service can have, and that another change sets free. */
import { expect, it } from "vitest";
import { applyJson, changeOf, config, planJson, seedOf, stored, VERIFIED, writes } from "../support/acme.ts";
import { ALL_DIALECTS, describeDialects } from "../support/dialects.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const A = "0190aa11-0000-4000-8000-0000000000a1";
const B = "0190aa11-0000-4000-8000-0000000000b2";

const pairOf = (b: object = {}, others: readonly object[] = []): Promise<Workspace> =>
  workspace({ seed: seedOf({ domains: [{ id: A, domain: "a.com" }, { id: B, domain: "b.com", ...b }, ...others] }) });
const a = { id: A, domain: "b.com" };
const gone = { lifecycle: { state: "absent" } };
const methods = (space: Workspace): readonly string[] => writes(space).map((line) => line.split(" ", 1)[0] ?? "");

describeDialects(
  "a name that another change sets free",
  (dialect) => {
    const isKept = dialect !== "current";

    it("is removed right before the write that takes it, after all others", async () => {
      const space = await pairOf();
      await space.configure(config({ domains: { a, b: { id: B, ...gone }, c: { domain: "c.com" } } }));
      const result = await applyJson(space);
      expect(result.code).toBe(0);
      expect(methods(space)).toEqual(isKept ? ["POST", "DELETE", "PATCH"] : ["POST", "DELETE", "POST", "DELETE"]);
      expect(stored(space, "domain", "domain")).toEqual(["b.com", "c.com"]);
    });

    it("is not removed if another create failed", async () => {
      const space = await pairOf();
      await space.configure(config({ domains: { a, b: { id: B, ...gone }, c: { domain: "c.com" } } }));
      space.emulator.faults.add({ method: "POST", fault: { type: "status", status: 403 } });
      expect((await applyJson(space)).code).not.toBe(0);
      expect(stored(space, "domain", "domain")).toEqual(["a.com", "b.com"]);
    });

    it("goes from the end of a row", async () => {
      const space = await pairOf();
      await space.configure(config({ domains: { a, b: { id: B, domain: "c.com" }, n: { domain: "a.com" } } }));
      expect((await applyJson(space)).code).toBe(0);
      expect(stored(space, "domain", "domain")).toEqual(["a.com", "b.com", "c.com"]);
    });

    it("stays with its holder in a swap, which is blocked and names the holder", async () => {
      const space = await pairOf();
      await space.configure(config({ domains: { a, b: { id: B, domain: "a.com" } } }));
      const planned = await planJson(space);
      expect(planned.code).toBe(13);
      expect(changeOf(planned, "acme/domains/a").blocked?.rule).toBe("service_refuses");
      expect(JSON.stringify(changeOf(planned, "acme/domains/a").blocked)).toContain("acme/domains/b");
      expect(JSON.stringify(changeOf(planned, "acme/domains/b").blocked)).toContain("acme/domains/a");
      await applyJson(space);
      expect(writes(space)).toEqual([]);
    });

    it("stays with a holder that nothing removes", async () => {
      const space = await pairOf({}, [{ domain: "z.com" }]);
      await space.configure(config({ exclusive: ["domains"], domains: { a, z: { domain: "z.com" } } }));
      expect(JSON.stringify(changeOf(await planJson(space), "acme/domains/a").blocked)).toContain(B);
      await applyJson(space);
      expect(writes(space)).toEqual([]);
      expect((await applyJson(space, "--prune")).code).toBe(0);
      expect(methods(space)).toEqual(isKept ? ["DELETE", "PATCH"] : ["DELETE", "POST", "DELETE"]);
      expect(stored(space, "domain", "domain")).toEqual(["b.com", "z.com"]);
    });

    it("stays with an undeclared holder that a rule keeps, or whose removal is not allowed yet", async () => {
      const space = await pairOf({ ...VERIFIED, sso_enforcement: "github" }, [{ domain: "z.com" }]);
      await space.configure(config({ exclusive: ["domains"], domains: { a, z: { domain: "z.com" } } }));
      const holder = `acme/domains/id=${B}`;
      const planned = await planJson(space, "--prune");
      for (const address of ["acme/domains/a", holder])
        expect(changeOf(planned, address).blocked?.rule).toBe("lock_out");
      await applyJson(space, "--prune");
      expect(writes(space)).toEqual([]);
      const allowed = ["--allow-loss", "acme/domains/a", "--allow-loss", holder];
      expect((await applyJson(space, "--prune", ...allowed)).code).toBe(0);
      expect(stored(space, "domain", "domain")).toEqual(["b.com", "z.com"]);
    });

    it("locks people out if they sign in with the removed one, so both changes wait for a word", async () => {
      const space = await pairOf({ ...VERIFIED, sso_enforcement: "github" });
      await space.configure(config({ domains: { a, b: { id: B, ...gone } } }));
      const planned = await planJson(space);
      for (const key of ["a", "b"]) expect(changeOf(planned, `acme/domains/${key}`).blocked?.rule).toBe("lock_out");
      await applyJson(space);
      expect(writes(space)).toEqual([]);
      const allowed = ["--allow-loss", "acme/domains/a", "--allow-loss", "acme/domains/b"];
      expect((await applyJson(space, ...allowed)).code).toBe(0);
      expect(stored(space, "domain", "domain")).toEqual(["b.com"]);
    });
  },
  ALL_DIALECTS,
);
