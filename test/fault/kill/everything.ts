/** Every change of every kind, in one configuration. */
import type { Dialect, Seed } from "../../../src/emulator/index.ts";
import { CAPABILITIES, VERIFIED } from "../../support/acme.ts";
import { ACME, configOf } from "../support.ts";

const ABSENT = { lifecycle: { state: "absent" } };
const NOTHING = { type: "NoOp", config: {} };
const HTTP = { type: "HTTP", config: { url: "https://events.example.com", token: "t" } };
const OLD = "2020-01-01T00:00:00Z";
const invite = (name: string, more: object = {}): object => ({ target_email: `${name}@acme.com`, ...more });
const app = (name: string, more: object = {}): object => ({ name, plugin_type: "source", ...more });
const groups = (of: (group: string, capabilities: object) => object): object =>
  Object.fromEntries(Object.entries(CAPABILITIES).map(([group, capabilities]) => [group, of(group, capabilities)]));

/** Writes of the organization's route are refused by deployed servers, except deletes, pause and unpause. */
const ownExports = (dialect: Dialect): object => ({
  ...(dialect === "document" && {
    made: { name: "Own made", interval: "hour", destination: NOTHING, lifecycle: { create: true } },
    changed: { name: "Own changed", interval: "day", destination: NOTHING },
  }),
  paused: { name: "Own paused", interval: "hour", destination: NOTHING, paused: true },
  gone: { name: "Own gone", ...ABSENT },
});

const web = {
  id: "2",
  batch_exports: {
    made: { name: "Made", interval: "hour", destination: NOTHING, lifecycle: { create: true } },
    changed: { name: "Changed", interval: "day", destination: NOTHING, paused: true },
    replaced: { name: "Replaced", interval: "hour", destination: HTTP },
    gone: { name: "Gone", ...ABSENT },
  },
  insights: {
    made: { name: "Made", description: "made" },
    changed: { name: "Changed", description: "new" },
    restored: { id: 9, name: "Restored" },
    gone: { name: "Gone", ...ABSENT },
  },
};

export const everything = (dialect: Dialect): object =>
  configOf({
    beta: { name: "Beta", lifecycle: { create: true }, domains: { b: { domain: "beta.com" } } },
    gone: { name: "Gone Inc", ...ABSENT },
    acme: {
      id: ACME,
      enforce_2fa: true,
      domains: {
        made: { domain: "made.com" },
        changed: { domain: "changed.com", jit_provisioning_enabled: true },
        gone: { domain: "gone.com", ...ABSENT },
      },
      invites: {
        made: invite("made", { level: "admin" }),
        replaced: invite("replaced", { level: "admin" }),
        renewed: invite("renewed", { level: "member", lifecycle: { renew: true } }),
        gone: invite("gone", ABSENT),
      },
      members: { "ada@acme.com": { level: "member" }, "lea@acme.com": ABSENT },
      memberships: {
        "eve@acme.com": { level: "admin" },
        "ike@acme.com": { level: "admin" },
        "bob@acme.com": { level: "admin" },
        "max@acme.com": ABSENT,
      },
      batch_exports: ownExports(dialect),
      ...groups((group, capabilities) => ({
        made: app(`Made ${group}`, { capabilities }),
        changed: app(`Changed ${group}`, { description: "new" }),
        gone: { ...app(`Gone ${group}`), ...ABSENT },
      })),
      projects: { web, shop: { name: "Shop", insights: { made: { name: "Made" } } } },
    },
  });

const exported = (names: readonly string[]): object[] =>
  names.map((name) => ({ name, interval: "hour", destination: NOTHING }));

export const SEED_OF_EVERYTHING = {
  organizations: [
    {
      id: ACME,
      name: "Acme Inc",
      members: [
        { email: "ada@acme.com", level: 8 },
        ...["bob", "lea", "max"].map((name) => ({ email: `${name}@acme.com`, level: 1 })),
      ],
      domains: [{ domain: "changed.com", ...VERIFIED }, { domain: "gone.com" }],
      invites: [
        ...["replaced", "gone", "ike"].map((name) => invite(name, { level: 1 })),
        invite("renewed", { level: 1, created_at: OLD }),
      ],
      batch_exports: exported(["Own changed", "Own paused", "Own gone"]),
      ...groups((group, capabilities) =>
        ["Changed", "Gone"].map((name) => app(`${name} ${group}`, { description: "old", capabilities })),
      ),
      projects: [
        {
          id: 2,
          name: "Web",
          insights: [
            { name: "Changed", description: "old" },
            { name: "Gone" },
            { id: 9, name: "Restored", deleted: true },
          ],
          batch_exports: exported(["Changed", "Replaced", "Gone"]),
        },
        { id: 3, name: "Shop" },
      ],
    },
    { name: "Gone Inc" },
  ],
} as unknown as Seed;
