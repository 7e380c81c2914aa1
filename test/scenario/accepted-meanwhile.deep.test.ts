/** An invited person who accepts while apply runs: the people are read again, and the outcome says what happened. */
import { Agent, type Dispatcher } from "undici";
import { expect, it, onTestFinished } from "vitest";
import type { Outcome } from "../../src/model/outcome.ts";
import { ACME } from "../support/acme.ts";
import { outcomesOf, type CliResult } from "../support/cli.ts";
import { ALL_DIALECTS, describeDialects } from "../support/dialects.ts";
import { acme, config, invite, mails, memberships, peopleOf, SELF } from "../support/people.ts";
import type { Workspace } from "../support/workspace.ts";

const EVE = "eve@acme.com";

/** When the person becomes a member: right before the first such request, and for `GET` the first one after a create. */
type Moment = "POST" | "DELETE" | "GET";

/** The way to declare the person; `state` is absent where the person shall be out. */
const WAYS: Readonly<Record<string, (fields: object) => object>> = {
  membership: (fields) => memberships({ [EVE]: fields }),
  invite: (fields) => ({ invites: { eve: { target_email: EVE, ...fields } } }),
};
const ABSENT = { lifecycle: { state: "absent" } };

function join({ emulator }: Workspace, level: number): void {
  const [sent] = emulator.find("invite");
  if (sent === undefined) emulator.insert("member", { organization: ACME }, { email: EVE, level });
  else emulator.acceptInvite(String(sent.id));
}

/** A dispatcher that does something right before a request. */
function interrupted(moment: Moment, work: () => void): Dispatcher {
  const agent = new Agent();
  onTestFinished(() => agent.destroy());
  let isDone = false;
  let isCreated = false;
  return agent.compose((dispatch) => (options, handler) => {
    const isPeople = /\/(invites|members)\//u.test(options.path);
    if (!isDone && isPeople && options.method === moment && (moment !== "GET" || isCreated)) {
      isDone = true;
      work();
    }
    isCreated ||= options.method === "POST";
    return dispatch(options, handler);
  });
}

interface Run {
  readonly result: CliResult;
  readonly outcome: Outcome | undefined;
}

async function applyWhile(space: Workspace, moment: Moment, level: number, ...args: readonly string[]): Promise<Run> {
  const result = await space.run(["apply", "--yes", "--format", "json", ...args], {
    runtime: { dispatcher: interrupted(moment, () => join(space, level)) },
    leaves: "the person has joined",
  });
  const outcome = outcomesOf(result).changes.find(({ address }) => address !== "acme" && !address.endsWith(SELF));
  return { result, outcome };
}

const STALE = { status: "skipped", error: { code: "stale" } };

describeDialects(
  "a person who joins while apply runs, declared as",
  (dialect) => {
    it.each(Object.keys(WAYS))("%s, is as declared where the invite is refused", async (way) => {
      const space = await acme({}, WAYS[way]?.({ level: "admin" }) ?? {});
      const { result, outcome } = await applyWhile(space, "POST", 8);
      expect([result.code, outcome?.action, outcome?.status]).toEqual([0, "no_op", "unchanged"]);
      expect(outcome?.reason).toContain("member");
      expect((await space.drift()).code).toBe(0);
    });

    it("membership, has another level where the invite is refused: the next plan says so", async () => {
      const space = await acme({}, memberships({ [EVE]: { level: "admin" } }));
      const { result, outcome } = await applyWhile(space, "POST", 1);
      expect([result.code, outcome]).toMatchObject([12, STALE]);
      await space.apply();
      expect(peopleOf(space)).toMatchObject({ members: { [EVE]: 8 }, invites: [] });
    });

    it.each(Object.keys(WAYS))("%s, is not invited again where the invite was to be replaced", async (way) => {
      const space = await acme({ invites: [invite(EVE)] }, WAYS[way]?.({ level: "admin" }) ?? {});
      const { result, outcome } = await applyWhile(space, "DELETE", 1);
      expect([result.code, outcome]).toMatchObject([12, { action: "replace", ...STALE }]);
      expect(mails(space)).toBe(0);
      await space.apply();
      expect(peopleOf(space)).toMatchObject({ members: { [EVE]: way === "invite" ? 1 : 8 }, invites: [] });
    });

    it.each(Object.keys(WAYS))("%s, is not called removed where the invite was to go", async (way) => {
      const space = await acme({ invites: [invite(EVE)] }, WAYS[way]?.(ABSENT) ?? {});
      const { result, outcome } = await applyWhile(space, "DELETE", 1);
      expect([result.code, outcome]).toMatchObject([12, { action: "delete", ...STALE }]);
      expect(peopleOf(space)).toMatchObject({ members: { [EVE]: 1 } });
    });

    it("nothing, is not called pruned", async () => {
      const people = { exclusive: ["memberships"], memberships: { [SELF]: { level: "owner" } } };
      const space = await acme({ invites: [invite(EVE)] }, people);
      const { result, outcome } = await applyWhile(space, "DELETE", 1, "--prune");
      expect([result.code, outcome]).toMatchObject([12, { action: "delete", ...STALE }]);
      await space.configure(config(people));
      expect((await space.drift()).code).toBe(2);
    });

    it.each(Object.keys(WAYS))("%s, has accepted the invite of this run, not that of another one", async (way) => {
      const space = await acme({}, WAYS[way]?.({ level: "admin" }) ?? {});
      const { result, outcome } = await applyWhile(space, "GET", 8);
      expect([result.code, outcome?.action, outcome?.status]).toEqual([0, "create", "applied"]);
      expect(peopleOf(space)).toMatchObject({ members: { [EVE]: 8 }, invites: [] });
      expect(mails(space)).toBe(1);
      expect((await space.drift()).code, dialect).toBe(0);
    });
  },
  ALL_DIALECTS,
);
