import { describe, expect, it } from "vitest";
import { enforcedSignIn } from "../../../../src/kinds/domain/sign-in-review.ts";
import { worldOf } from "../../../../src/kinds/world.ts";
import type { JsonObject } from "../../../../src/model/json.ts";
import { sentencesOf } from "../../../support/sentences.ts";
import { checked, declare, live, type LiveRows, plan, unreadable } from "../../plan/world.ts";

const DOMAIN = { id: "d", domain: "acme.com", is_verified: true, sso_enforcement: "" };
const CODES = ["people_without_social_sign_in", "people_outside_domains"];

const member = (email: string, level: number, isSocial?: boolean): JsonObject => ({
  id: email,
  level,
  ...(isSocial === undefined ? {} : { has_social_auth: isSocial }),
  user: { uuid: email, email },
});
const PEOPLE = [
  member("ada@acme.com", 15, false),
  member("bob@ACME.com", 1, false),
  member("eve@acme.com", 8, true),
  member("zoe@eu.acme.com", 15, false),
];
const MEMBERS = { "members.list": PEOPLE };

/** What is said of a domain that is to enforce something. */
function reviewed(enforced: string, rows: LiveRows, domain: JsonObject = {}) {
  const snapshot = live({ "domains.list": [{ ...DOMAIN, ...domain }], ...rows });
  return reviewedIn(enforced, snapshot);
}

function reviewedIn(enforced: string, snapshot: ReturnType<typeof live>) {
  const changed = plan([declare("acme/domains/corp", { domain: "acme.com", sso_enforcement: enforced })], snapshot);
  return checked(changed, [enforcedSignIn], worldOf(snapshot));
}

describe("a domain that begins to enforce how its people sign in", () => {
  it.each<[string, string, LiveRows, JsonObject, readonly string[]]>([
    ["names who has no social sign-in, and who is outside", "google-oauth2", MEMBERS, {}, CODES],
    ["does so for another way of signing in", "saml", MEMBERS, { sso_enforcement: "google-oauth2" }, CODES],
    ["says nothing if it does already", "saml", MEMBERS, { sso_enforcement: "saml" }, []],
    ["says nothing if it ends", "", MEMBERS, { sso_enforcement: "saml" }, []],
    ["says nothing of people whom the plan has not read", "saml", {}, {}, []],
    [
      "says nothing if all have a social sign-in",
      "github",
      { "members.list": [member("a@acme.com", 1, true)] },
      {},
      [],
    ],
    ["says nothing of what is not shown", "github", { "members.list": [member("a@acme.com", 1)] }, {}, []],
    [
      "counts all domains of the organization",
      "github",
      { ...MEMBERS, "domains.list": [DOMAIN, { ...DOMAIN, id: "e", domain: "eu.acme.com" }] },
      {},
      CODES.slice(0, 1),
    ],
  ])("%s", (_name, enforced, rows, domain, codes) => {
    const { warnings, needs } = reviewed(enforced, rows, domain);
    expect(warnings.map(({ code }) => code)).toEqual(codes);
    expect(needs).toEqual([]);
  });

  it("names owners and admins first", () => {
    expect(sentencesOf(reviewed("google-oauth2", MEMBERS).warnings)).toMatchSnapshot();
  });

  it("takes the people of memberships, if only these were read", () => {
    const snapshot = unreadable(live({ "domains.list": [DOMAIN], ...MEMBERS }), "acme", "member");
    expect(reviewedIn("saml", snapshot).warnings.map(({ code }) => code)).toEqual(CODES);
    expect(reviewedIn("saml", unreadable(snapshot, "acme", "membership")).warnings).toEqual([]);
  });
});
