import type { Kind } from "../kind.ts";
import { MEMBERS, MEMBERSHIP, membersIn, PEOPLE } from "../people.ts";
import { caselessKey, modifiedOf, declaredUnder, declarableValues } from "../helpers.ts";

/** A person in the organization. Members are adopted, never created: people join by an invite. Interface: Members. */
export const member: Kind = {
  ...declaredUnder("member"),
  ...PEOPLE,
  siblings: [],
  keyFields: [],
  declaredKeys: (_values, name) => caselessKey(name),
  lists: () => [MEMBERS],
  assemble: ({ scope, rows }) =>
    membersIn(rows).map(({ email, uuid, id, row }) => ({
      kind: "member",
      scope,
      id: uuid,
      pins: { id, uuid },
      keys: [email],
      values: declarableValues("member", row, ["is_2fa_enabled"]),
      onDifference: "update",
      modified: modifiedOf(row),
    })),
  target: (_scope, { id }) => ({
    update: (body) => ({ operation: "members.update", path: { user__uuid: id }, body }),
    remove: [{ operation: "members.delete", path: { user__uuid: id } }],
  }),
  membership: MEMBERSHIP,
  whyMissing: "the person left, was removed, has another e-mail address, or never joined",
  notCreatedHint: "To invite a person who is not a member, declare a membership instead.",
  policies: {},
};
