import type { Kind } from "../kind.ts";
import { caselessKey } from "../keys.ts";
import { objectsOf, declarableValues } from "../rows.ts";
import { PROTECTION_CHECKS } from "../people/protection.ts";
import { identifiedBy, standardWrites } from "../standard.ts";
import { keepsNames } from "../service-signs.ts";
import { movedProvider } from "./provider-review.ts";
import { entranceOf } from "../people/undeclared-entrances.ts";
import { removedDomain } from "./removal-review.ts";
import { closedEntrance } from "./closed-entrance.ts";
import { enforcedSignIn } from "./sign-in-review.ts";
import { firstStep, unverified, verificationRequired, verifiedLater } from "./verification.ts";

/** A domain whose users can sign in to the organization. Interface: Domains. */
export const domain: Kind = {
  name: "domain",
  identity: { ...identifiedBy("domain", "domain", caselessKey), unique: "domain" },
  lists: {
    operations: () => ["domains.list"],
    assemble: (assembly) =>
      objectsOf("domain", assembly, "domains.list", (row) => {
        const values = declarableValues("domain", row, ["is_verified", "verification_challenge", "has_saml"]);
        return { keys: caselessKey(row["domain"]), values, about: entranceOf(values) };
      }),
  },
  writes: { ...standardWrites("domains"), isFixed: (field, live) => field === "domain" && keepsNames(live), firstStep },
  hints: {
    errorHint: ({ code }, key) =>
      code === "unique"
        ? `A domain can be claimed only once on the whole service. If this organization does not list ${key}, another one has claimed it, which the key may not be allowed to see: remove it there first.`
        : undefined,
  },
  checks: [
    verificationRequired,
    closedEntrance,
    removedDomain,
    verifiedLater,
    unverified,
    enforcedSignIn,
    movedProvider,
    ...PROTECTION_CHECKS,
  ],
  exportRules: { asksComplete: true },
  comparison: {
    policies: {
      "/domain": ["lower_case"],
      "/sso_enforcement": ["blank_is_null"],
      "/saml_entity_id": ["blank_is_null"],
      "/saml_acs_url": ["blank_is_null"],
      "/saml_x509_cert": ["blank_is_null"],
    },
  },
};
