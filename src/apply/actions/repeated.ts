import type { ValueObject } from "../../model/json.ts";
import type { LiveObject } from "../../model/live.ts";
import type { Task } from "../task.ts";

/** The body of a PATCH with the fields that keep their live values only if it repeats them. */
export function withRepeated({ kind }: Task, body: ValueObject, { values }: LiveObject): ValueObject {
  return { ...kind.writes.repeated?.(values), ...body };
}
