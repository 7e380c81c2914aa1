import { joinWords } from "../../model/text/plural.ts";
import { isProfile, PROFILES } from "../../model/profile.ts";
import type { Json } from "../../model/json/json.ts";

/** The settings of a provider. They are in the schema as well. */
export const SETTINGS = ["url", "apiKey", "profile", "self", "settleAfter", "maxRequestsPerMinute"] as const;

export type Setting = (typeof SETTINGS)[number];

const NUMBERS: ReadonlySet<string> = new Set<Setting>(["settleAfter", "maxRequestsPerMinute"]);

/** The variable of the environment with the same meaning. */
export function variableOf(name: Setting): string {
  return `DRIFTLINE_${name.replaceAll(/[A-Z]/g, "_$&").toUpperCase()}`;
}

/** Why a setting cannot have a value, as the end of a sentence. The configuration of a stack comes as text. */
export function settingProblem(name: Setting, value: Json): string | undefined {
  if (NUMBERS.has(name) && !(Number(value) > 0)) return "must be a number above 0";
  return name === "profile" && !isProfile(value) ? `must be ${joinWords(PROFILES, "or")}` : undefined;
}
