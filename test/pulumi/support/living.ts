/** Programs of every kind's life, round by round, and what the service has and was sent after each. */
import { expect } from "vitest";
import type { Emulator } from "../../../src/emulator/index.ts";
import { isObject, type JsonObject } from "../../../src/emulator/json.ts";
import { pulumiProperties } from "../../../src/generated/pulumi.ts";
import { specimens } from "../../support/interface/index.ts";
import type { Specimen } from "../../support/interface/specimen.ts";
import { lives, type Life } from "./lives.ts";
import type { Program } from "./stack.ts";

export type Lives = readonly (readonly [string, Life])[];

export const all: Lives = Object.entries(lives);

/** The arguments after changes of the first `rounds` fields of a resource. */
function argsOf(life: Life, rounds: number): JsonObject {
  return { ...life.create, ...Object.fromEntries(Object.entries(life.changes).slice(0, rounds)) };
}

export function programOf(
  rounds: number,
  more: Readonly<Record<string, JsonObject>> = {},
  these: Lives = all,
): Program {
  return Object.fromEntries(
    these.map(([name, life]) => [name, { type: life.type, args: { ...argsOf(life, rounds), ...more[name] } }]),
  );
}

/** The only object of a resource, under the interface's names. */
export function storedOf(emulator: Emulator, life: Life): JsonObject {
  const [found, more] = emulator.find(life.stored, life.find);
  expect(more, life.type).toBeUndefined();
  if (found === undefined) throw new Error(`there is no ${life.type}`);
  return found as unknown as JsonObject;
}

export function expectStored(emulator: Emulator, rounds: number, these: Lives = all): void {
  for (const [name, life] of these) {
    const fields = pulumiProperties[life.kind].inputs;
    const wanted = Object.entries(argsOf(life, rounds)).flatMap(([property, value]) =>
      fields[property] === undefined ? [] : [[fields[property], value]],
    );
    expect(storedOf(emulator, life), `${name} after ${String(rounds)} changes`).toMatchObject(
      Object.fromEntries(wanted) as object,
    );
  }
}

/** Somebody changes one field of every object. */
export function editAll(emulator: Emulator, these: Lives = all): void {
  for (const [, life] of these)
    emulator.edit(
      life.stored,
      storedOf(emulator, life)["id"] as string,
      { [life.edit.field]: life.edit.value } as never,
    );
}

export function writes({ requests }: Emulator): readonly string[] {
  return requests.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);
}

/** The property that a round changes, if any. */
export function changedIn(life: Life, round: number): string | undefined {
  return changedBetween(life, round - 1, round)[0];
}

/** The properties that the changes of some rounds change. */
export function changedBetween(life: Life, before: number, after: number): readonly string[] {
  return Object.keys(life.changes).slice(before, after);
}

/** The paths, in Pulumi's notation, at which a round changes the arguments of a resource. Worked out without driftline's code. */
export function changedPaths(life: Life, round: number): readonly string[] {
  const [before, after] = [argsOf(life, round - 1), argsOf(life, round)];
  return pathsBetween("", before, after).toSorted();
}

function pathsBetween(path: string, before: unknown, after: unknown): readonly string[] {
  if (!isObject(before) || !isObject(after)) return JSON.stringify(before) === JSON.stringify(after) ? [] : [path];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) => pathsBetween(path === "" ? key : `${path}.${key}`, before[key], after[key]));
}

/** What a round has to send for a resource, as {@link shortWrites} writes it. */
export function wantedWrites(emulator: Emulator, life: Life, round: number): readonly string[] {
  const property = changedIn(life, round);
  if (property === undefined) return [];
  const { fields, family, collection, adopted }: Specimen = specimens[life.kind];
  const { id, user } = storedOf(emulator, life);
  const path = family ?? collection;
  const own = `${path}/${String(isObject(user) ? user["uuid"] : id)}`;
  const instead = fields[pulumiProperties[life.kind].inputs[property] ?? ""]?.instead;
  if (instead === "transition") return [`POST ${own}/pause`];
  if (instead === "replace" && adopted !== true) return [`DELETE ${own}`, `POST ${path}`];
  return [`PATCH ${own}`];
}

/** The writes without the paths of their organization or project. */
export function shortWrites(emulator: Emulator): readonly string[] {
  return writes(emulator).map((line) =>
    line.replace(/\/api\/((organizations|projects)\/[^/]+\/(?=\w))?/, "").replace(/\/$/, ""),
  );
}
