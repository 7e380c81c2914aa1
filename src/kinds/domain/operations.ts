import { family, standardRows } from "../operation.ts";

/** Current service 142. */
const UNTIL_VERIFIED = { field: "is_verified", already: "already_verified" };

/** Interface: Endpoints, Domains. */
export const operations = family(
  "domains",
  {
    path: "/api/organizations/:organization_id/domains",
    params: { organization_id: "uuid", id: "uuid" },
    resource: "domain",
    source: "Endpoints: Domains",
  },
  {
    ...standardRows("organization", {
      rows: { domain: "text" },
      irreversible: "gives the domain up: it has to be verified anew, with another challenge",
    }),
    // Looks up the DNS record again. A verified domain stays verified.
    verify: { method: "POST", path: "/:id/verify", permission: null, effect: "idempotent", until: UNTIL_VERIFIED },
  },
);
