import { describe, expect, it } from "vitest";
import { enforcedSignIn } from "../../../../src/kinds/domain/sign-in-review.ts";
import { worldOf } from "../../../../src/kinds/world.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import { sentencesOf } from "../../../support/sentences.ts";
import { checked, declare, live, type LiveRows, plan, unreadable } from "../../plan/world.ts";

const DOMAIN = { id: "d", domain: "acme.com", is_verified: true, sso_enforcement: "" };
const CODES = ["sign_in_enforced"];

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
  const world = live({ "domains.list": [{ ...DOMAIN, ...domain }], ...rows });
  return reviewedIn(enforced, world);
}

function reviewedIn(enforced: string, world: ReturnType<typeof live>) {
  const changed = plan([declare("acme/domains/corp", { domain: "acme.com", sso_enforcement: enforced })], world);
  return checked(changed, [enforcedSignIn], worldOf(world));
}

describe("a domain that begins to enforce how its people sign in", () => {
  it.each<[string, string, LiveRows, JsonObject, readonly string[]]>([
    ["says who has to sign in with it", "google-oauth2", MEMBERS, {}, CODES],
    ["does so for another way of signing in", "saml", MEMBERS, { sso_enforcement: "google-oauth2" }, CODES],
    ["says nothing if it does already", "saml", MEMBERS, { sso_enforcement: "saml" }, []],
    ["says nothing if it ends", "", MEMBERS, { sso_enforcement: "saml" }, []],
    ["says nothing of people whom the plan has not read", "saml", {}, {}, []],
    ["says nothing if nobody has an address there", "saml", { "members.list": [member("a@b.io", 1, false)] }, {}, []],
  ])("%s", (_name, enforced, rows, domain, codes) => {
    const { warnings, needs } = reviewed(enforced, rows, domain);
    expect(warnings.map(({ code }) => code)).toEqual(codes);
    expect(needs).toEqual([]);
  });

  it("counts its people, and names those without social sign-in, as far as that is shown", () => {
    const others = [[member("a@acme.com", 1, true), member("b@b.io", 1)], [member("a@acme.com", 1)]];
    const said = [PEOPLE, ...others].map((people) => reviewed("google-oauth2", { "members.list": people }).warnings);
    expect(said.map(sentencesOf)).toMatchSnapshot();
  });

  it("takes the people of memberships, if only these were read", () => {
    const world = unreadable(live({ "domains.list": [DOMAIN], ...MEMBERS }), "acme", "member");
    expect(reviewedIn("saml", world).warnings.map(({ code }) => code)).toEqual(CODES);
    expect(reviewedIn("saml", unreadable(world, "acme", "membership")).warnings).toEqual([]);
  });
});
