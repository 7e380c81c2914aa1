import { fieldsOf } from "../../organizations.ts";
import { exact, type Specimen } from "../specimen.ts";

export const member: Specimen = {
  scopes: ["organization"],
  collection: "members",
  created: "member",
  stored: ["member"],
  keyedByEmail: true,
  adopted: true,
  fields: { level: exact("admin") },
  readOnly: "id user joined_at updated_at is_2fa_enabled has_social_auth",
  arbitrary: fieldsOf.person.map(({ level }) => ({ level })),
  key: "bob@acme.com",
  create: { level: "member" },
  edit: { field: "level", value: 1 },
  required: () => ({}),
  seed: { level: 1 },
  watched: "level",
};
