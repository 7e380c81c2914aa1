import type { Kind } from "../kind.ts";
import {
  caselessKey,
  scopedIdentity,
  objectsOf,
  declaredUnder,
  declarableValues,
  standardTarget,
  text,
} from "../helpers.ts";

/** A domain whose users can sign in to the organization. Interface: Domains. */
export const domain: Kind = {
  ...declaredUnder("domain"),
  idSpace: "domain",
  identity: scopedIdentity,
  siblings: [],
  keyFields: ["domain"],
  declaredKeys: (values) => caselessKey(values["domain"]),
  lists: () => ["domains.list"],
  assemble: (assembly) =>
    objectsOf("domain", assembly, "domains.list", (row) => ({
      keys: caselessKey(row["domain"]),
      values: declarableValues("domain", row, ["verification_challenge"]),
    })),
  create: (_scope, body) => ({ operation: "domains.create", body }),
  target: (_scope, live) => standardTarget("domains", live.id),
  writesNeed: "a verified domain",
  manualStep: (code, values) =>
    code === "verification_required"
      ? `Add the DNS record TXT _posthog-challenge.${text(values["domain"]) ?? ""} "${text(values["verification_challenge"]) ?? ""}", have the domain verified, and apply again.`
      : undefined,
  policies: {
    "/domain": ["lower_case"],
    "/sso_enforcement": ["blank_is_null"],
    "/saml_entity_id": ["blank_is_null"],
    "/saml_acs_url": ["blank_is_null"],
    "/saml_x509_cert": ["blank_is_null"],
  },
};
