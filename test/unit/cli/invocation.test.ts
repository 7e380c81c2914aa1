import * as fc from "fast-check";
import { expect, it } from "vitest";
import { withoutCredentials } from "../../../src/cli/invocation.ts";
import { budget } from "../../support/budget.ts";

/** The parts that decide where the host of a URL begins and ends. */
const part = fc.constantFrom(
  "@",
  ":",
  "/",
  "\\",
  "?",
  "#",
  "x",
  "evil.example",
  "127.0.0.1",
  "18310",
  "[::1]",
  "%40",
  "\t",
);

it("a suggested URL names the host that was given, without credentials", () => {
  const start = fc.constantFrom("http://", "https://", "HTTP://", "http:", "http:/", "http:\\\\");
  fc.assert(
    fc.property(start, fc.array(part, { minLength: 1, maxLength: 9 }), (scheme, parts) => {
      const typed = scheme + parts.join("");
      fc.pre(URL.canParse(typed));
      const shown = new URL(withoutCredentials(typed));
      const { host, pathname } = new URL(typed);
      const path = pathname.replace(/\/+$/u, "") || "/";
      expect(shown).toMatchObject({ host, pathname: path, username: "", password: "", search: "", hash: "" });
    }),
    { numRuns: budget(20_000) },
  );
  expect(withoutCredentials("http://127.0.0.1:18310/x@y")).toBe("http://127.0.0.1:18310/x@y");
});

it.each(["user:hunter2@host", "http://user:hun/ter2@host", "hunter2@host", "host?token=hunter2"])(
  "what is no URL shows none: %s",
  (typed) => {
    expect(withoutCredentials(typed)).not.toMatch(/hun/);
  },
);

it.each(["http://127.0.0.1:99999/x@evil.com", "http://host:1 /x@evil.com", "ftp://host/x@evil.com", "host/x@evil.com"])(
  "what is no URL names no host behind an @: %s",
  (typed) => {
    expect(withoutCredentials(typed)).not.toMatch(/evil/);
  },
);
