import { beforeAll, describe, expect, test } from "vitest";
import { startEmulator, type Emulator } from "../../../../src/emulator/index.ts";
import { OPERATIONS } from "../../../support/interface/operations.ts";
import { ORG, SEED, sender, UNKNOWN } from "../harness.ts";

const PROJECT_EXPORTS = OPERATIONS.filter(({ local }) => local.startsWith("batch_exports")).map((operation) => ({
  ...operation,
  path: operation.path.replace("organizations/:organization_id", "projects/:project_id"),
}));
const ALL = [...OPERATIONS, ...PROJECT_EXPORTS].map(({ method, path, scope }) => ({ method, path, scope }));

/** Operations without a scope in the document, for which deployed servers require one. */
const DEPLOYED_SCOPES: Readonly<Record<string, string>> = {
  pause: "batch_export:write",
  unpause: "batch_export:write",
  backfill: "batch_export:write",
  viewed: "insight:read",
};

function scopeOf(path: string, scope: string | null): string | undefined {
  return scope ?? DEPLOYED_SCOPES[path.split("/").at(-1) ?? ""];
}

/** The checks of scopes come before all others, so the objects need not exist. */
function pathOf(path: string): string {
  const ids = { organization_id: ORG, project_id: "2", insight_id: "1", user__uuid: UNKNOWN, id: UNKNOWN };
  return `${Object.entries(ids).reduce((left, [name, id]) => left.replace(`:${name}`, id), path)}/`;
}

async function statusesWith(scopes: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const emulator: Emulator = await startEmulator({ seed: SEED, dialect: "deployed", keys: [{ key: "k", scopes }] });
  try {
    const send = sender(emulator);
    const found = new Map<string, number>();
    for (const { method, path } of ALL) {
      const body = method === "GET" || method === "DELETE" ? undefined : {};
      found.set(`${method} ${path}`, (await send(method, pathOf(path), body)).status);
    }
    return found;
  } finally {
    await emulator.close();
  }
}

describe.each([
  ["no scope", [], []],
  ["insight:read", ["insight:read"], ["insight:read"]],
  ["batch_export:write", ["batch_export:write"], ["batch_export:read", "batch_export:write"]],
] as const)("deployed: a key with only %s", (_name, scopes, covered) => {
  const includes = (path: string, scope: string | null): boolean => covered.some((one) => one === scopeOf(path, scope));
  let statuses: ReadonlyMap<string, number> = new Map();

  beforeAll(async () => {
    statuses = await statusesWith(scopes);
  });

  test.each(ALL.filter(({ path, scope }) => !includes(path, scope)))(
    "is refused for $method $path ($scope)",
    ({ method, path }) => expect(statuses.get(`${method} ${path}`)).toBe(403),
  );

  test("is refused for nothing else", () => {
    // Two calculations no longer exist: a POST to their paths is refused to every key that has scopes.
    const open = ALL.filter(({ path, scope }) => includes(path, scope) && !/\/(path|retention)$/.test(path));
    const refused = open.filter(({ method, path }) => statuses.get(`${method} ${path}`) === 403);
    expect(refused).toEqual([]);
  });
});
