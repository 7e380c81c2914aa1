import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { MAX_BODY, type Exchange } from "./transport.ts";

/** An exchange with a decompressed body, or why the body could not be decompressed. */
export type DecodedExchange =
  | Exchange
  | (Pick<Extract<Exchange, { readonly type: "answer" }>, "status" | "headers"> & {
      readonly type: "undecodable";
      /** `cut` if the rest of the body is missing. */
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
 * Decompresses the body of a response. Some gateways use an encoding that was not requested. A few compressed bytes can
 * expand to gigabytes, so the limit for plain bodies applies to the result as well.
 */
export async function decode(exchange: Exchange): Promise<DecodedExchange> {
  if (exchange.type !== "answer") return exchange;
  const { status, headers, body } = exchange;
  const encoding = [headers["content-encoding"] ?? ""].flat().join(",").trim().toLowerCase();
  if (encoding === "" || encoding === "identity" || body.length === 0) return exchange;
  const undecodable = { type: "undecodable", status, headers } as const;
  const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  const label = /^[a-z0-9-]{1,20}$/u.test(encoding) ? encoding : "an unknown way";
  if (decoder === undefined) return { ...undecodable, problem: "encoded", because: `its body is encoded in ${label}` };
  try {
    return { ...exchange, body: await decoder(body, { maxOutputLength: MAX_BODY }) };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ERR_BUFFER_TOO_LARGE") return { type: "too_large", status, headers };
    if (code === "Z_BUF_ERROR") return { ...undecodable, problem: "cut", because: `its body is incomplete ${label}` };
    return { ...undecodable, problem: "encoded", because: `its body is labelled as ${label}, but is not` };
  }
}
