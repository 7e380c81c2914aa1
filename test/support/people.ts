/** People of an organization, declared and live, and the e-mails that they get. */
import { expect } from "vitest";
import type { EmulatorOptions, LoggedRequest, StoredObject } from "../../src/emulator/index.ts";
import type { Change } from "../../src/model/change.ts";
import { planOf, type CliResult } from "./cli.ts";
import { ACME } from "./acme.ts";
import { workspace, type Workspace } from "./workspace.ts";

export const SELF = "owner@example.com";
export const OLD = "2020-01-01T00:00:00Z";

export interface Acme {
  readonly members?: readonly object[];
  readonly invites?: readonly object[];
}

export const member = (email: string, level = 1): object => ({ email, level });
export const invite = (target_email: string, more: object = {}): object => ({ target_email, ...more });

export async function acme(
  live: Acme,
  declared: object,
  more: { readonly options?: EmulatorOptions; readonly service?: object } = {},
): Promise<Workspace> {
  const seed = { organizations: [{ id: ACME, name: "Acme Inc", ...live }] } as EmulatorOptions["seed"];
  const space = await workspace({ seed, ...more.options });
  await space.configure(config(declared, more.service));
  return space;
}

export function config(declared: object, service: object = { self: SELF }): object {
  return { driftline: 1, service, organizations: { acme: { id: ACME, ...declared } } };
}

export const memberships = (byEmail: Readonly<Record<string, object>>): object => ({ memberships: byEmail });

export function peopleOf({ emulator }: Workspace): {
  readonly members: Readonly<Record<string, unknown>>;
  readonly invites: readonly string[];
} {
  const emailOf = (one: StoredObject): string => (one["user"] as { readonly email: string }).email;
  return {
    members: Object.fromEntries(emulator.find("member").map((one) => [emailOf(one), one["level"]])),
    invites: emulator
      .find("invite")
      .map((one) => `${String(one["target_email"])} ${String(one["level"])}`)
      .toSorted(),
  };
}

/** The number of sent e-mails. */
export function mails({ emulator }: Workspace): number {
  const isQuiet = (body: LoggedRequest["body"]): boolean => JSON.stringify(body).includes('"send_email":false');
  return emulator.requests.filter(
    ({ method, path, body }) => method === "POST" && path.includes("/invites") && !isQuiet(body),
  ).length;
}

export function writes({ emulator }: Workspace): readonly string[] {
  return emulator.requests
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => `${method} ${path.split("/")[4] ?? ""}`);
}

export function changesOf(result: CliResult): readonly Omit<Change, "work">[] {
  return planOf(result).changes.filter(({ kind }) => kind !== "organization");
}

/** @param drift exit code of the drift: 2 if there is a difference that apply leaves alone */
export async function expectAtRest(space: Workspace, drift = 0): Promise<void> {
  const before = mails(space);
  expect((await space.drift()).code).toBe(drift);
  await space.apply();
  expect(mails(space)).toBe(before);
}
