import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor, registerRequestSecrets } from "../../../../src/api/redact/redact.ts";
import type { Json } from "../../../../src/model/json/json.ts";
import { budget } from "../../../support/budget.ts";

const SECRET = `p&ss/w"rd\\+ ü?`;

function redactorOf(...secrets: readonly string[]) {
  const redactor = createRedactor();
  for (const secret of secrets) redactor.add(secret);
  return redactor;
}

describe("a text", () => {
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  const forms: Readonly<Record<string, string>> = {
    plain: SECRET,
    "JSON-escaped": JSON.stringify(SECRET).slice(1, -1),
    "JSON-escaped as ASCII": JSON.stringify(SECRET).slice(1, -1).replace("ü", "\\u00fc"),
    "JSON inside JSON": JSON.stringify(JSON.stringify(SECRET)).slice(3, -3),
    "URL-escaped": encodeURIComponent(SECRET),
    "URL-escaped in lower case": encodeURIComponent(SECRET).replaceAll(/%../g, (escape) => escape.toLowerCase()),
    "form-escaped": new URLSearchParams({ a: SECRET }).toString().slice(2),
    base64: base64(SECRET),
    "base64 without padding": base64(SECRET).replaceAll("=", ""),
    base64url: Buffer.from(SECRET).toString("base64url"),
    "in lower case": SECRET.toLowerCase(),
    "in HTML": `p&amp;ss/w&quot;rd\\+ ü?`,
    "in HTML with numbers": `p&amp;ss/w&#34;rd\\+ &#252;?`,
    "in HTML with hexadecimal numbers": `p&amp;ss/w&quot;rd\\+ &#xfc;?`,
    "a text of Python": `p&ss/w"rd\\\\+ ü?`,
    "a text of Python in ASCII": `p&ss/w"rd\\\\+ \\xfc?`,
    "bytes of Python": `p&ss/w"rd\\\\+ \\xc3\\xbc?`,
    "a text of Python in JSON": `p&ss/w\\"rd\\\\\\\\+ ü?`,
  };
  for (const [form, text] of Object.entries(forms)) {
    it(`loses a secret that is ${form}`, () => {
      expect(redactorOf(SECRET).text(`before ${text} after`)).toMatch(/^before \[redacted\]=* after$/);
    });
  }

  it.each([
    ["repr", 'it\'s "ü"\n', String.raw`it\'s "ü"\n`],
    ["repr without double quotes", "it's ü\u0007", String.raw`it's ü\x07`],
    ["ascii", "it's €😀", String.raw`it's \u20ac\U0001f600`],
    ["escape of Django", "it's <b>&", "it&#x27;s &lt;b&gt;&amp;"],
    ["escape of MarkupSafe", `it's "b"`, "it&#39;s &#34;b&#34;"],
    ["entities of Java", "it's €😀", "it&apos;s &#8364;&#128512;"],
  ])("loses a secret as %s writes it", (_what, secret, text) => {
    expect(redactorOf(secret).text(`<${text}>`)).toMatch(/^<\[redacted\](?:\\n)?>$/);
  });

  it("loses a secret in base64 of a longer text, at any position", () => {
    const secret = "hunter2-hunter2";
    for (const user of ["", "a", "ab", "abc"]) {
      const text = redactorOf(secret).text(base64(`${user}:${secret}`));
      expect(Buffer.from(text.replace("[redacted]", ""), "base64").toString()).not.toContain("unter2");
      expect(text).toContain("[redacted]");
    }
  });

  it("loses the longer secret completely if another secret is a part of it", () => {
    expect(redactorOf("abcd", "abcdefgh").text("x abcdefgh y")).toBe("x [redacted] y");
  });

  it("loses single lines of a secret of several lines", () => {
    expect(redactorOf("first-line-of-key\nsecond-line-of-key").text("quoted: second-line-of-key")).toBe(
      "quoted: [redacted]",
    );
  });

  it("takes a secret literally, not as a pattern", () => {
    expect(redactorOf("a.c(d").text("abc(d a.c(d")).toBe("abc(d [redacted]");
  });

  it("loses bearer tokens that were not added", () => {
    expect(redactorOf().text("Authorization: Bearer xyz and bearer a.b-c=")).toBe(
      "Authorization: Bearer [redacted] and bearer [redacted]",
    );
  });

  it("is not changed by a short or empty secret", () => {
    expect(redactorOf("", "1", "abc").text('{"version": 1, "abc": "12"}')).toBe('{"version": 1, "abc": "12"}');
  });

  it("never shows any secret", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 4 }), fc.string(), fc.string(), (secret, before, after) => {
        fc.pre(!"[redacted]".includes(secret) && !secret.includes("[") && !secret.includes("]"));
        // The text around the secret must not form another copy of it together with the replacement.
        const text = redactorOf(secret).text(`${before}${secret}${after}`);
        expect(text.replaceAll("[redacted]", "\n\n\n\n")).not.toContain(secret);
      }),
      { numRuns: budget(100) },
    );
  });
});

describe("a JSON value", () => {
  it("loses values under the name of a secret, at any depth and of any type except booleans", () => {
    const value = {
      name: "kept",
      aws_secret_access_key: "a",
      deep: [{ Password: 7, api_token: ["a", "b"], privateKey: { pem: "x" }, "X-Api-Key": "k", token: "t" }],
      authorization: "Basic x",
      passphrase: null,
      field: { key: "k", secret: true },
    };
    const hidden = { sensitive: true };
    expect(redactorOf().json(value)).toEqual({
      name: "kept",
      aws_secret_access_key: hidden,
      deep: [{ Password: hidden, api_token: hidden, privateKey: hidden, "X-Api-Key": hidden, token: hidden }],
      authorization: hidden,
      passphrase: null,
      field: { key: "k", secret: true },
    });
  });

  it("loses secrets inside strings and keys, and numbers that are secrets", () => {
    expect(redactorOf("hunter2", "12345").json({ note: "it is hunter2", hunter2: 1, port: 12345 })).toEqual({
      note: "it is [redacted]",
      "[redacted]": 1,
      port: "[redacted]",
    });
  });

  it("loses a string that equals a short secret", () => {
    expect(redactorOf("abc").json(["abc", "abcd"])).toEqual(["[redacted]", "abcd"]);
  });

  it("keeps a key named __proto__ a plain key", () => {
    const value = JSON.parse('{"__proto__": {"password": "x"}}') as Json;
    const redacted = redactorOf().json(value);
    expect(JSON.stringify(redacted)).toBe('{"__proto__":{"password":{"sensitive":true}}}');
    expect(Object.getPrototypeOf(redacted)).toBe(Object.prototype);
  });
});

describe("the address of a proxy", () => {
  it.each([
    ["a user and a password", "http://ada:hunter2@proxy:80", ["hunter2", btoa("ada:hunter2")]],
    ["a user alone, which is a token", "http://t0ken@proxy:80", ["t0ken", btoa("t0ken:")]],
    ["a user with an empty password", "t0ken:@proxy:80", ["t0ken", btoa("t0ken:")]],
    ["an @ in its password", "http://ada:hun@ter2@proxy:80", ["hun@ter2", "hun%40ter2", btoa("ada:hun@ter2")]],
    ["a percent-encoding", "http://ada:hun%23ter2@proxy:80", ["hun%23ter2", "hun#ter2", btoa("ada:hun#ter2")]],
    ["an encoded user", "http://t%23ken@proxy:80", ["t%23ken", "t#ken"]],
    ["what a URL encodes in a part", 'http://ada:h&n"ter2@proxy:80', ['h&n"ter2', "h&n%22ter2"]],
    ["a / in its password, which is no URL", "http://ada:hun/ter2@proxy:80", ["hun/ter2"]],
    ["no credentials", "http://proxy:8080/path", []],
  ])("is redacted with %s", (_name, url, secrets) => {
    const redactor = createRedactor();
    registerRequestSecrets({ HTTPS_PROXY: url }, redactor);
    for (const secret of secrets) expect(redactor.text(`so ${secret} it is`)).toBe("so [redacted] it is");
    expect(redactor.text("proxy 8080 path")).toBe("proxy 8080 path");
  });
});

describe("a text of our own", () => {
  const hash = `sha256:${"1234567890abcdef".repeat(4)}`;

  it("keeps its hashes and longer numbers if a secret is a few digits", () => {
    const text = `--approve ${hash}, port 51234, id 0190aa11-1234abcd`;
    expect(redactorOf("1234").text(text)).toBe(text);
    expect(redactorOf("1234").text("pin 1234, or pin=1234.")).toBe("pin [redacted], or pin=[redacted].");
  });

  it("loses a long number at any position", () => {
    expect(redactorOf("7493018265").text("x7493018265x")).toBe("x[redacted]x");
  });

  it("is not held by a text about bearers, which is redacted all the same", () => {
    const redactor = redactorOf("hunter2");
    expect(["bearer token hunter2", "bearer token"].map(redactor.holds)).toEqual([true, false]);
    expect(redactor.text("bearer token hunter2")).toBe("bearer [redacted] [redacted]");
  });
});

describe("text that looks like a secret", () => {
  it("is a private key, whole or cut", () => {
    const pem = "-----BEGIN RSA PRIVATE KEY-----\nMIIEabc\n-----END RSA PRIVATE KEY-----";
    const shown = "-----BEGIN RSA PRIVATE KEY-----[redacted]";
    expect(redactorOf().text(`a ${pem} b`)).toBe(`a ${shown}-----END RSA PRIVATE KEY----- b`);
    expect(redactorOf().text(`a ${pem.slice(0, 36)}...`)).toBe(`a ${shown}`);
    expect(redactorOf().json({ note: pem })).toEqual({ note: `${shown}-----END RSA PRIVATE KEY-----` });
  });

  it("is the password of a URL", () => {
    expect(redactorOf().text("see postgres://ada:pa:s@s@db:5432/x and https://a.b:80/c@d")).toBe(
      "see postgres://ada:[redacted]@db:5432/x and https://a.b:80/c@d",
    );
  });

  it("is what a header has after Basic", () => {
    for (const text of [
      "Authorization: Basic dXM6cHc=",
      `{"authorization": "basic dXM6cHc="}`,
      "authorization=Basic dXM6cHc=",
    ])
      expect(redactorOf().text(text)).toBe(text.replace("dXM6cHc=", "[redacted]"));
    expect(redactorOf().text("a basic plan")).toBe("a basic plan");
  });

  it.each(["private_token", "access_token", "token", "key", "api_key", "apiKey", "X-Amz-Credential", "client_secret"])(
    "is %s in the query of a URL",
    (name) => {
      for (const start of ["?", "?a=b&", "?a=b&amp;", "/x?ref=main&", "#", "?a=b#c=d&"]) {
        const url = `https://git.acme.com/p.git${start}${name}=`;
        expect(redactorOf().text(`'${url}glpat-1.x_%2F~' and ${url}y#z`)).toBe(
          `'${url}[redacted]' and ${url}[redacted]#z`,
        );
        expect(redactorOf().json({ url: `${url}x` })).toEqual({ url: `${url}[redacted]` });
      }
      expect(redactorOf().text(`?${name}=\${secret:X} ?keyword=a&tokens=3`)).toBe(
        `?${name}=\${secret:X} ?keyword=a&tokens=3`,
      );
    },
  );

  it("is found in linear time", () => {
    const redactor = redactorOf("hunter2-hunter2");
    const evil = [
      "a.",
      "bearer ",
      " ",
      "-----BEGIN PRIVATE KEY-----",
      "x://:",
      "u:",
      "http://u:p",
      "-----BEGIN A ",
      "?key=",
      "&a.b-",
      "authorization: ",
    ];
    const before = performance.now();
    for (const text of evil) redactor.text(`bearer${text.repeat(100_000)}`);
    expect(performance.now() - before).toBeLessThan(20_000);
  });
});
