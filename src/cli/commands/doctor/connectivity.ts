import { ApiError, isDenied } from "../../../api/errors/errors.ts";
import { isCertificateError } from "../../../api/errors/from-network.ts";
import type { Client, ResponseHead } from "../../../api/client.ts";
import { type Hint, hintText } from "../../../model/command.ts";
import { plural } from "../../../model/text/plural.ts";
import { sanitize } from "../../../model/text/quote.ts";
import type { ServiceSettings } from "../../../model/resource.ts";
import { isLoopback, otherRegionHint } from "../../../model/known-services.ts";
import { EXIT } from "../../exit-codes.ts";
import type { ServiceOptions } from "../../program/options.ts";
import type { Runtime } from "../../runtime.ts";
import { connect, type Connection } from "../../steps/connect.ts";
import { ok, problem, type DoctorFinding } from "./report.ts";

/** Smaller differences of the clocks are ignored: the `Date` header has whole seconds. Milliseconds. */
const TOLERANCE = 60_000;

/** Shorter than for other commands: a check that hangs does not help. Milliseconds. */
const DEADLINE = 10 * 60_000;
const TIMEOUTS = { connect: 5_000, headers: 20_000 };

/** A connection that sends GET only, and remembers what the checks need of the answers. */
export interface CheckedConnection extends Omit<Connection, "progress"> {
  readonly seen: { head?: ResponseHead; waitMs?: number };
}

/** Connects for the checks. Nothing is sent yet. */
export function connectToCheck(
  runtime: Runtime,
  options: ServiceOptions,
  configured: ServiceSettings | undefined,
): CheckedConnection {
  const seen: CheckedConnection["seen"] = {};
  const settings = { configured, mode: "read", deadlineMs: DEADLINE, timeouts: TIMEOUTS } as const;
  const { client, context, close } = connect(runtime, options, {
    ...settings,
    onEvent: ({ type, status, waitMs = 0 }) => {
      if (type === "throttled" || status === 429) seen.waitMs = Math.max(seen.waitMs ?? 0, waitMs);
    },
  });
  return { client, context, close, seen };
}

/** Sends the first request. It shows whether the service is reachable and accepts the key, and checks TLS and clocks. */
export async function checkConnectivity(
  runtime: Runtime,
  { client, seen }: CheckedConnection,
): Promise<{ readonly findings: readonly DoctorFinding[]; readonly isAccepted: boolean }> {
  const before = runtime.clock.now();
  const onResponse = (head: ResponseHead): void => void (seen.head = head);
  const error = await client.request("organizations.list", { query: { limit: 1 }, onResponse }).then(
    () => undefined,
    (thrown: unknown) => {
      if (thrown instanceof ApiError) return thrown;
      throw thrown;
    },
  );
  const findings = [
    reachableFinding(client, error),
    tlsFinding(client.url, error),
    clockFinding(seen.head, before, runtime.clock.now()),
  ];
  if (error !== undefined && !isDenied(error)) return { findings, isAccepted: false };
  if (error?.kind !== "auth")
    return { findings: [...findings, ok("key_accepted", "the service accepts the key")], isAccepted: true };
  const about = { message: error.message, hint: refusedKeyHint(error, client.url), exitCode: EXIT.denied };
  return { findings: [...findings, problem("key_accepted", "error", about)], isAccepted: false };
}

/** Reports whether a request of the checks met a rate limit, and the limits that the service states. */
export function rateLimitFinding({ client, seen }: CheckedConnection): DoctorFinding {
  const stated = Object.entries(seen.head?.headers ?? {}).flatMap(([name, value]) =>
    /^(x-)?ratelimit/u.test(name) && typeof value === "string" ? `; ${name}: ${sanitize(value)}` : [],
  );
  if (seen.waitMs === undefined)
    return ok("rate_limit", `not reached in ${plural(client.requests(), "request")}${stated.join("")}`);
  const wait = seen.waitMs === 0 ? "" : `, and asked for a wait of ${String(Math.ceil(seen.waitMs / 1000))} s`;
  const message = `reached: the service answered 429${wait}${stated.join("")}`;
  const hint = "Set --max-requests-per-minute below the limit, or run when nothing else uses the key.";
  return problem("rate_limit", "warning", { message, hint });
}

function refusedKeyHint({ hint }: ApiError, url: string): Hint {
  const region = otherRegionHint(url);
  return region === undefined ? hint : `${hintText(hint)} ${region}`;
}

function reachableFinding(client: Client, error: ApiError | undefined): DoctorFinding {
  // Only the service itself refuses a key. Other errors may come from a proxy or from another server.
  if (error === undefined || isDenied(error)) return ok("reachable", `${client.url} answers`);
  return problem("reachable", "error", error);
}

function tlsFinding(url: string, error: ApiError | undefined): DoctorFinding {
  if (new URL(url).protocol === "http:") {
    if (isLoopback(url)) return ok("tls", "not encrypted, but the service is on this machine");
    const message = "not encrypted: the key and all data can be read on the network";
    return problem("tls", "warning", { message, hint: "Use an https:// URL." });
  }
  if (error === undefined || error.status !== null) return ok("tls", "the certificate is trusted");
  if (isCertificateError(error)) return problem("tls", "error", error);
  return problem("tls", "unknown", { message: "could not connect", hint: 'See the "reachable" check.' });
}

function clockFinding(head: ResponseHead | undefined, before: number, after: number): DoctorFinding {
  const date = head?.headers["date"];
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
