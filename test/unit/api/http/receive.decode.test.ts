import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { decode, receive } from "../../../../src/api/http/receive.ts";
import { operations } from "../../../../src/api/operations/index.ts";
import type { Exchange } from "../../../../src/api/http/exchange.ts";

const TEXT = JSON.stringify({ id: "d-1", domain: "acme.com".repeat(50) });
const HALF = gzipSync(TEXT).subarray(0, 40);
const origin = {
  operation: { ...operations["domains.create"], name: "domains.create" as const },
  path: "/domains/",
  redact: (text: string) => text,
};

function answer(body: Uint8Array, encoding?: string, status = 201): Exchange {
  const headers = {
    "content-type": "application/json",
    ...(encoding === undefined ? {} : { "content-encoding": encoding }),
  };
  return { type: "answer", status, headers, body };
}

async function received(exchange: Exchange): Promise<unknown> {
  return receive({ origin, raw: false }, new URL("https://a.example"), await decode(exchange));
}

describe("a body", () => {
  it.each<[string, Uint8Array, string | undefined]>([
    ["as it is", Buffer.from(TEXT), undefined],
    ["as it is, said to be", Buffer.from(TEXT), "identity"],
    ["in gzip", gzipSync(TEXT), "GZIP"],
    ["in gzip by its old name", gzipSync(TEXT), "x-gzip"],
    ["in deflate", deflateSync(TEXT), "deflate"],
    ["in br", brotliCompressSync(TEXT), "br"],
  ])("%s is read", async (_name, body, encoding) => {
    expect(await received(answer(body, encoding))).toEqual({ status: 201, body: JSON.parse(TEXT) as unknown });
  });

  it.each<[string, Uint8Array, string, string]>([
    ["that was cut off is like any other half body: it may be asked for again", HALF, "gzip", "invalid_json"],
    ["that is not what it is said to be", Buffer.from(TEXT), "gzip", "encoded"],
    ["in two encodings", gzipSync(gzipSync(TEXT)), "gzip, gzip", "encoded"],
    ["in one that an object inherits", Buffer.from(TEXT), "constructor", "encoded"],
    ["that is too large once unpacked", gzipSync(Buffer.alloc(65 * 1024 * 1024)), "gzip", "too_large"],
  ])("%s: the write may have happened", async (_name, body, encoding, code) => {
    expect(await received(answer(body, encoding))).toMatchObject({ kind: "protocol", code, tookEffect: "maybe" });
    // The status of an error is enough.
    expect(await received(answer(body, encoding, 400))).toMatchObject({ kind: "invalid", tookEffect: "no" });
  });
});
