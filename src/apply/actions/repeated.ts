import { own, type ValueObject } from "../../model/json.ts";
import type { LiveObject } from "../../model/live.ts";
import type { Task } from "../task.ts";

/** The body of a PATCH with the fields that keep their live values only if it repeats them. */
export function withRepeated({ kind }: Task, body: ValueObject, { values }: LiveObject): ValueObject {
  const kept = (kind.writes.repeated ?? []).flatMap((field) => {
    const value = own(values, field);
    return value === undefined || Object.hasOwn(body, field) ? [] : [[field, value] as const];
  });
  return { ...body, ...Object.fromEntries(kept) };
}
