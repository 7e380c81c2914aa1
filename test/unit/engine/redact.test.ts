import { expect, it } from "vitest";
import { createRedactor } from "../../../src/api/redact/redact.ts";
import { fakeClock } from "../apply/support.ts";
import { planned } from "./world.ts";
import { redacted } from "../../../src/engine/redact.ts";
import type { LiveObject } from "../../../src/model/live.ts";
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
  const { error, name } = redacted(outcome, redactor);
  expect(name).not.toContain("hunter22");
  expect(error?.paths).toHaveLength(1);
  expect(JSON.stringify(error)).not.toContain("hunter22");
});

const redactor = createRedactor();
redactor.add("hunter22");

it("everything is redacted that no list excepts, also what is new", () => {
  const change = { reason: "hunter22", blocked: { rule: "prune", detail: "hunter22", command: ["a", "hunter22"] } };
  const modified = { by: "hunter22@acme.com", later: { deep: ["x hunter22"] } };
  expect(JSON.stringify(redacted({ changes: [{ ...change, modified }] }, redactor))).not.toContain("hunter22");
});

it("a value under the name of a secret is none that is shown", () => {
  const fields = [{ path: "/token", prior: { token: "a" }, planned: { token: "b", name: "c" } }];
  const sensitive = { sensitive: true };
  expect(redacted({ fields }, redactor).fields).toEqual([
    { path: "/token", prior: { token: sensitive }, planned: { token: sensitive, name: "c" } },
  ]);
});

it("a link with a secret is left out, and a source keeps no secret", () => {
  const source = { paths: ["."], variable_files: [], profile: "posthog", url: null } as const;
  const variables = [
    { name: "a", value: "hunter22" },
    { name: "b", value: "c" },
  ];
  const shown = redacted({ link: "https://a.b/hunter22", source: { ...source, variables } }, redactor);
  expect(shown.link).toBeUndefined();
  expect(shown.source.variables).toEqual([
    { name: "a", value: null },
    { name: "b", value: "c" },
  ]);
  expect(redacted({ source: { ...source, paths: ["hunter22"], variables } }, redactor).source).toBeUndefined();
});

it("what users type, and the work of a change, stay as they are, and so does what holds no secret", () => {
  const live = { id: "hunter22" } as unknown as LiveObject;
  const kept = { address: "acme/domains/hunter22", hash: "hunter22", work: { live } };
  expect(redacted(kept, redactor)).toBe(kept);
  const unmanaged = [{ kind: "domain", scope: "acme", id: "1", key: null }];
  expect(redacted(unmanaged, redactor)).toBe(unmanaged);
  const [known, hidden] = redacted([unmanaged[0], { id: "hunter22" }], redactor);
  expect([known === unmanaged[0], hidden]).toEqual([true, { id: "[redacted]" }]);
});

it("a drift hides who changed an object if that holds a secret, and hashes what it shows", async () => {
  const file = `driftline: 1
organizations: { acme: { name: Acme Inc, projects: { web: { id: "2", insights: { a: { id: 7, name: A } } } } } }
`;
  const by = (email: string) => ({
    id: 7,
    short_id: "a",
    name: "B",
    last_modified_by: { email },
    last_modified_at: "2026",
  });
  const context = { env: {}, clock: fakeClock(), redactor, toolVersion: "test" };
  const documentOf = async (email: string) =>
    (await planned(file, { "insights.list": [by(email)] }, { purpose: "drift", context })).document;
  const hidden = await documentOf("hunter22@acme.com");
  expect(hidden.changes.find(({ kind }) => kind === "insight")).toMatchObject({
    modified: { by: "[redacted]@acme.com" },
  });
  expect(JSON.stringify(hidden)).not.toContain("hunter22");
  expect(hidden.hash).toBe((await documentOf("[redacted]@acme.com")).hash);
});
