import { describe, expect, it } from "vitest";
import { createMissingPermissionBreaker } from "../../../../src/apply/schedule/missing-permission-breaker.ts";
import type { OperationName } from "../../../../src/api/operations/index.ts";
import { sentencesOf } from "../../../support/sentences.ts";
import { apiError } from "../support.ts";

const MISSING = "API key missing required scope 'organization:write'";

const refusal = (operation: OperationName, missingPermission?: string) =>
  apiError(operation, {
    kind: "scope",
    status: 403,
    tookEffect: "no",
    code: "permission_denied",
    missingPermission,
    message: MISSING,
  });

describe("a family of operations that the key may not use", () => {
  /** A gate at which `operation` was refused once; whether others are sent after that. */
  async function after(operation: OperationName, error: Error) {
    const gate = createMissingPermissionBreaker();
    await expect(gate.send(operation, () => Promise.reject(error))).rejects.toBe(error);
    return (other: OperationName) => gate.send(other, () => Promise.resolve("sent"));
  }

  it("sends nothing more once the service has named the scope that is missing", async () => {
    const send = await after("domains.create", refusal("domains.create", "organization:write"));
    const error: unknown = await send("domains.update").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      kind: "scope",
      code: "missing_scope",
      tookEffect: "no",
      operation: "domains.update",
      method: "PATCH",
      path: "/api/organizations/:organization_id/domains/:id/",
      message: expect.stringContaining("organization:write") as string,
      hint: expect.stringContaining("organization:write") as string,
    });
    expect(sentencesOf(error)).toMatchSnapshot();
  });

  it("still reads, and still sends what belongs to other families or has no listed scope", async () => {
    const send = await after("batch_exports.create", refusal("batch_exports.create", "organization:write"));
    await expect(send("batch_exports.get")).resolves.toBe("sent");
    await expect(send("batch_exports.unpause")).resolves.toBe("sent");
    await expect(send("domains.create")).resolves.toBe("sent");
  });

  it("does not prepare a write that would be refused, but one of another family", async () => {
    const gate = createMissingPermissionBreaker();
    const refused = gate.send("domains.create", () => Promise.reject(refusal("domains.create", "organization:write")));
    await expect(refused).rejects.toThrow(MISSING);
    expect(() => gate.check("domains.get")).toThrow("organization:write");
    expect(() => gate.check("insights.get")).not.toThrow();
  });

  it("still sends what belongs to a family whose name begins in the same way", async () => {
    const send = await after("invites.create", refusal("invites.create", "organization_member:write"));
    await expect(send("insights.create")).resolves.toBe("sent");
  });

  it.each<[string, OperationName, Error]>([
    ["names no scope", "domains.create", refusal("domains.create")],
    ["is another one that mentions it", "domains.create", apiError("domains.create", { message: MISSING })],
    ["is not one of the service", "domains.create", new Error(MISSING)],
    ["is about a read", "domains.get", refusal("domains.get", "organization:write")],
  ])("goes on if the error %s", async (_name, operation, error) => {
    const send = await after(operation, error);
    await expect(send("domains.create")).resolves.toBe("sent");
  });
});
