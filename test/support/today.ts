/** An organization on today's service, and what a plan of it says. */
import type { EmulatorOptions, LoggedRequest } from "../../src/emulator/index.ts";
import type { Blocked } from "../../src/model/change.ts";
import type { PlanDocument } from "../../src/model/plan.ts";
import { workspace, type Workspace } from "./workspace.ts";

export const ACME = "0190aa11-0000-4000-8000-00000000000a";
export const VERIFIED = { is_verified: true, verified_at: "2026-01-01T00:00:00Z" };

/** A workspace on today's service that declares the organization. */
export async function today(declared: object, options: EmulatorOptions = {}): Promise<Workspace> {
  const space = await workspace({ dialect: "current", ...options });
  await space.configure(acme(declared));
  return space;
}

export const acme = (declared: object): object => ({
  driftline: 1,
  organizations: { acme: { name: "Acme Inc", ...declared } },
});

/** Adds verified domains. */
export function verify({ emulator }: Workspace, ...names: readonly string[]): void {
  for (const domain of names) emulator.insert("domain", { organization: ACME }, { domain, ...VERIFIED });
}

export const writes = ({ emulator }: Workspace): readonly LoggedRequest[] =>
  emulator.requests.filter(({ method }) => method !== "GET");

export const reads = ({ emulator }: Workspace, path: string): readonly LoggedRequest[] =>
  emulator.requests.filter((one) => one.path === path);

export const codes = ({ diagnostics }: Pick<PlanDocument, "diagnostics">): readonly string[] =>
  diagnostics.map(({ code }) => code);

export const changed = ({ changes }: Pick<PlanDocument, "changes">): PlanDocument["changes"] =>
  changes.filter(({ action }) => action !== "no_op");

export const blocks = ({ changes }: Pick<PlanDocument, "changes">): readonly Blocked[] =>
  changes.flatMap(({ blocked }) => blocked ?? []);
