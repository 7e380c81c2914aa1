import { isSensitive, type Json } from "../model/json.ts";
import type { Entry } from "./diff/entries.ts";
import { appearance, escapeAll } from "./escape.ts";
import { isMultiline, isShort } from "./rows.ts";
import { flow, inline, NOT_SET, type ValueNames } from "./value.ts";

/** A difference that fits behind its path. The texts are sanitized. */
export type ShortEntry =
  | { readonly type: "pair"; readonly prior: string; readonly planned: string }
  | { readonly type: "set"; readonly removed: readonly string[]; readonly added: readonly string[] }
  /** A secret that the service does not show, so it is not known whether it differs. */
  | { readonly type: "secret" };

/** Returns the entry on one line; undefined if it needs rows of its own. `names` are the words for values at its path. */
export function shortEntry(entry: Entry, names: ValueNames, isTopLevel: boolean): ShortEntry | undefined {
  switch (entry.type) {
    case "text":
      if (isMultiline(entry.prior) || isMultiline(entry.planned)) return undefined;
      return { type: "pair", ...quotedPair(entry) };
    case "set": {
      const areShort = [...entry.removed, ...entry.added].every(isShort);
      return areShort ? { type: "set", removed: entry.removed.map(flow), added: entry.added.map(flow) } : undefined;
    }
    case "list":
      return undefined;
    case "value": {
      const { prior, planned } = entry;
      if (isSent(prior, planned)) return { type: "secret" };
      if (!isOneLine(prior) || !isOneLine(planned)) return undefined;
      const text = (value: Json | undefined): string => {
        if (value === undefined) return NOT_SET;
        return value === null && !isTopLevel ? flow(value) : inline(value, names);
      };
      return { type: "pair", prior: text(prior), planned: text(planned) };
    }
  }
}

function isOneLine(value: Json | undefined): boolean {
  return typeof value === "string" ? !isMultiline(value) : isShort(value ?? null);
}

/** Whether a secret is sent whose earlier value is unknown. */
function isSent(prior: Json | undefined, planned: Json | undefined): boolean {
  if (planned === undefined || !isSensitive(planned)) return false;
  return prior === undefined || prior === null || isSensitive(prior);
}

/** Both texts in quotes. If they look alike, everything beyond ASCII is an escape. */
function quotedPair({ prior, planned }: { readonly prior: string; readonly planned: string }) {
  const show = (text: string): string =>
    appearance(prior) === appearance(planned) ? escapeAll(inline(text)) : inline(text);
  return { prior: show(prior), planned: show(planned) };
}
