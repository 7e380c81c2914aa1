/** Fields that the service does not have. */
import { expect, it } from "vitest";
import { ACME } from "../support/acme.ts";
import { pluginWorld } from "./support/plugin-world.ts";

const DOMAIN = { organizationId: ACME, domain: "corp.com", samlEntityId: "urn:acme" };
const WARNING = "does not have saml_entity_id";

it("are neither sent nor compared, and a preview says so before and after the create", async () => {
  const { emulator, plugin, next } = await pluginWorld({ dialect: "current" });
  // The rows of a list show what a service has.
  emulator.insert("domain", { organization: ACME }, { domain: "other.com" });
  await plugin.check("Domain", DOMAIN);
  expect(plugin.output()).toContain(WARNING);
  const { id, outs } = await plugin.create("Domain", DOMAIN);
  const sent = emulator.requests.filter(({ method }) => method === "POST").map(({ body }) => body);
  expect(sent).toHaveLength(1);
  expect(sent[0]).not.toHaveProperty("saml_entity_id");
  const later = await next();
  const { props, inputs } = await later.read("Domain", id, outs);
  expect(inputs).toEqual(DOMAIN);
  expect((await later.diff("Domain", props, DOMAIN, id)).changes).toBe("none");
  expect(later.output()).toContain(WARNING);
  emulator.clearRequests();
  await later.update("Domain", id, props, { ...DOMAIN, samlEntityId: "urn:other" });
  expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

it("are sent to a service that has them, without a word", async () => {
  const { emulator, plugin } = await pluginWorld({ dialect: "document" });
  emulator.insert("domain", { organization: ACME }, { domain: "other.com" });
  await plugin.check("Domain", DOMAIN);
  const { id, outs } = await plugin.create("Domain", DOMAIN);
  expect(emulator.find("domain", (one) => one.id === id)).toMatchObject([{ saml_entity_id: "urn:acme" }]);
  await plugin.diff("Domain", outs, DOMAIN, id);
  expect(plugin.output()).not.toContain(WARNING);
});
