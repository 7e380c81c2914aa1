import { ApiError } from "../../../api/errors/errors.ts";
import { isCertificateError } from "../../../api/errors/from-network.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../model/json.ts";
import { type Hint, hintText } from "../../../model/command.ts";
import { otherRegionHint } from "../../../model/service-url.ts";
import { EXIT } from "../../exit-codes.ts";
import type { Runtime } from "../../runtime.ts";
import { ok, type Finding, fixOf } from "./report.ts";
import type { ServiceProbe } from "./probe.ts";

/** Smaller differences of the clocks are ignored: the `Date` header has whole seconds. Milliseconds. */
const TOLERANCE = 60_000;

/** The findings of the first request. */
export interface Connectivity {
  readonly findings: readonly Finding[];
  /** Whether the service accepts the key, so that further checks make sense. */
  readonly accepted: boolean;
  /** The first organization that the key can read. */
  readonly organization: JsonObject | undefined;
}

/** Sends the first request. It shows whether the service is reachable and accepts the key, and checks TLS and clocks. */
export async function checkConnectivity(runtime: Runtime, probe: ServiceProbe): Promise<Connectivity> {
  const before = runtime.clock.now();
  const { body, error } = await probe.get("organizations.list", {}, { limit: 1 });
  const reached = error === undefined || error.status !== null;
  const findings = [
    reachableFinding(probe, error),
    tlsFinding(probe.client.url, error),
    clockFinding(probe, before, runtime.clock.now()),
  ];
  if (!reached || (error !== undefined && !isAboutKey(error)))
    return { findings, accepted: false, organization: undefined };
  const refused = error?.kind === "auth";
  const found: Finding = refused
    ? {
        check: "key_accepted",
        subject: null,
        status: "error",
        message: error.message,
        ...fixOf(refusedKeyHint(error, probe.client.url)),
        exitCode: EXIT.denied,
      }
    : ok("key_accepted", "the service accepts the key");
  return { findings: [...findings, found], accepted: !refused, organization: firstRow(body) };
}

function refusedKeyHint({ hint }: ApiError, url: string): Hint {
  const region = otherRegionHint(url);
  return region === undefined ? hint : `${hintText(hint)} ${region}`;
}

function reachableFinding({ client }: ServiceProbe, error: ApiError | undefined): Finding {
  if (error === undefined || isAboutKey(error)) return ok("reachable", `${client.url} answers`);
  return { check: "reachable", subject: null, status: "error", message: error.message, ...fixOf(error.hint) };
}

/** Only the service itself refuses a key. Other errors may come from a proxy or from another server. */
function isAboutKey({ kind }: ApiError): boolean {
  return kind === "auth" || kind === "scope";
}

function tlsFinding(url: string, error: ApiError | undefined): Finding {
  const about = { check: "tls", subject: null } as const;
  const { protocol, hostname } = new URL(url);
  if (protocol === "http:") {
    if (/^(localhost|127(\.\d+){3}|\[::1\])$/u.test(hostname))
      return ok("tls", "not encrypted, but the service is on this machine");
    const message = "not encrypted: the key and all data can be read on the network";
    return { ...about, status: "warning", message, fix: "Use an https:// URL." };
  }
  if (error === undefined || error.status !== null) return ok("tls", "the certificate is trusted");
  if (isCertificateError(error)) return { ...about, status: "error", message: error.message, ...fixOf(error.hint) };
  return {
    ...about,
    status: "unknown",
    message: "could not connect",
    fix: 'See the "reachable" check.',
  };
}

function clockFinding(probe: ServiceProbe, before: number, after: number): Finding {
  const about = { check: "clock", subject: null } as const;
  const date = probe.lastHead?.headers["date"];
  const theirs = Date.parse(typeof date === "string" ? date : "");
  if (Number.isNaN(theirs)) {
    const message = "the service sends no Date header";
    return { ...about, status: "unknown", message, fix: "Make sure that this machine synchronizes its clock (NTP)." };
  }
  const skew = theirs - (before + after) / 2;
  const seconds = Math.round(Math.abs(skew) / 1000);
  if (Math.abs(skew) < TOLERANCE) return ok("clock", "the clocks of this machine and of the service agree");
  const message = `the clock of this machine is ${String(seconds)} s ${skew > 0 ? "behind" : "ahead of"} the service's`;
  return { ...about, status: "warning", message, fix: "Synchronize the clock of this machine (NTP)." };
}

/** Returns the first row of a page. */
export function firstRow(body: Json | undefined): JsonObject | undefined {
  const results = isJsonObject(body) ? body["results"] : undefined;
  const first: Json | undefined = Array.isArray(results) ? (results as readonly Json[])[0] : undefined;
  return isJsonObject(first) ? first : undefined;
}
