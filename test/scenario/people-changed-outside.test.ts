/**
 * Changes in the web interface to declared people: another e-mail address, another level, or removal.
 * People are found by their address alone, so another address is another person. No person is ever invited twice.
 */
import { expect, it } from "vitest";
import type { Dialect, Emulator, StoredObject } from "../../src/emulator/index.ts";
import { ACME, applyJson, changeOf, planJson } from "../support/acme.ts";
import { describeDialects } from "../support/dialects.ts";
import { mails } from "../support/people.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const EVE = "eve@acme.com";
const OTHER = "eve@new.example";

/** The declaration of a person, and the live people. */
interface Way {
  readonly declared: (id: string | undefined) => object;
  readonly address: string;
  readonly seed: object;
}

const asMember = { members: [{ email: EVE, level: 8 }] };
const asInvited = { invites: [{ target_email: EVE, level: 8 }] };
const invite = (id: string | undefined): object => ({
  invites: { eve: { ...(id === undefined ? {} : { id }), target_email: EVE, level: "admin" } },
});
const membership = (): object => ({ memberships: { [EVE]: { level: "admin" } } });

const WAYS: Readonly<Record<string, Way>> = {
  member: {
    declared: () => ({ members: { [EVE]: { level: "admin" } } }),
    address: `acme/members/${EVE}`,
    seed: asMember,
  },
  "membership who has joined": { declared: membership, address: `acme/memberships/${EVE}`, seed: asMember },
  "membership who is invited": { declared: membership, address: `acme/memberships/${EVE}`, seed: asInvited },
  "invite without a pin": { declared: () => invite(undefined), address: "acme/invites/eve", seed: asInvited },
  "invite with a pin": { declared: invite, address: "acme/invites/eve", seed: asInvited },
};

/** What happens to the person. An invite cannot be edited: it is withdrawn and sent anew. */
const EVENTS: Readonly<Record<string, (emulator: Emulator) => void>> = {
  "has another address": (emulator) => move(emulator, {}),
  "has another address and another level": (emulator) => move(emulator, { level: 1 }),
  "has another level": (emulator) => {
    for (const kind of ["member", "invite"] as const)
      for (const { id } of personsIn(emulator, kind)) emulator.edit(kind, String(id), { level: 1 });
  },
  "is out": (emulator) => {
    for (const kind of ["member", "invite"] as const)
      for (const { id } of personsIn(emulator, kind)) emulator.remove(kind, String(id));
  },
  "has joined": (emulator) => {
    for (const { id } of personsIn(emulator, "invite")) emulator.acceptInvite(String(id));
  },
};

function emailOf({ target_email, user }: StoredObject): unknown {
  return target_email ?? (user as { readonly email: string }).email;
}

function personsIn(emulator: Emulator, kind: "member" | "invite"): readonly StoredObject[] {
  return emulator.find(kind, (person) => emailOf(person) === EVE);
}

function move(emulator: Emulator, more: object): void {
  for (const { id, user } of personsIn(emulator, "member"))
    emulator.edit("member", String(id), { user: { ...(user as object), email: OTHER }, ...more });
  for (const { id } of personsIn(emulator, "invite"))
    emulator.edit("invite", String(id), { target_email: OTHER, ...more });
}

async function applied({ declared, seed }: Way): Promise<Workspace> {
  const space = await workspace({ seed: { organizations: [{ id: ACME, name: "Acme Inc", ...seed }] } });
  const [invited] = space.emulator.find("invite");
  await space.configure({
    driftline: 1,
    service: { self: "owner@example.com" },
    organizations: { acme: { id: ACME, ...declared(invited === undefined ? undefined : String(invited.id)) } },
  });
  expect((await space.drift()).code).toBe(0);
  return space;
}

/** Exit codes of drift, plan and apply; the action; and the live people after two applies. */
interface Expected {
  readonly drift: number;
  readonly plan?: number;
  readonly apply?: number;
  readonly action: string;
  readonly mails?: number;
  /** The exit code of a drift after that: 2 if somebody is left who is an admin and not declared. */
  readonly left?: number;
  /** The dialect in which there are none. */
  readonly silentOn?: Dialect;
}

const LEFT_ALONE: Expected = { drift: 0, action: "no_op" };
const UPDATED: Expected = { drift: 2, action: "update" };
const INVITED: Expected = { drift: 2, action: "create", mails: 1 };
const INVITED_BESIDE: Expected = { ...INVITED, left: 2 };
const INVITED_ANEW: Expected = { drift: 2, action: "replace", mails: 1 };
/** A service that can be told so sends no e-mail for another level. */
const ANOTHER_LEVEL: Expected = { ...INVITED_ANEW, silentOn: "deployed" };
const BLOCKED: Expected = { drift: 2, plan: 13, apply: 13, action: "create" };

const EXPECTED: Readonly<Record<string, Readonly<Record<string, Expected>>>> = {
  member: {
    "has another address": BLOCKED,
    "has another address and another level": BLOCKED,
    "has another level": UPDATED,
    "is out": BLOCKED,
  },
  "membership who has joined": {
    "has another address": BLOCKED,
    "has another address and another level": INVITED,
    "has another level": UPDATED,
    "is out": INVITED,
  },
  "membership who is invited": {
    "has another address": INVITED_BESIDE,
    "has another address and another level": INVITED,
    "has another level": ANOTHER_LEVEL,
    "is out": INVITED,
    "has joined": LEFT_ALONE,
  },
  "invite without a pin": {
    "has another address": INVITED_BESIDE,
    "has another address and another level": INVITED,
    "has another level": ANOTHER_LEVEL,
    "is out": INVITED,
    "has joined": LEFT_ALONE,
  },
  "invite with a pin": {
    "has another address": INVITED_ANEW,
    "has another address and another level": INVITED_ANEW,
    "has another level": ANOTHER_LEVEL,
    "is out": BLOCKED,
    "has joined": LEFT_ALONE,
  },
};

const rows = Object.entries(EXPECTED).flatMap(([way, events]) =>
  Object.entries(events).map(([event, expected]) => [way, event, expected] as const),
);

describeDialects("somebody declared as a", (dialect) => {
  it.each(rows)(
    "%s %s",
    async (way, event, { drift, plan = 0, apply = 0, action, mails: most = 0, silentOn, left = 0 }) => {
      const sent = dialect === silentOn ? 0 : most;
      const { address } = WAYS[way] as Way;
      const space = await applied(WAYS[way] as Way);
      EVENTS[event]?.(space.emulator);
      expect((await space.drift()).code).toBe(drift);
      const planned = await planJson(space);
      expect([planned.code, changeOf(planned, address).action]).toEqual([plan, action]);
      expect((await applyJson(space)).code).toBe(apply);
      expect(mails(space)).toBe(sent);
      expect((await applyJson(space)).code).toBe(apply);
      expect(mails(space)).toBe(sent);
      expect(personsIn(space.emulator, "member").length + personsIn(space.emulator, "invite").length).toBe(
        apply === 0 ? 1 : 0,
      );
      if (apply !== 0) return;
      expect((await space.drift()).code).toBe(left);
    },
  );

  it("member who is out is settled by drift --accept with the address, and never removed by --yes alone", async () => {
    const space = await applied(WAYS["member"] as Way);
    EVENTS["is out"]?.(space.emulator);
    const accept = ["drift", "--accept", "--yes"];
    expect((await space.run(accept)).code).toBe(2);
    expect((await space.run([...accept, "--only", `acme/members/${EVE}`])).code).toBe(0);
    expect((await space.drift()).code).toBe(0);
  });

  it("member is unknown if the list of members cannot be read", async () => {
    const space = await applied(WAYS["member"] as Way);
    space.emulator.faults.add({ method: "GET", path: "/members/", fault: { type: "status", status: 500 } });
    expect((await space.drift()).code).toBe(1);
    const planned = await planJson(space);
    expect([planned.code, changeOf(planned, `acme/members/${EVE}`).action]).toEqual([1, "unknown"]);
  });

  it("invite with a pin that is out is invited again once with --recreate", async () => {
    const space = await applied(WAYS["invite with a pin"] as Way);
    EVENTS["is out"]?.(space.emulator);
    await space.apply(["--recreate", "acme/invites/eve"]);
    await space.apply();
    expect([mails(space), personsIn(space.emulator, "invite").length]).toEqual([1, 1]);
  });
});
