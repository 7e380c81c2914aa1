import { expect, it } from "vitest";
import { createRedactor } from "../../../src/api/redact/redact.ts";
import { redactOutcome } from "../../../src/engine/redact.ts";
import type { Outcome } from "../../../src/model/outcome.ts";

it("an outcome shows no secret in its name, its message, its hint or its paths", () => {
  const redactor = createRedactor();
  redactor.add("hunter22");
  const outcome: Outcome = {
    address: "acme/insights/one",
    kind: "insight",
    action: "update",
    name: "Bearer hunter22",
    reason: "",
    id: "1",
    blocked: null,
    fields: [],
    fingerprint: null,
    status: "unverified",
    error: { code: "c", message: "m hunter22", hint: "h hunter22", paths: ["/filters/hunter22"] },
    requests: 1,
  };
  const { error, name } = redactOutcome(outcome, redactor);
  expect(name).not.toContain("hunter22");
  expect(error?.paths).toHaveLength(1);
  expect(JSON.stringify(error)).not.toContain("hunter22");
});
