import { serviceUrl } from "../../../api/http/service-url.ts";
import { queryString, requestPath, type Query } from "../../../api/http/request-path.ts";
import { originOf } from "../../../api/errors/from-response.ts";
import type { NamedOperation } from "../../../api/operations/index.ts";
import type { Json } from "../../../model/json/json.ts";
import { sanitize } from "../../../model/text/quote.ts";
import { safeJson } from "../../../report/escape.ts";
import type { Runtime } from "../../runtime.ts";

/** A request that was checked and can be sent. */
export interface CallRequest {
  readonly operation: NamedOperation;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Json | undefined;
}

/** Shows the whole request for `--dry-run`, without secrets. @throws ApiError if the URL or the path is invalid */
export function preview(runtime: Runtime, service: string, request: CallRequest, format: "text" | "json"): string {
  const { operation, path, query, body } = request;
  const url = serviceUrl(service, runtime.redactor);
  const base = `${url.origin}${url.pathname.replace(/\/+$/u, "")}`;
  const target = runtime.redactor.text(`${base}${requestPath(originOf(operation), path)}${queryString(query)}`);
  const redacted = body === undefined ? undefined : runtime.redactor.json(body);
  if (format === "json") {
    const { name, method, permission, effect, irreversible } = operation;
    const head = { type: "driftline.request", schema_version: 1, operation: name, method, url: target };
    return safeJson({ ...head, scope: permission, effect, irreversible, body: redacted ?? null });
  }
  const lines = [
    `${operation.method} ${sanitize(target)}`,
    // The variable stands for the key, so the line can be used as it is.
    "authorization: Bearer $DRIFTLINE_API_KEY",
    ...(redacted === undefined ? [] : ["content-type: application/json", "", safeJson(redacted).trimEnd()]),
    ...(operation.irreversible === null ? [] : ["", `# cannot be undone: it ${operation.irreversible}`]),
  ];
  return `${lines.join("\n")}\n`;
}
