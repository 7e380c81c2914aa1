import { afterEach } from "vitest";
import { startEmulator, type Emulator, type EmulatorOptions, type Seed } from "../../../src/emulator/index.ts";

/** An answer with its parsed body. Bodies have many shapes, so their type is a loose record. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Body;
}

/** A body whose fields a test can read at any depth. */
export type Body = { readonly [key: string]: Body } & { readonly [index: number]: Body };

/** Calls one emulator with one key. */
export type Send = (method: string, path: string, body?: unknown, key?: string | null) => Promise<Reply>;

export const ORG = "11111111-1111-4111-8111-111111111111";
export const FOREIGN = "22222222-2222-4222-8222-222222222222";
export const UNKNOWN = "99999999-9999-4999-8999-999999999999";

/** An organization with two projects, one plain member and one admin; and a foreign one with a project. */
export const SEED: Seed = {
  organizations: [
    {
      id: ORG,
      name: "Acme",
      projects: [
        { id: 2, name: "Web", dashboards: [1, 2] },
        { id: 3, name: "App" },
      ],
      members: [
        { email: "owner@example.com", level: 15 },
        { email: "mia@example.com", level: 1, first_name: "Mia" },
        { email: "ada@example.com", level: 8 },
      ],
    },
    { id: FOREIGN, name: "Elsewhere", foreign: true, projects: [{ id: 9, name: "Theirs" }] },
  ],
};

/** Returns the ids of a membership and of its user. @throws Error if there is no such member */
export function memberOf(emulator: Emulator, email: string): { readonly id: string; readonly uuid: string } {
  for (const member of emulator.find("member")) {
    const user = member["user"] as { email: string; uuid: string };
    if (user.email === email) return { id: String(member.id), uuid: user.uuid };
  }
  throw new Error(`${email} is no member`);
}

const running: Emulator[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((emulator) => emulator.close()));
});

/** Starts a seeded emulator that is closed after the test. */
export async function start(options: EmulatorOptions = {}): Promise<{ emulator: Emulator; send: Send }> {
  const emulator = await startEmulator({ seed: SEED, ...options });
  running.push(emulator);
  return { emulator, send: sender(emulator) };
}

/** Creates the function that calls an emulator. A null `key` sends no key. */
export function sender(emulator: Emulator): Send {
  return async (method, path, body, key = emulator.key) => {
    const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
    if (body !== undefined) headers["content-type"] = "application/json";
    const payload = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
    const response = await fetch(new URL(path, emulator.url), {
      method,
      headers,
      ...(payload === undefined ? {} : { body: payload }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parse(text) };
  };
}

function parse(text: string): Body {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return {};
  }
}
