import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { MAX_BODY, type Exchange } from "./transport.ts";

/** An exchange whose body is as it was before it was compressed, or why that cannot be had. */
export type Decoded =
  | Exchange
  | (Pick<Extract<Exchange, { readonly type: "answer" }>, "status" | "headers"> & {
      readonly type: "undecodable";
      /** `cut` where the rest of it has not arrived. */
      readonly problem: "cut" | "encoded";
      readonly because: string;
    });

type Decoder = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Uint8Array>;

const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/**
 * Undoes the one encoding that a body came in, which need not be one that was asked for: some gateways compress whatever they pass
 * on. A few bytes may stand for gigabytes, so that no more is taken than of a body that is not compressed.
 */
export async function decode(exchange: Exchange): Promise<Decoded> {
  if (exchange.type !== "answer") return exchange;
  const { status, headers, body } = exchange;
  const encoding = [headers["content-encoding"] ?? ""].flat().join(",").trim().toLowerCase();
  if (encoding === "" || encoding === "identity" || body.length === 0) return exchange;
  const undecodable = { type: "undecodable", status, headers } as const;
  const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  const named = /^[a-z0-9-]{1,20}$/u.test(encoding) ? encoding : "a way that is not known";
  if (decoder === undefined) return { ...undecodable, problem: "encoded", because: `its body is encoded in ${named}` };
  try {
    return { ...exchange, body: await decoder(body, { maxOutputLength: MAX_BODY }) };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ERR_BUFFER_TOO_LARGE") return { type: "too_large", status, headers };
    if (code === "Z_BUF_ERROR") return { ...undecodable, problem: "cut", because: `its body is no whole ${named}` };
    return { ...undecodable, problem: "encoded", because: `its body is said to be ${named}, but is not` };
  }
}
