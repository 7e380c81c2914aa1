/** Where a key goes if a stack's file, or a program, names the service. Nothing is sent. */
import { describe, expect, it } from "vitest";
import { sessionOf } from "../../../../src/pulumi/provider/session.ts";

const KEY = "phx_of_the_environment";
const UNKNOWN = [
  "https://evil.example",
  "http://us.posthog.com",
  "https://us.posthog.com.evil.example",
  "http://10.0.0.1",
];
const KNOWN = [
  "https://us.posthog.com",
  "https://eu.posthog.com/",
  "https://app.posthog.com",
  "http://127.0.0.1:1",
  "http://localhost:1",
];

describe.each([{ comesFirst: true }, {}])("%o", (edition) => {
  const open = (url: string, env: Readonly<Record<string, string>>, apiKey?: string) => () => {
    const values = new Map<string, string>([
      ["driftline:url", url],
      ...(apiKey === undefined ? [] : [["driftline:apiKey", apiKey] as const]),
    ]);
    return sessionOf({ ...edition, get: (key) => values.get(key) }, env).client.url;
  };
  const named = (url: string): string => new URL(url).origin;

  it.each(UNKNOWN)("%s gets no key of the environment if only the configuration names it", (url) => {
    expect(open(url, { DRIFTLINE_API_KEY: KEY })).toThrow(`not sent to ${named(url)}`);
    expect(open(url, { DRIFTLINE_API_KEY: KEY, DRIFTLINE_URL: "" })).toThrow(`not sent to ${named(url)}`);
  });

  it.each(UNKNOWN)("%s gets it if the environment says the same, and a key that stands beside it", (url) => {
    expect(open(url, { DRIFTLINE_API_KEY: KEY, DRIFTLINE_URL: `${url}/` })()).toContain(named(url));
    expect(open(url, {}, "phx_of_the_stack")()).toContain(named(url));
  });

  it.each(KNOWN)("%s gets it", (url) => {
    expect(open(url, { DRIFTLINE_API_KEY: KEY })()).toContain(named(url));
  });

  it.each([...UNKNOWN, ...KNOWN])("%s and another DRIFTLINE_URL are an error, wherever the key comes from", (url) => {
    const other = { DRIFTLINE_URL: "https://analytics.example.com" };
    expect(open(url, { ...other, DRIFTLINE_API_KEY: KEY })).toThrow("different services");
    expect(open(url, other, "phx_of_the_stack")).toThrow("different services");
  });
});

it("two providers with one key share connections and limit, but each has its own user and time", () => {
  const open = (values: Readonly<Record<string, string>>) =>
    sessionOf(
      { comesFirst: true, get: (name) => ({ "driftline:url": KNOWN[0], ...values })[name] },
      { DRIFTLINE_API_KEY: KEY },
    );
  const [one, other] = [
    open({ "driftline:self": "a@b.cc", "driftline:settleAfter": "5" }),
    open({ "driftline:self": "d@e.ff" }),
  ];
  expect([one.self, one.settleAfter, other.self, other.settleAfter]).toEqual(["a@b.cc", 5, "d@e.ff", undefined]);
  expect(other.client).toBe(one.client);
});
