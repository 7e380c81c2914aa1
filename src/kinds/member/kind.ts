import type { Kind } from "../kind.ts";
import { PEOPLE_CHECKS } from "../people/checks.ts";
import { MEMBERS, membersIn, PERSON, PERSON_HINTS } from "../people/people.ts";
import { declarableValues } from "../rows.ts";

/** A person in the organization. Members are adopted, never created: people join by an invite. Interface: Members. */
export const member: Kind = {
  name: "member",
  identity: PERSON,
  lists: {
    operations: () => [MEMBERS],
    assemble: ({ scope, rows }) =>
      membersIn(rows).map(({ id, row, shown }) => ({
        ...shown,
        kind: "member",
        scope,
        pins: { id, uuid: shown.id },
        values: declarableValues("member", row),
      })),
  },
  writes: {
    create: {
      cause: "the person left, was removed, has another e-mail address, or never joined",
      instead: "To invite a person who is not a member, declare a membership instead.",
    },
    target: (_scope, { id }) => ({
      update: (body) => ({ operation: "members.update", path: { user__uuid: id }, body }),
      remove: [{ operation: "members.delete", path: { user__uuid: id } }],
    }),
  },
  hints: PERSON_HINTS,
  checks: PEOPLE_CHECKS,
};
