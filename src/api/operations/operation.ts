/** What a path parameter may look like. Malformed ids answer 500 on deployed servers, so they are refused before sending. */
export type ParameterType = "string" | "uuid" | "integer";

export type QueryType = "string" | "integer" | "boolean";

/** One operation of the interface, as data: everything that sending it needs to know. */
export interface Operation {
  /** `domains.update`: how commands and kinds call it. */
  readonly name: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** `/api/organizations/:organization_id/domains/:id`, without the trailing slash that requests carry. */
  readonly path: string;
  /** Path parameters by name. */
  readonly params: Readonly<Record<string, ParameterType>>;
  readonly query: Readonly<Record<string, QueryType>>;
  /** Resource whose writable fields make the request body; null where none is sent. */
  readonly body: string | null;
  /** Scope that the API key needs; null where the document lists none. */
  readonly scope: string | null;
  /** Status of success in the document. Deployed servers differ, so any 2xx counts. */
  readonly success: number;
  readonly response: "page" | "object" | "none";
  /** Whether the interface document shows it. */
  readonly shown: boolean;
  /** Section of the document, or where else it is known from. */
  readonly source: string;
  /** `create` makes one more object each time it is sent, so it is never sent again where the outcome is unclear. */
  readonly effect: "read" | "create" | "idempotent";
  /** Set where deployed servers answer 500 whatever is sent. */
  readonly failsOnDeployed?: true | undefined;
  /** Which rate limit of deployed servers it counts against. */
  readonly budget: "insights" | "others";
  /** Query that makes paging stable, beyond the document: only the `posthog` profile sends it, and only if it is taken. */
  readonly listQuery?: Readonly<Record<string, string | boolean>> | undefined;
}

/** What the operations of a family have in common. `path` is the prefix. */
export type Common = Pick<Operation, "path" | "params" | "source"> & {
  readonly resource: string;
  readonly shown?: boolean;
  /** Names of rows that deployed servers answer 500 to. */
  readonly failing?: readonly string[];
  readonly budget?: Operation["budget"];
};

/** What tells an operation from the others of its family. */
export interface Row {
  readonly method: Operation["method"];
  /** What follows the family's prefix. */
  readonly path: string;
  readonly scope: string | null;
  readonly success: number;
  readonly response: Operation["response"];
  readonly query?: Operation["query"];
  /** Only where the method does not tell. */
  readonly effect?: Operation["effect"];
  readonly shown?: boolean;
  readonly listQuery?: Operation["listQuery"];
}

/** A table of operations by name. */
export type Table<P extends string, R> = { readonly [K in keyof R & string as `${P}.${K}`]: Operation };

/** The operations of a family, named `family.row`. */
export function family<P extends string, R extends Readonly<Record<string, Row>>>(
  name: P,
  common: Common,
  rows: R,
): Table<P, R> {
  const entries = Object.entries(rows).map(([key, row]) => [
    `${name}.${key}`,
    operation(`${name}.${key}`, common, row),
  ]);
  return Object.fromEntries(entries) as Table<P, R>;
}

const BY_METHOD: Readonly<Record<Operation["method"], Operation["effect"]>> = {
  GET: "read",
  POST: "create",
  PATCH: "idempotent",
  DELETE: "idempotent",
};

function operation(name: string, common: Common, row: Row): Operation {
  const path = common.path + row.path;
  const used = path.split("/").filter((segment) => segment.startsWith(":"));
  const paging: Operation["query"] = row.response === "page" ? { limit: "integer", offset: "integer" } : {};
  return {
    name,
    method: row.method,
    path,
    params: Object.fromEntries(used.map((segment) => [segment.slice(1), common.params[segment.slice(1)] ?? "string"])),
    query: { ...paging, ...row.query },
    body: row.method === "POST" || row.method === "PATCH" ? common.resource : null,
    scope: row.scope,
    success: row.success,
    response: row.response,
    shown: row.shown ?? common.shown ?? true,
    source: common.source,
    effect: row.effect ?? BY_METHOD[row.method],
    budget: common.budget ?? "others",
    failsOnDeployed: common.failing?.some((suffix) => name.endsWith(`.${suffix}`)) === true ? true : undefined,
    listQuery: row.listQuery,
  };
}
