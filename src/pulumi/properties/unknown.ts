import { isJsonObject, type Json } from "../../model/json.ts";

/** Stands in a preview for what will be known later. Equals `pulumi.runtime.unknownValue`, which is not imported for it. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Whether a value, or anything in it, is not known yet. */
export function hasUnknown(value: Json | undefined): boolean {
  if (value === UNKNOWN) return true;
  if (Array.isArray(value)) return value.some((item: Json) => hasUnknown(item));
  return isJsonObject(value) && Object.values(value).some((item) => hasUnknown(item));
}
