import { ApiError } from "../../../api/errors/errors.ts";
import { isCertificateError } from "../../../api/errors/from-network.ts";
import { kinds } from "../../../kinds/registry.ts";
import type { JsonObject } from "../../../model/json.ts";
import { type Hint, hintText } from "../../../model/command.ts";
import { otherRegionHint } from "../../../model/service-url.ts";
import { EXIT } from "../../exit-codes.ts";
import type { Runtime } from "../../runtime.ts";
import { ok, problem, type Finding } from "./report.ts";
import type { PathIds, ServiceProbe } from "./probe.ts";

/** Smaller differences of the clocks are ignored: the `Date` header has whole seconds. Milliseconds. */
const TOLERANCE = 60_000;

/** The findings of the first request. */
export interface Connectivity {
  readonly findings: readonly Finding[];
  /** Whether the service accepts the key, so that further checks make sense. */
  readonly accepted: boolean;
  /** The ids of the first organization that the key can read, and of its first project. Requests can be tried with them. */
  readonly pathIds: PathIds;
}

/** Sends the first request. It shows whether the service is reachable and accepts the key, and checks TLS and clocks. */
export async function checkConnectivity(runtime: Runtime, probe: ServiceProbe): Promise<Connectivity> {
  const before = runtime.clock.now();
  const { rows, error } = await probe.get("organizations.list", {}, { limit: 1 });
  const findings = [
    reachableFinding(probe, error),
    tlsFinding(probe.client.url, error),
    clockFinding(probe, before, runtime.clock.now()),
  ];
  if (error !== undefined && !isAboutKey(error)) return { findings, accepted: false, pathIds: {} };
  const refused = error?.kind === "auth";
  const found = refused
    ? problem("key_accepted", "error", {
        message: error.message,
        hint: refusedKeyHint(error, probe.client.url),
        exitCode: EXIT.denied,
      })
    : ok("key_accepted", "the service accepts the key");
  return { findings: [...findings, found], accepted: !refused, pathIds: firstPathIds(rows[0]) };
}

/** The ids of an organization and of its first project. */
function firstPathIds(organization: JsonObject | undefined): PathIds {
  const id = organization?.["id"];
  if (organization === undefined || typeof id !== "string") return {};
  const [team] = kinds.organization.asScope?.projects(organization) ?? [];
  return { organization_id: id, ...(team === undefined ? {} : { project_id: team.id }) };
}

function refusedKeyHint({ hint }: ApiError, url: string): Hint {
  const region = otherRegionHint(url);
  return region === undefined ? hint : `${hintText(hint)} ${region}`;
}

function reachableFinding({ client }: ServiceProbe, error: ApiError | undefined): Finding {
  if (error === undefined || isAboutKey(error)) return ok("reachable", `${client.url} answers`);
  return problem("reachable", "error", error);
}

/** Only the service itself refuses a key. Other errors may come from a proxy or from another server. */
function isAboutKey({ kind }: ApiError): boolean {
  return kind === "auth" || kind === "scope";
}

function tlsFinding(url: string, error: ApiError | undefined): Finding {
  const { protocol, hostname } = new URL(url);
  if (protocol === "http:") {
    if (/^(localhost|127(\.\d+){3}|\[::1\])$/u.test(hostname))
      return ok("tls", "not encrypted, but the service is on this machine");
    const message = "not encrypted: the key and all data can be read on the network";
    return problem("tls", "warning", { message, hint: "Use an https:// URL." });
  }
  if (error === undefined || error.status !== null) return ok("tls", "the certificate is trusted");
  if (isCertificateError(error)) return problem("tls", "error", error);
  return problem("tls", "unknown", { message: "could not connect", hint: 'See the "reachable" check.' });
}

function clockFinding(probe: ServiceProbe, before: number, after: number): Finding {
  const date = probe.lastHead?.headers["date"];
  const theirs = Date.parse(typeof date === "string" ? date : "");
  if (Number.isNaN(theirs)) {
    const hint = "Make sure that this machine synchronizes its clock (NTP).";
    return problem("clock", "unknown", { message: "the service sends no Date header", hint });
  }
  const skew = theirs - (before + after) / 2;
  const seconds = Math.round(Math.abs(skew) / 1000);
  if (Math.abs(skew) < TOLERANCE) return ok("clock", "the clocks of this machine and of the service agree");
  const message = `the clock of this machine is ${String(seconds)} s ${skew > 0 ? "behind" : "ahead of"} the service's`;
  return problem("clock", "warning", { message, hint: "Synchronize the clock of this machine (NTP)." });
}
