import { own } from "../../model/json/json.ts";
import type { Profile } from "../../model/profile.ts";
import { InvalidArgumentError } from "commander";
import type { Format } from "../../report/options.ts";
import { invalidError } from "../failure.ts";

/** Options of the commands that read a configuration. */
export interface ConfigOptions {
  readonly var?: readonly string[];
  readonly vars?: readonly string[];
  readonly verbose?: boolean;
  /** False with `--no-programs`. */
  readonly programs?: boolean | "skip";
}

/** Options of the commands that send requests. */
export interface ServiceOptions {
  readonly url?: string | undefined;
  readonly profile: Profile;
  readonly maxRequestsPerMinute?: number;
  readonly progress: "text" | "json";
  readonly verbose?: boolean;
}

/** The options of the effect. Limit and totals ask for the effect as well. */
export interface EffectFlags {
  readonly effect?: boolean;
  readonly effectLimit?: number;
  readonly effectTotals?: boolean;
}

/** How many insights are calculated if no option says it. */
export const DEFAULT_EFFECT_LIMIT = 20;

export interface FormatOptions {
  readonly format: Format;
  /** Reports that are written into files as well. */
  readonly reports?: readonly ReportFile[];
}

export interface QuietOptions {
  readonly quiet?: boolean;
}

/** The options of `init` that answer its questions. */
export const initAnswers = ["organization", "project", "kind", "out"] as const;

/** The shells that `completion` writes scripts for. */
export const shells = ["bash", "zsh", "fish"] as const;

export type Shell = (typeof shells)[number];

export function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}

/** Parses a port; 0 stands for a free one. */
export function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (port > 65_535) throw new InvalidArgumentError("It must be at most 65535.");
  return port;
}

export function positiveInteger(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError("It must be a whole number above 0.");
  return Number(text);
}

const HOUR = 60;
const MINUTES: Readonly<Record<string, number>> = { m: 1, h: HOUR, d: 24 * HOUR, w: 7 * 24 * HOUR, y: 365 * 24 * HOUR };
/** What can be written, as the rest of a sentence. */
const AGES = "30m, 12h, 7d, 2w or 1y";

/**
 * The time that `30m`, `12h`, `7d`, `2w` and `1y` ago, or a date such as 2026-11-01, stand for. Milliseconds since
 * 1970, NaN for another text.
 *
 * @throws EngineError if it is in the future
 */
export function sinceWhen(text: string, now: number): number {
  const [, count, unit = ""] = /^(\d{1,4})([mhdwy])$/u.exec(text) ?? [];
  if (count !== undefined) return now - Number(count) * (own(MINUTES, unit) ?? 0) * 60_000;
  const time = /^\d{4}-\d\d-\d\d/u.test(text) ? Date.parse(text) : Number.NaN;
  if (time <= now || Number.isNaN(time)) return time;
  const hint = `It is ${new Date(now).toISOString().slice(0, 16)}Z now. Write a time in the past, or ${AGES}.`;
  throw invalidError("usage", `--since ${text} is in the future`, hint);
}

/** Parses the option `--since`, which stays text: suggested commands repeat it. */
export function sinceText(text: string): string {
  if (Number.isNaN(sinceWhen(text, Infinity)))
    throw new InvalidArgumentError(`Write ${AGES}, or a date such as 2026-11-01.`);
  return text;
}

/** One report, and where it goes. */
export interface ReportFile {
  readonly format: Format;
  readonly file: string;
}
