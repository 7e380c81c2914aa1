import { errorOfStatus } from "../http/errors.ts";
import { isObject, type Json } from "../json.ts";
import type { Answer, Call, Tweaks } from "../http/call.ts";
import type { Fault } from "./fault.ts";

/** The faults of one type. */
type FaultOf<Type extends Fault["type"]> = Extract<Fault, { readonly type: Type }>;

/** Reports whether a fault of this type is in the list. */
export function hasFault(faults: readonly Fault[], type: Fault["type"]): boolean {
  return faults.some((fault) => fault.type === type);
}

/** Lists the faults of one type. */
export function faultsOfType<Type extends Fault["type"]>(
  faults: readonly Fault[],
  type: Type,
): readonly FaultOf<Type>[] {
  return faults.filter((fault): fault is FaultOf<Type> => fault.type === type);
}

/** Returns the changes that the faults make to the handling of a request by the service. */
export function tweaksFrom(faults: readonly Fault[]): Tweaks {
  return {
    ignoredFields: faultsOfType(faults, "ignore-field").map(({ field }) => field),
    clampLimit: faultsOfType(faults, "clamp-limit").at(-1)?.limit,
    moveRow: hasFault(faults, "move-row"),
    repeatRow: hasFault(faults, "duplicate-row"),
    hideRow: hasFault(faults, "short-page"),
    countOff: faultsOfType(faults, "lying-count").reduce((sum, { by }) => sum + by, 0),
  };
}

/**
 * The answer to a request as the faults require: instead of the service's own, as before the last write, or changed.
 *
 * @param process lets the service process the request; called twice for `duplicate-create`
 */
export function answerWithFaults(
  { method, service }: Pick<Call, "method" | "service">,
  faults: readonly Fault[],
  process: () => Answer,
): Answer {
  const replacement = replacementAnswer(faults);
  if (replacement !== undefined && !hasFault(faults, "process-first")) return replacement;
  const isStale = method === "GET" && hasFault(faults, "stale-read");
  const answer = isStale ? service.store.journal.before(process) : process();
  if (method === "POST" && answer.status === 201 && hasFault(faults, "duplicate-create")) process();
  return replacement ?? changeAnswer(answer, faults);
}

/** Returns the answer that replaces the service's own answer, if a fault asks for one. */
function replacementAnswer(faults: readonly Fault[]): Answer | undefined {
  if (hasFault(faults, "html-502")) return htmlPage();
  const [throttle] = faultsOfType(faults, "throttle");
  if (throttle !== undefined) return throttledAnswer(throttle);
  const [redirect] = faultsOfType(faults, "redirect");
  if (redirect !== undefined) return { status: 307, raw: "", headers: { location: redirect.location } };
  const [other] = faultsOfType(faults, "answer");
  if (other !== undefined) {
    const { status, text, contentType = "application/json" } = other;
    return { status, raw: text, headers: { "content-type": contentType } };
  }
  const [status] = faultsOfType(faults, "status");
  if (status === undefined) return undefined;
  const error = errorOfStatus(status.status);
  return { status: error.status, body: error.body };
}

function htmlPage(): Answer {
  const page = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>";
  return { status: 502, raw: page, headers: { "content-type": "text/html" } };
}

function throttledAnswer({ retryAfter }: FaultOf<"throttle">): Answer {
  const body = { type: "throttled_error", code: "throttled", detail: "Request was throttled.", attr: null };
  const value = retryAfter instanceof Date ? retryAfter.toUTCString() : String(retryAfter);
  return { status: 429, body, headers: retryAfter === null ? {} : { "retry-after": value } };
}

/** Applies the faults that change the headers or the body of an answer. */
function changeAnswer(answer: Answer, faults: readonly Fault[]): Answer {
  const [type] = faultsOfType(faults, "content-type");
  if (type !== undefined) {
    const headers = { ...answer.headers, "content-type": type.value };
    return changeAnswer(
      { ...answer, headers },
      faults.filter((fault) => fault !== type),
    );
  }
  const { body } = answer;
  if (body === undefined || faults.length === 0) return answer;
  const dropped = new Set(faultsOfType(faults, "drop-field").map(({ field }) => field));
  const masks = new Map(faultsOfType(faults, "mask-field").map(({ field, mask }) => [field, mask ?? "********"]));
  const visible = dropped.size + masks.size === 0 ? body : hideFields(body, dropped, masks);
  const [host] = faultsOfType(faults, "wrong-next-host");
  return { ...answer, body: host === undefined ? visible : moveLinks(visible, host.origin) };
}

function hideFields(value: unknown, dropped: ReadonlySet<string>, masks: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => hideFields(item, dropped, masks));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([key]) => !dropped.has(key));
  return Object.fromEntries(entries.map(([key, inner]) => [key, masks.get(key) ?? hideFields(inner, dropped, masks)]));
}

function moveLinks(body: unknown, origin: string): unknown {
  if (!isObject(body)) return body;
  const move = (link: Json | undefined): Json =>
    typeof link === "string" ? new URL(new URL(link).pathname + new URL(link).search, origin).href : (link ?? null);
  return { ...body, next: move(body["next"]), previous: move(body["previous"]) };
}
