import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { MAX_BODY } from "./transport.ts";

/** A body as it was before it was compressed, or why it cannot be had. */
export type Decoded =
  | { readonly bytes: Uint8Array }
  | { readonly problem: "encoded" | "too_large"; readonly because: string };

const DECODERS: Readonly<Record<string, (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array>> = {
  gzip: gunzipSync,
  "x-gzip": gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/**
 * Undoes the one encoding that a body came in, although none was asked for: some gateways compress whatever they pass on. A
 * few bytes may stand for gigabytes, so that no more is taken than of a body that is not compressed.
 */
export function decode(bytes: Uint8Array, header: string | string[] | undefined): Decoded {
  const encoding = [header ?? ""].flat().join(",").trim().toLowerCase();
  if (encoding === "" || encoding === "identity" || bytes.length === 0) return { bytes };
  const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  const named = /^[a-z0-9-]{1,20}$/u.test(encoding) ? encoding : "a way that is not known";
  if (decoder === undefined) return { problem: "encoded", because: `its body is encoded in ${named}` };
  try {
    return { bytes: decoder(bytes, { maxOutputLength: MAX_BODY }) };
  } catch (error) {
    const isLarge = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    return isLarge
      ? { problem: "too_large", because: `its body is larger than ${String(MAX_BODY / 1024 / 1024)} MiB once unpacked` }
      : { problem: "encoded", because: `its body is said to be ${named}, but is not` };
  }
}
