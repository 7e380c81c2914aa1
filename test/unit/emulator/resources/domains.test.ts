import { describe, expect, test } from "vitest";
import { FOREIGN, ORG, start } from "../harness.ts";

const PATH = `/api/organizations/${ORG}/domains/`;

describe("domains", () => {
  test("create returns the defaults of an unverified domain", async () => {
    const { send } = await start();
    const reply = await send("POST", PATH, { domain: "a.example" });
    expect(reply.status).toBe(201);
    expect(reply.json).toEqual({
      id: expect.any(String),
      domain: "a.example",
      is_verified: false,
      verified_at: null,
      verification_challenge: expect.stringMatching(/^[\w-]{43}$/),
      jit_provisioning_enabled: false,
      sso_enforcement: "",
      has_saml: false,
      saml_entity_id: null,
      saml_acs_url: null,
      saml_x509_cert: null,
    });
  });

  test("a name that another organization has is 400 unique", async () => {
    const { emulator, send } = await start();
    emulator.insert("domain", { organization: FOREIGN }, { domain: "a.example" });
    const reply = await send("POST", PATH, { domain: "a.example" });
    expect([reply.status, reply.json["code"], reply.json["attr"]]).toEqual([400, "unique", "domain"]);
  });

  test("verify returns the verified domain", async () => {
    const { emulator, send } = await start({ now: () => new Date("2030-01-02T03:04:05Z") });
    const { id } = emulator.insert("domain", { organization: ORG }, { domain: "a.example" });
    const reply = await send("POST", `${PATH}${id}/verify/`, {});
    expect(reply.json).toMatchObject({ is_verified: true, verified_at: "2030-01-02T03:04:05Z" });
  });

  test("verify does not change a domain that does not resolve", async () => {
    const { emulator, send } = await start({ resolves: () => false });
    const { id } = emulator.insert("domain", { organization: ORG }, { domain: "a.example" });
    const reply = await send("POST", `${PATH}${id}/verify/`);
    expect([reply.status, reply.json["is_verified"]]).toEqual([200, false]);
  });
});
