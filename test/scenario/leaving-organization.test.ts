/** A service of today deletes an organization in the background. Until it is gone, it is neither changed nor deleted again. */
import { expect, it } from "vitest";
import { workspace } from "../support/workspace.ts";

const ACME = "0190aa11-0000-4000-8000-00000000000a";

function declaring(values: object): object {
  return { driftline: 1, organizations: { acme: { name: "Acme Inc", ...values } } };
}

it("a delete converges while it is pending", async () => {
  const { configure, apply, plan, emulator } = await workspace({ dialect: "current" });
  await configure(declaring({ lifecycle: { state: "absent" } }));
  await apply(["--confirm-organization", "Acme Inc"]);
  expect(emulator.find("organization", ({ id }) => id === ACME)).toMatchObject([{ is_pending_deletion: true }]);
  const { changes, diagnostics } = await plan();
  expect([changes.map(({ action }) => action), diagnostics]).toEqual([["no_op"], []]);
});

it("an organization that is leaving is neither changed nor filled", async () => {
  const { configure, plan, run, emulator } = await workspace({ dialect: "current" });
  emulator.edit("organization", ACME, { is_pending_deletion: true });
  await configure(declaring({ enforce_2fa: true, domains: { corp: { domain: "acme.com" } } }));
  const { changes } = await plan();
  expect(changes.map(({ action }) => action)).toEqual(["unknown", "unknown"]);
  expect((await run(["apply", "--yes"])).code).not.toBe(0);
  expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

it("a SAML setting of a domain is left out by a create, when no row could show that the service has none", async () => {
  const { configure, apply, plan } = await workspace({ dialect: "current" });
  await configure(declaring({ domains: { corp: { domain: "acme.com", saml_entity_id: "urn:acme" } } }));
  await apply();
  const { changes, diagnostics } = await plan();
  expect(changes.filter(({ action }) => action !== "no_op")).toEqual([]);
  expect(diagnostics.map(({ code }) => code)).toEqual(["not_on_service"]);
});
