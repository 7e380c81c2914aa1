import { expect, it } from "vitest";
import type { AccessDocument, AccessPerson } from "../../../src/model/access.ts";
import { renderAccess } from "../../../src/report/access-formats.ts";
import { expectGolden } from "./golden.ts";
import { bodyOf } from "./html/text.ts";

function person(email: string, part: Partial<AccessPerson>): AccessPerson {
  return {
    person: email,
    level: "member",
    second_factor: "yes",
    social_sign_in: "no",
    enforced_by_domain: "no",
    joined: "2026-01-02T03:04:05Z",
    last_changed: "2026-01-02T03:04:05Z",
    declared_in: "people.yaml",
    since_commit: "0a1b2c3d4e",
    invite: null,
    address_domain: "own",
    ...part,
  };
}

const invited = { second_factor: "unknown", social_sign_in: "unknown", joined: null } as const;
const undeclared = { declared_in: null, since_commit: null } as const;

const REVIEW: AccessDocument = {
  type: "driftline.access",
  schema_version: 1,
  tool_version: "0.1.0",
  url: "https://eu.analytics.example",
  made_at: "2026-11-29T12:00:00.000Z",
  since: null,
  organization: { id: "0190aa11-0000-4000-8000-00000000000a", name: "Acme Inc" },
  settings: {
    enforce_2fa: "no",
    enforce_verified_domains: "unknown",
    members_can_use_personal_api_keys: "yes",
    sso_enforcement: [{ domain: "acme.com", method: "saml" }],
  },
  configured: true,
  people: [
    person("ada@acme.com", { level: "owner" }),
    person("mallory@acrne.com", {
      ...undeclared,
      level: "admin",
      second_factor: "no",
      address_domain: "looks like acme.com",
    }),
    person("new@partner.example", {
      ...invited,
      ...undeclared,
      level: "admin",
      invite: "open",
      address_domain: "outside",
    }),
    person("bob@partner.example", { address_domain: "outside", second_factor: "unknown" }),
    person("new@acme.com", { ...invited, invite: "open" }),
    person("old@acme.com", { ...invited, ...undeclared, invite: "expired" }),
  ],
  diagnostics: [{ severity: "error", code: "access_denied", message: "GET domains answered 403" }],
};

it("says first what a review looks for, and what it does not show", () => {
  const view = { color: false, width: 80 };
  expectGolden("access.txt", renderAccess(REVIEW, "text", view));
  expectGolden("access.csv", renderAccess(REVIEW, "csv", view).replaceAll("\r\n", "\n"));
  expectGolden("access.html", `${bodyOf(renderAccess(REVIEW, "html", view))}\n`);
});

it("does not count an expired invite among those who may still join", () => {
  const [, , open, , , expired] = REVIEW.people;
  const leads = [open, expired].map((one) =>
    renderAccess({ ...REVIEW, people: one ? [one] : [] }, "text", { color: false }),
  );
  expect(leads.map((text) => /\b1 only invited/u.test(text))).toEqual([true, false]);
});

it("has a line for each of 200 people, and says once what nearly all have", () => {
  const usual = (index: number): AccessPerson =>
    person(`person.${String(index)}@acme.com`, { enforced_by_domain: "saml" });
  const odd = [
    person("odd@acme.com", { since_commit: "1a1b2c3d4e" }),
    person("gone@acme.com", { ...undeclared, level: "owner", second_factor: "no" }),
  ];
  const people = [...Array.from({ length: 200 }, (_, index) => usual(index)), ...odd];
  const lines = renderAccess({ ...REVIEW, people, diagnostics: [] }, "text", { color: false, width: 80 }).split("\n");
  expect(lines.length).toBeLessThan(220);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  const rowsOf = (text: string): readonly string[] => lines.filter((line) => line.includes(text));
  expect(rowsOf("enforced by domain: saml for acme.com (200)").length).toBe(1);
  expect(rowsOf("since 0a1b2c3d4e").length).toBe(1);
  expect(rowsOf("since 1a1b2c3d4e").length).toBe(1);
  // The one to look at is the first.
  expect(lines.findIndex((line) => line.includes("gone@acme.com"))).toBeLessThan(10);
});
