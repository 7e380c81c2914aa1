/** JSON text in which an {@link ExactNumber} is a number, with the digits that the service sent. */
import { randomUUID } from "node:crypto";
import { ExactNumber } from "./json.ts";

/** @param indent spaces; without it the text is one line */
export function exactJson(value: unknown, indent?: number): string {
  const mark = randomUUID();
  let isMarked = false;
  const write = function (this: Readonly<Record<string, unknown>>, key: string, item: unknown): unknown {
    const original = this[key];
    if (!(original instanceof ExactNumber)) return item;
    isMarked = true;
    return mark + original.text;
  };
  const text = JSON.stringify(value, write, indent);
  return isMarked ? text.replaceAll(new RegExp(`"${mark}([^"]*)"`, "gu"), "$1") : text;
}
