import { expect } from "vitest";
import type { CliResult } from "../support/cli.ts";
import { hostileService, type HostileService, type Trick } from "../support/hostile-service.ts";
import { DEFECT } from "../support/normalized.ts";
import { workspace, type Workspace } from "../support/workspace.ts";
import { instantClock } from "./support.ts";

/** A workspace whose service is reached through one that plays tricks. Waits are over at once. */
export async function against(
  trick: Trick,
  config: unknown,
  options: Parameters<typeof workspace>[0] = {},
): Promise<Workspace & { readonly service: HostileService }> {
  const space = await workspace(options);
  const service = await hostileService(space.emulator.url, trick);
  const run: Workspace["run"] = (args, more = {}) =>
    space.run(args, {
      env: { DRIFTLINE_URL: service.url, ...more.env },
      runtime: { clock: instantClock(), ...more.runtime },
    });
  if (config !== undefined) await space.configure(config);
  return { ...space, service, run };
}

/** Characters that no output may contain: controls except line feeds, invisible ones, changes of direction, half characters. */
export const RAW = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** What a pipeline takes for a command: a line of GitHub, a word of Azure or TeamCity, a section of GitLab. */
export const COMMAND = /(?:^|[\r\n\u2028\u2029])[\s\u0085]*::|##[a-z]*\[|section_(?:start|end):\d/i;

/** Expectations of every command, regardless of the content of answers, files and configuration. */
export function expectSober({ code, stdout, stderr }: CliResult, expected: number): void {
  const all = stdout + stderr;
  expect(code, all).toBe(expected);
  expect(all).not.toMatch(/\n\s+at |undefined|\[object/);
  expect(all).not.toContain(DEFECT);
  expect(all).not.toMatch(RAW);
  for (const written of [stdout, stderr]) expect(written).not.toMatch(COMMAND);
  if (![0, 2, 12, 13, 14, 15].includes(expected)) expect(stderr).toMatch(/error|warning/);
}

/** Answers the list at a path with a text, or with a changed text of the service. */
export const listing =
  (at: string) =>
  (
    body: string | Buffer | ((text: string) => string),
    headers: Readonly<Record<string, string>> = {},
    status = 200,
  ): Trick =>
  ({ method, path }) => {
    if (method !== "GET" || path !== at) return undefined;
    return typeof body === "function" ? { rewrite: body } : { status, headers, body };
  };
