import { describe, expect, it, onTestFinished } from "vitest";
import { deployedScope, operations, type Operation } from "../../src/api/operations/index.ts";
import { startEmulator, type Emulator } from "../../src/emulator/index.ts";

const ORG = "0190aa11-0000-4000-8000-00000000000a";
const ID = "0190aa11-0000-4000-8000-0000000000ff";
const unlisted: readonly Operation[] = Object.values(operations).filter(({ scope }) => scope === null);

/** The message of a 403 to a key that has one scope, or that has every scope. "" for any other answer. */
async function refusal(emulator: Emulator, operation: Operation, key: string): Promise<string> {
  const path = operation.path
    .replace(":organization_id", ORG)
    .replace(":project_id", "2")
    .replace(":id", operation.params["id"] === "integer" ? "7" : ID);
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const body = operation.method === "GET" ? null : "{}";
  const answer = await fetch(`${emulator.url}${path}/`, { method: operation.method, headers, body });
  return answer.status === 403 ? await answer.text() : "";
}

// The table of the product and the emulator know this independently of each other.
describe("the scope that deployed servers require where the document lists none", () => {
  it.each(unlisted.map((operation) => [operation.name, operation] as const))("of %s", async (_name, operation) => {
    const scope = deployedScope(operation);
    const keys = [
      { key: "enough", scopes: [scope ?? "*"] },
      { key: "other", scopes: ["organization:read"] },
    ];
    const seed = { organizations: [{ id: ORG, name: "Acme", projects: [{ id: 2, name: "Web" }] }] };
    const emulator = await startEmulator({ dialect: "deployed", keys, seed });
    onTestFinished(() => emulator.close());
    if (scope === null) expect(await refusal(emulator, operation, "enough")).toContain("Personal API Key access");
    else expect(await refusal(emulator, operation, "enough")).toBe("");
    expect(await refusal(emulator, operation, "other")).not.toBe("");
  });
});
