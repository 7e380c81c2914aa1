import type { FieldExplanation, KindExplanation } from "../../../src/model/explain.ts";

function field(part: Partial<FieldExplanation> & Pick<FieldExplanation, "name">): FieldExplanation {
  return {
    type: "string",
    required: false,
    writable: true,
    secret: false,
    immutable: false,
    unordered: false,
    deprecated: false,
    values: [],
    description: "",
    sources: [],
    ...part,
  };
}

/** A kind with every type of field. */
export const DOMAIN: KindExplanation = {
  type: "driftline.explanation",
  schema_version: 1,
  name: "domain",
  title: "Domain",
  description:
    "A domain whose users sign in to the organization. Its owner proves it with a DNS record before single sign-on can be enforced for the addresses in it.",
  collection: "domains",
  scopes: ["organization"],
  natural_key: "domain",
  pins: ["id"],
  operations: ["domains.list", "domains.get", "domains.create", "domains.update", "domains.delete"],
  created: "by domains.create",
  changed: "in place, by a PATCH of what differs",
  removed: "by domains.delete, with lifecycle.state: absent, or with --prune where domains are exclusive",
  policies: [
    { path: "/sso_enforcement", policies: ["blank_is_null"], meaning: ["an empty string and null"] },
    {
      path: "/saml_entity_id",
      policies: ["blank_is_null", "lower_case"],
      meaning: ["an empty string and null", "upper and lower case"],
    },
  ],
  fields: [
    field({
      name: "domain",
      required: true,
      immutable: true,
      description: "The domain, in lower case. Interface: OrganizationDomain.",
    }),
    field({
      name: "level",
      type: "integer",
      values: [1, 8, 15],
      names: { member: 1, admin: 8, owner: 15 },
      default: 1,
      description: "Level of who joins.",
    }),
    field({
      name: "sso_enforcement",
      values: ["", "saml", "google-oauth2"],
      default: "",
      description: 'How users have to sign in; "" leaves it to them.',
    }),
    field({
      name: "saml_x509_cert",
      type: "string or null",
      secret: true,
      default: null,
      description: "Certificate | of the `provider` <b>.",
    }),
    field({ name: "tags", type: "list of string", unordered: true, deprecated: true, description: "Words." }),
    field({ name: "verified_at", writable: false, type: "string or null", description: "When it was verified, UTC." }),
  ],
};
