import type { Fault } from "../../../src/emulator/index.ts";
import type { KindRequest } from "./requests.ts";

/** A fault of a request. */
export interface FaultRow {
  readonly name: string;
  readonly faults: (field: string, now: number) => readonly Fault[];
  /** The number of the first matching request that it hits; 1 by default. */
  readonly nth?: number;
  /** Whether it also hits all later ones. */
  readonly lasting?: boolean;
  /** Whether it can hit a request. */
  readonly on: (request: KindRequest) => boolean;
  /** Whether the client's own time-outs end the request. */
  readonly timesOut?: boolean;
  /** Whether the connection is refused, so that the emulator never receives the request. */
  readonly refused?: boolean;
  /** Whether the service itself creates two objects. Both have to be reported, because only a person can choose one. */
  readonly doubles?: boolean;
}

const any = (): boolean => true;
const reads = ({ operation }: KindRequest): boolean => operation.method === "GET";
const writes = (request: KindRequest): boolean => !reads(request);
const lists = ({ role }: KindRequest): boolean => role === "list";
const creates = ({ role }: KindRequest): boolean => role === "create";
/** Whether the answer has a body. */
const answers = ({ operation }: KindRequest): boolean => operation.response !== "none";
const writesFields = ({ role }: KindRequest): boolean => role === "create" || role === "update";
const showsFields = ({ role }: KindRequest): boolean => ["list", "get", "create", "update"].includes(role);

type Options = Partial<Omit<FaultRow, "name" | "faults">>;

function row(name: string, fault: Fault | readonly Fault[], options: Options = {}): FaultRow {
  const all = "type" in fault ? [fault] : fault;
  return { name, faults: () => all, on: any, ...options };
}

/** A fault before the work is done, after it, and during the whole run. */
function everyWay(name: string, fault: Fault): readonly FaultRow[] {
  return [
    row(name, fault),
    row(`${name}, after the work`, [fault, { type: "process-first" }], { on: writes }),
    row(`${name}, lasting`, fault, { lasting: true }),
  ];
}

const status = (code: number): Fault => ({ type: "status", status: code });
const text = (body: string, contentType = "application/json"): Fault => ({
  type: "answer",
  status: 200,
  text: body,
  contentType,
});
/** Longer than the client's time-out, and within the time that a request may take. Milliseconds. */
const LATE = 20_000;
const FINAL = [400, 401, 403, 404, 405, 409, 410, 412, 413, 415, 422, 423, 425];

/** Every fault of a request. */
export const FAULTS: readonly FaultRow[] = [
  row("connection refused", [], { refused: true }),
  row("connection refused, lasting", [], { refused: true, lasting: true }),
  row("reset before the work", { type: "drop-before" }),
  row("reset before the work, lasting", { type: "drop-before" }, { lasting: true }),
  row("reset after the work", { type: "process-then-drop" }),
  row("reset after the work, lasting", { type: "process-then-drop" }, { lasting: true }),
  row("half of the headers", { type: "half-headers" }),
  row("headers without the body", { type: "headers-only" }, { on: answers }),
  row("half of the body", { type: "half-body" }, { on: answers }),
  row("half of the chunks", { type: "half-chunked" }, { on: answers }),
  row("half of the body, lasting", { type: "half-body" }, { on: answers, lasting: true }),
  row("hang-up after an answer", { type: "hang-up" }),
  row("too late, before the work", { type: "delay-before", ms: LATE }, { timesOut: true }),
  row("too late, before the work, lasting", { type: "delay-before", ms: LATE }, { timesOut: true, lasting: true }),
  row("too late, after the work", { type: "delay-after", ms: LATE }, { timesOut: true }),
  // After its first byte, because the answer to a pause or an unpause is short.
  row("body that stalls", { type: "slow-drip", bytes: 1, ms: LATE }, { timesOut: true, on: answers }),
  row("slow drip", { type: "slow-drip", bytes: 100, ms: 1 }, { on: answers }),
  ...everyWay("502 in HTML", { type: "html-502" }),
  ...everyWay("500", status(500)),
  ...everyWay("503", status(503)),
  ...everyWay("504", status(504)),
  ...everyWay("408", status(408)),
  row("501", status(501)),
  row("507", status(507)),
  row("429 in seconds", { type: "throttle", retryAfter: 52 }),
  {
    name: "429 with a date",
    faults: (_field, now) => [{ type: "throttle", retryAfter: new Date(now + 30_000) }],
    on: any,
  },
  row("429 without a word", { type: "throttle", retryAfter: null }),
  row("429 for longer than a run", { type: "throttle", retryAfter: 7_200 }),
  row("429, lasting", { type: "throttle", retryAfter: null }, { lasting: true }),
  ...everyWay("200 without a body", text("")),
  ...everyWay("200 in HTML", text("<html>Log in</html>", "text/html")),
  ...everyWay("JSON that is none", text('{"id": 12, "name": ')),
  ...everyWay("JSON of another shape", text('{"status": "ok"}')),
  row("JSON that is null", [text("null"), { type: "process-first" }]),
  row("JSON that is an empty array", [text("[]"), { type: "process-first" }]),
  row("another content type", { type: "content-type", value: "text/plain" }, { on: answers }),
  row("redirect", { type: "redirect", location: "http://elsewhere.example/" }),
  row("redirect, after the work", [{ type: "redirect", location: "/login/" }, { type: "process-first" }], {
    on: writes,
  }),
  ...FINAL.map((code) => row(String(code), status(code))),
  ...[401, 403, 404].map((code) => row(`${String(code)}, lasting`, status(code), { lasting: true })),
  row("next on another host", { type: "wrong-next-host", origin: "http://elsewhere.example" }, { on: lists }),
  row("pages smaller than asked", { type: "clamp-limit", limit: 1 }, { on: lists }),
  row("pages smaller than asked, lasting", { type: "clamp-limit", limit: 1 }, { on: lists, lasting: true }),
  row("row moved between pages", { type: "move-row" }, { on: lists, nth: 2 }),
  row("row moved between pages, lasting", { type: "move-row" }, { on: lists, lasting: true }),
  row("count too high", { type: "lying-count", by: 1 }, { on: lists }),
  row("count too high, lasting", { type: "lying-count", by: 1 }, { on: lists, lasting: true }),
  row("count too low", { type: "lying-count", by: -1 }, { on: lists }),
  row("count too low, lasting", { type: "lying-count", by: -1 }, { on: lists, lasting: true }),
  row("row twice", { type: "duplicate-row" }, { on: lists }),
  row("row twice, lasting", { type: "duplicate-row" }, { on: lists, lasting: true }),
  row("row left out", { type: "short-page" }, { on: lists }),
  row("row left out, lasting", { type: "short-page" }, { on: lists, lasting: true }),
  row("stale read", { type: "stale-read" }, { on: reads }),
  { name: "field ignored", faults: (field) => [{ type: "ignore-field", field }], on: writesFields },
  {
    name: "field ignored, lasting",
    faults: (field) => [{ type: "ignore-field", field }],
    on: writesFields,
    lasting: true,
  },
  { name: "field missing in the answer", faults: (field) => [{ type: "drop-field", field }], on: showsFields },
  { name: "field masked in the answer", faults: (field) => [{ type: "mask-field", field }], on: showsFields },
  row("created twice by the service", { type: "duplicate-create" }, { on: creates, doubles: true }),
];
