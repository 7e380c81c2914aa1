import { naturalKey } from "../keys.ts";
import { objectsOf } from "../rows.ts";
import { identifiedBy, standardWrites } from "../standard.ts";
import { closedEntrance } from "../domain/closed-entrance.ts";
import { movedProvider } from "../domain/provider-review.ts";
import type { Kind } from "../kind.ts";

/**
 * How people sign in through an identity provider. The answer to a write may hold a SCIM token, which is shown only once: it is
 * in no field that is kept.
 */
export const identityProviderConfig: Kind = {
  name: "identity_provider_config",
  identity: identifiedBy("identity_provider_config", "name"),
  lists: {
    operations: () => ["identity_provider_configs.list"],
    assemble: (assembly) =>
      objectsOf("identity_provider_config", assembly, "identity_provider_configs.list", (row) => ({
        keys: naturalKey(row["name"]),
      })),
  },
  writes: standardWrites("identity_provider_configs"),
  hints: {
    note: (action) => (action === "delete" ? "people can no longer sign in through it" : undefined),
    goneHint: "Services have them since June 2026. On an older one, declare saml_* on the domain.",
  },
  checks: [closedEntrance, movedProvider],
  comparison: {
    policies: {
      "/domain_scope": ["blank_is_null"],
      "/config_scope": ["blank_is_null"],
      "/organization_domain_ids": ["lower_case"],
      "/saml_entity_id": ["blank_is_null"],
      "/saml_acs_url": ["without_end_slashes", "blank_is_null"],
      "/saml_x509_cert": ["blank_is_null"],
      "/id_jag_issuer_url": ["without_end_slashes", "blank_is_null"],
      "/id_jag_jwks_url": ["without_end_slashes", "blank_is_null"],
    },
  },
};
