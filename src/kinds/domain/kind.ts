import { command } from "../../model/command.ts";
import type { JsonObject, ValueObject } from "../../model/json.ts";
import { joinWords } from "../../model/plural.ts";
import { visible } from "../../model/quote.ts";
import type { Kind } from "../kind.ts";
import { caselessKey, asText } from "../keys.ts";
import { objectsOf, declarableValues } from "../rows.ts";
import { declaredUnder, identifiedBy, standardWrites } from "../standard.ts";
import { keepsNames } from "./names.ts";
import { guardsSignIn, removalReview } from "./removal-review.ts";
import { samlEntrance } from "./saml-entrance.ts";

/** A domain whose users can sign in to the organization. Interface: Domains. */
export const domain: Kind = {
  ...declaredUnder("domain"),
  identity: { ...identifiedBy("domain", "domain", caselessKey), unique: "domain" },
  lists: {
    operations: () => ["domains.list"],
    assemble: (assembly) =>
      objectsOf("domain", assembly, "domains.list", (row) => ({
        keys: caselessKey(row["domain"]),
        values: declarableValues("domain", row, ["is_verified", "verification_challenge", "has_saml"]),
      })),
  },
  writes: {
    ...standardWrites("domains"),
    isFixed: (field, live) => field === "domain" && keepsNames(live),
    stepBeforeUpdate: (body, live) =>
      live["is_verified"] === false && AFTER_VERIFICATION.some((field) => field in body)
        ? verificationStep(live)
        : undefined,
    waitsAfterCreate: (body) => {
      const waiting = AFTER_VERIFICATION.filter(
        (field) => !["", false, null, undefined].some((off) => body[field] === off),
      );
      if (waiting.length === 0) return undefined;
      return `${joinWords(waiting, "and")} of ${visible(nameIn(body))} can be set only after the service has verified the domain`;
    },
    checkStep: (path, id) => {
      const ids = Object.entries({ ...path, id }).map(([name, value]) => `${name}=${value}`);
      return command("call", { yes: true }, "domains.verify", ...ids);
    },
  },
  hints: {
    writesNeed: "a verified domain",
    manualStep: (code, values) => {
      if (code !== "verification_required") return undefined;
      const step = verificationStep(values);
      return `${step.slice(0, 1).toUpperCase()}${step.slice(1)}:`;
    },
    errorHint: ({ code }, key) =>
      code === "unique"
        ? `A domain can be claimed only once on the whole service. If this organization does not list ${key}, another one has claimed it, which the key may not be allowed to see: remove it there first.`
        : undefined,
  },
  review: removalReview,
  guardsSignIn,
  entrance: samlEntrance,
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

/** Deployed servers refuse to change these fields before the domain is verified. */
const AFTER_VERIFICATION = ["sso_enforcement", "jit_provisioning_enabled"] as const;

/** How to have a domain verified, with its DNS record. */
function verificationStep(live: JsonObject): string {
  const record = `_posthog-challenge.${asText(live["domain"]) ?? ""} "${asText(live["verification_challenge"]) ?? ""}"`;
  return `add the DNS record TXT ${record}, have the domain verified, and apply again. A key with scopes cannot verify it: then use the web interface. To verify it`;
}

function nameIn({ domain: name }: ValueObject): string {
  return typeof name === "string" ? name : "";
}
