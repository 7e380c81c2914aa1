import type { KindName } from "../model/kind-name.ts";
import type { Calculations } from "./calculation.ts";

/** The fields that the numbers of a kind's objects depend on. If none of them changes, the numbers do not. */
export function fieldsOfNumbers(kind: KindName): readonly string[] {
  return kind === "insight" ? ["query", "filters"] : [];
}

/** Loads how these numbers are asked for, which most runs do not need. */
export async function loadCalculations(): Promise<Calculations> {
  return (await import("./insight/calculation/question.ts")).CALCULATIONS;
}
