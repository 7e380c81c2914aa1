import { describe, expect, it } from "vitest";
import { webPageOf } from "../../../src/kinds/web-page.ts";
import { type KindName, kindNames } from "../../../src/model/kind-name.ts";
import type { LiveObject } from "../../../src/model/live.ts";
import { pageOfService } from "../../../src/model/web-page.ts";

const insight = (pins: LiveObject["pins"]): LiveObject => ({
  kind: "insight",
  scope: "acme/projects/web",
  id: "1",
  pins,
  keys: [],
  values: {},
  onDifference: "update",
});

const pageOf = (url: string, shortId?: string, project = "2"): string | undefined =>
  webPageOf(
    url,
    { project_id: project },
    insight(shortId === undefined ? { id: "1" } : { id: "1", short_id: shortId }),
  );

describe("the page of an insight", () => {
  it.each([
    ["PostHog Cloud US", "https://us.posthog.com", "https://us.posthog.com/project/2/insights/aB3_x-9Z"],
    ["PostHog Cloud EU", "https://eu.posthog.com", "https://eu.posthog.com/project/2/insights/aB3_x-9Z"],
    ["a slash at the end", "https://eu.posthog.com/", "https://eu.posthog.com/project/2/insights/aB3_x-9Z"],
    ["self-hosted, with a port", "http://10.0.0.7:8000", "http://10.0.0.7:8000/project/2/insights/aB3_x-9Z"],
    ["a path", "https://acme.com/tools/hog", "https://acme.com/tools/hog/project/2/insights/aB3_x-9Z"],
    ["IPv6", "http://[::1]:8000", "http://[::1]:8000/project/2/insights/aB3_x-9Z"],
  ])("%s", (_name, url, page) => {
    expect(pageOf(url, "aB3_x-9Z")).toBe(page);
  });

  it("is unknown without a short id", () => {
    expect(pageOf("https://us.posthog.com")).toBeUndefined();
  });

  it.each(
    [
      ["", "javascript:alert(1)", "../../login", "..", "a/b", "a?b", "a#b", "a%2fb", "a b", "a\u001B\\b", "a\nb", "ä"],
      ["a\u202Eb", '"><script>', "//evil.example", "a\\b", "a".repeat(65)],
    ].flat(),
  )("is never made of %j", (id) => {
    expect(pageOf("https://us.posthog.com", id)).toBeUndefined();
    expect(pageOf("https://us.posthog.com", "aB3", id)).toBeUndefined();
  });

  it.each(["javascript:alert(1)//", "file:///etc", "data:text/html,x", "no url", "https://user:secret@us.posthog.com"])(
    "is never below %s",
    (url) => {
      expect(pageOf(url, "aB3")).toBeUndefined();
    },
  );
});

it("no other kind has a page that is known", () => {
  const of = (kind: KindName) =>
    webPageOf("https://us.posthog.com", { project_id: "2" }, { ...insight({ id: "1", short_id: "aB3" }), kind });
  expect(kindNames.filter((kind) => of(kind) !== undefined)).toEqual(["insight"]);
});

describe("a link of a saved plan", () => {
  const SERVICE = "https://acme.com/hog";
  it("stays if it is below the service", () => {
    const link = `${SERVICE}/project/2/insights/aB3`;
    expect(pageOfService(SERVICE, link)).toBe(link);
  });

  it.each([
    "javascript:alert(1)",
    "https://evil.example/project/2/insights/aB3",
    "https://acme.com/hogwash/project/2",
    "https://acme.com/hog/../login",
    "https://acme.com/hog/%2e%2e/login",
    "https://acme.com.evil.example/hog/",
    "https://acme.com@evil.example/hog/",
    "http://acme.com/hog/project/2",
    "https://acme.com/hog/a\u001B]8;;x",
    "https://acme.com/hog/a\nb",
    " https://acme.com/hog/a",
    "",
  ])("goes if it is %j", (link) => {
    expect(pageOfService(SERVICE, link)).toBeUndefined();
  });
});
