import { createHash } from "node:crypto";
import { writeCanonical } from "./json/canonical-json.ts";
import type { ValueObject } from "./json/json.ts";

/** SHA-256 of a value's canonical JSON, in the form that documents use. */
export function sha256(value: ValueObject): string {
  const hash = createHash("sha256");
  writeCanonical(value, (text) => hash.update(text));
  return `sha256:${hash.digest("hex")}`;
}
