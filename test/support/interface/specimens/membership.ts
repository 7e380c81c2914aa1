import { fieldsOf } from "../../organizations.ts";
import { exact, type Specimen } from "../specimen.ts";

/** Not a resource of the interface: it is put together from invites and members. */
export const membership: Specimen = {
  scopes: ["organization"],
  collection: "memberships",
  family: "invites",
  created: "invite",
  stored: ["member", "invite"],
  keyedByEmail: true,
  fields: { level: { ...exact("admin"), instead: "replace" } },
  readOnly: "email",
  arbitrary: fieldsOf.person.map(({ level }) => ({ level })),
  key: "eve@acme.com",
  create: { level: "member" },
  edit: { field: "level", value: 1 },
  required: () => ({}),
  fresh: () => ({ level: "admin" }),
  seed: { level: 1 },
  watched: "level",
};
