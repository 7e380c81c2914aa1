import * as fc from "fast-check";
import { EMAILS, fieldsOf } from "../../organizations.ts";
import { blank, exact, lowerCase, once, type Specimen } from "../specimen.ts";

const instead = "replace";

export const invite: Specimen = {
  scopes: ["organization"],
  collection: "invites",
  created: "invite",
  stored: ["invite"],
  fields: {
    target_email: {
      ...lowerCase("carol2@acme.com", "Ada@Acme.com", "ada@acme.com", " ADA@acme.com"),
      instead,
      unnoticed: "a change is a new invite",
    },
    first_name: { ...blank("Carol"), instead },
    level: { ...exact("admin"), instead },
    message: { ...blank("Welcome"), instead },
  },
  later: {
    private_project_access: {
      next: [
        { id: 1, level: "member" },
        { id: 2, level: "admin" },
      ],
      same: [
        [
          { level: "admin", id: 2 },
          { level: "member", id: 1 },
        ],
      ],
      hides: ["unordered", "blank_is_null"],
      instead,
    },
    send_email: once(false),
    combine_pending_invites: once(true),
  },
  readOnly: "id emailing_attempt_made is_expired created_by created_at updated_at",
  arbitrary: fc
    .tuple(fieldsOf.person, fc.constantFrom(...EMAILS))
    .map(([person, target_email]) => ({ ...person, target_email })),
  key: "carol",
  create: { target_email: "carol@acme.com" },
  edit: { field: "level", value: 1 },
  required: (name) => ({ target_email: `${name}@acme.com` }),
  fresh: (name) => ({ target_email: `${name}@acme.com`, level: "admin" }),
  seed: { level: 1 },
  watched: "level",
};
