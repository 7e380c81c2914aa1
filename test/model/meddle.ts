/** Changes that other users make to the service. */
import type { BareEmulator } from "../../src/emulator/emulator.ts";
import type { EmulatedKind, StoredObject } from "../../src/emulator/index.ts";
import { ACME } from "../soak/resources.ts";
import { SLOTS } from "./slots.ts";
import type { Meddling } from "./steps.ts";

/** Undeclared objects. Their names do not belong to a slot. */
const STRANGERS: readonly (readonly [EmulatedKind, object, (n: number) => Readonly<Record<string, string>>])[] = [
  ["domain", { organization: ACME }, (n) => ({ domain: `x${String(n)}.example.com` })],
  ["pipeline_destination", { organization: ACME }, (n) => ({ name: `X${String(n)}`, plugin_type: "source" })],
  ["insight", { project: 2 }, (n) => ({ name: `X${String(n)}`, description: "d1" })],
  ["batch_export", { project: 2 }, (n) => ({ name: `X${String(n)}`, interval: "day" })],
  ["invite", { organization: ACME }, (n) => ({ target_email: `x${String(n)}@example.com` })],
];

/** Makes the change if there is an object for it. */
export function meddle(emulator: BareEmulator, { type, index }: Meddling): void {
  const pick = <T>(items: readonly T[]): T | undefined => items[index % Math.max(1, items.length)];
  if (type === "insert") return insert(emulator, index);
  if (type === "accept" || type === "expire") {
    const invite = pick(emulator.find("invite"));
    if (invite === undefined) return;
    if (type === "accept") emulator.acceptInvite(String(invite.id));
    else emulator.expireInvite(String(invite.id));
    return;
  }
  if (type === "soft-delete") {
    const insight = pick(emulator.find("insight"));
    if (insight !== undefined) emulator.edit("insight", insight.id, { deleted: true });
    return;
  }
  const found = pick(ofSlots(emulator));
  if (found === undefined) return;
  const { kind, object, field } = found;
  if (type === "remove" && kind !== "organization" && kind !== "member") emulator.remove(kind, object.id);
  if (type === "change" && field !== undefined) emulator.edit(kind, object.id, { [field]: otherThan(object[field]) });
}

function insert(emulator: BareEmulator, index: number): void {
  const [kind, scope, values] = STRANGERS[index % STRANGERS.length] ?? [];
  if (kind === undefined || values === undefined) return;
  emulator.insert(kind, scope as never, values(emulator.find(kind).length));
}

function ofSlots(emulator: BareEmulator) {
  return SLOTS.flatMap(({ stored, is, field }) =>
    stored.flatMap((kind) => emulator.find(kind, is).map((object) => ({ kind, object, field }))),
  );
}

function otherThan(value: StoredObject[string]): boolean | string {
  return typeof value === "boolean" ? !value : value === "day" ? "hour" : "day";
}
