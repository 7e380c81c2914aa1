import { refusal } from "../http/errors.ts";
import { isObject } from "../json.ts";
import type { Answer, Tweaks } from "../http/call.ts";
import type { Fault } from "./fault.ts";
import type { Json } from "../json.ts";

/** The faults of one type. */
type Of<Type extends Fault["type"]> = Extract<Fault, { readonly type: Type }>;

/** Reports whether a fault of this type is in the list. */
export function has(faults: readonly Fault[], type: Fault["type"]): boolean {
  return faults.some((fault) => fault.type === type);
}

/** Lists the faults of one type. */
export function only<Type extends Fault["type"]>(faults: readonly Fault[], type: Type): readonly Of<Type>[] {
  return faults.filter((fault): fault is Of<Type> => fault.type === type);
}

/** Returns the changes that the faults make to the handling of a request by the service. */
export function tweaksOf(faults: readonly Fault[]): Tweaks {
  return {
    ignoredFields: only(faults, "ignore-field").map(({ field }) => field),
    clampLimit: only(faults, "clamp-limit").at(-1)?.limit,
    moveRow: has(faults, "move-row"),
    repeatRow: has(faults, "duplicate-row"),
    hideRow: has(faults, "short-page"),
    countOff: only(faults, "lying-count").reduce((sum, { by }) => sum + by, 0),
  };
}

/** Returns the answer that replaces the service's own answer, if a fault asks for one. */
export function insteadOf(faults: readonly Fault[]): Answer | undefined {
  if (has(faults, "html-502")) return htmlPage();
  const [throttle] = only(faults, "throttle");
  if (throttle !== undefined) return throttledAnswer(throttle);
  const [redirect] = only(faults, "redirect");
  if (redirect !== undefined) return { status: 307, raw: "", headers: { location: redirect.location } };
  const [other] = only(faults, "answer");
  if (other !== undefined) {
    const { status, text, contentType = "application/json" } = other;
    return { status, raw: text, headers: { "content-type": contentType } };
  }
  const [status] = only(faults, "status");
  if (status === undefined) return undefined;
  const error = refusal(status.status);
  return { status: error.status, body: error.body };
}

function htmlPage(): Answer {
  const page = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>";
  return { status: 502, raw: page, headers: { "content-type": "text/html" } };
}

function throttledAnswer({ retryAfter }: Of<"throttle">): Answer {
  const body = { type: "throttled_error", code: "throttled", detail: "Request was throttled.", attr: null };
  const value = retryAfter instanceof Date ? retryAfter.toUTCString() : String(retryAfter);
  return { status: 429, body, headers: retryAfter === null ? {} : { "retry-after": value } };
}

/** Applies the faults that change the headers or the body of an answer. */
export function bend(answer: Answer, faults: readonly Fault[]): Answer {
  const [type] = only(faults, "content-type");
  if (type !== undefined) {
    const headers = { ...answer.headers, "content-type": type.value };
    return bend(
      { ...answer, headers },
      faults.filter((fault) => fault !== type),
    );
  }
  const { body } = answer;
  if (body === undefined || faults.length === 0) return answer;
  const dropped = new Set(only(faults, "drop-field").map(({ field }) => field));
  const masks = new Map(only(faults, "mask-field").map(({ field, mask }) => [field, mask ?? "********"]));
  const visible = dropped.size + masks.size === 0 ? body : censor(body, dropped, masks);
  const [host] = only(faults, "wrong-next-host");
  return { ...answer, body: host === undefined ? visible : elsewhere(visible, host.origin) };
}

function censor(value: unknown, dropped: ReadonlySet<string>, masks: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => censor(item, dropped, masks));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([key]) => !dropped.has(key));
  return Object.fromEntries(entries.map(([key, inner]) => [key, masks.get(key) ?? censor(inner, dropped, masks)]));
}

function elsewhere(body: unknown, origin: string): unknown {
  if (!isObject(body)) return body;
  const move = (link: Json | undefined): Json =>
    typeof link === "string" ? new URL(new URL(link).pathname + new URL(link).search, origin).href : (link ?? null);
  return { ...body, next: move(body["next"]), previous: move(body["previous"]) };
}
