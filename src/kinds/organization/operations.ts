import { family, standardRows } from "../operation.ts";

const ROWS = standardRows("organization", {
  rows: { name: "text" },
  irreversible: "removes the organization with its projects, people and data",
});

/** Interface: Endpoints, Organizations. */
export const operations = family(
  "organizations",
  { path: "/api/organizations", params: { id: "uuid" }, resource: "organization", source: "Endpoints: Organizations" },
  { ...ROWS, delete: { ...ROWS.delete, confirmBy: "organizations.get" } },
);
