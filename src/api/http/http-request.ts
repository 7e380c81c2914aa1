import { version } from "../../generated/version.ts";
import { exactJson } from "../../model/json/exact-json.ts";
import type { PreparedRequest, SendingOptions } from "./request.ts";
import type { HttpRequest } from "./exchange.ts";

/** What goes over the wire: the address, the headers and the body. */
export function httpRequest(
  { service, key, program }: Pick<SendingOptions, "key" | "program"> & { readonly service: URL },
  { origin, query, body, raw, deadline, signal }: PreparedRequest,
): HttpRequest {
  const text = body === undefined ? undefined : exactJson(body);
  return {
    origin: service.origin,
    path: `${service.pathname.replace(/\/+$/u, "")}${origin.path}${query}`,
    method: origin.operation.method,
    headers: {
      authorization: `Bearer ${key}`,
      // Some servers reject a `format` in the query that the accept header does not allow.
      accept: raw ? "*/*" : "application/json",
      "accept-encoding": "gzip",
      "user-agent": `driftline/${version}${program === undefined ? "" : ` (${program})`}`,
      // Services note it beside each change. Some values switch to other rules, this one does not.
      "x-posthog-client": "driftline",
      ...(text === undefined ? {} : { "content-type": "application/json" }),
    },
    body: text,
    deadline,
    signal,
  };
}
