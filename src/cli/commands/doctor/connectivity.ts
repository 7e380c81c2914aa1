import { ApiError } from "../../../api/errors/errors.ts";
import { isCertificateError } from "../../../api/errors/from-network.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../model/json.ts";
import { EXIT } from "../../exit-codes.ts";
import type { Runtime } from "../../runtime.ts";
import { ok, type Finding } from "./report.ts";
import type { ServiceProbe } from "./probe.ts";

/** A clock that is off by less is none to talk about. Milliseconds; `Date` counts in seconds. */
const TOLERANCE = 60_000;

/** What the first request told. */
export interface Connectivity {
  readonly findings: readonly Finding[];
  /** Whether there is any use in going on. */
  readonly accepted: boolean;
  /** Some organization of the key's. */
  readonly organization: JsonObject | undefined;
}

/** Sends the first request: whether the service is there, proves itself, keeps the time, and takes the key. */
export async function checkConnectivity(runtime: Runtime, visit: ServiceProbe): Promise<Connectivity> {
  const before = runtime.clock.now();
  const { body, error } = await visit.get("organizations.list", {}, { limit: 1 });
  const reached = error === undefined || error.status !== null;
  const findings = [reachable(visit, error), tls(visit.client.url, error), clock(visit, before, runtime.clock.now())];
  if (!reached || (error !== undefined && !isAboutKey(error)))
    return { findings, accepted: false, organization: undefined };
  const refused = error?.kind === "auth";
  const found: Finding = refused
    ? {
        check: "key_accepted",
        subject: null,
        status: "error",
        message: error.message,
        fix: error.hint,
        exitCode: EXIT.denied,
      }
    : ok("key_accepted", "the service knows the key");
  return { findings: [...findings, found], accepted: !refused, organization: firstRow(body) };
}

function reachable({ client }: ServiceProbe, error: ApiError | undefined): Finding {
  if (error === undefined || isAboutKey(error)) return ok("reachable", `${client.url} answers`);
  return { check: "reachable", subject: null, status: "error", message: error.message, fix: error.hint };
}

/** An answer that is about the key comes from the service; anything else may come from anywhere. */
function isAboutKey({ kind }: ApiError): boolean {
  return kind === "auth" || kind === "scope";
}

function tls(url: string, error: ApiError | undefined): Finding {
  const about = { check: "tls", subject: null } as const;
  const { protocol, hostname } = new URL(url);
  if (protocol === "http:") {
    if (/^(localhost|127(\.\d+){3}|\[::1\])$/u.test(hostname))
      return ok("tls", "none, but the service is on this machine");
    const message = "none: the key and all data go over the network in clear";
    return { ...about, status: "warning", message, fix: "Use a URL of https." };
  }
  if (error === undefined || error.status !== null) return ok("tls", "the certificate is trusted");
  if (isCertificateError(error)) return { ...about, status: "error", message: error.message, fix: error.hint };
  return {
    ...about,
    status: "unknown",
    message: "no connection came about",
    fix: "Look at what is said of reachable.",
  };
}

function clock(visit: ServiceProbe, before: number, after: number): Finding {
  const about = { check: "clock", subject: null } as const;
  const date = visit.head()?.headers["date"];
  const theirs = Date.parse(typeof date === "string" ? date : "");
  if (Number.isNaN(theirs)) {
    const message = "the service does not tell its time";
    return { ...about, status: "unknown", message, fix: "Make sure that this machine sets its clock by the network." };
  }
  const skew = theirs - (before + after) / 2;
  const seconds = Math.round(Math.abs(skew) / 1000);
  if (Math.abs(skew) < TOLERANCE) return ok("clock", "this machine and the service agree");
  const message = `this machine is ${String(seconds)} s ${skew > 0 ? "behind" : "ahead of"} the service`;
  return { ...about, status: "warning", message, fix: "Have this machine set its clock by the network (NTP)." };
}

/** The first row of a page. */
export function firstRow(body: Json | undefined): JsonObject | undefined {
  const results = isJsonObject(body) ? body["results"] : undefined;
  const first: Json | undefined = Array.isArray(results) ? (results as readonly Json[])[0] : undefined;
  return isJsonObject(first) ? first : undefined;
}
