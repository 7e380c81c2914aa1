import type { Body, Field, Fields, DocumentResource, Shape } from "./operation-field.ts";

export type { Body, Field, Fields, DocumentResource, Shape } from "./operation-field.ts";

/** The format of a path parameter. Deployed servers answer 500 to malformed ids, so they are refused before sending. */
export type ParameterType = "string" | "uuid" | "integer";

/** The types of the fields of a row, by path with dots. */
export type RowTexts = Readonly<Record<string, "text" | "text or null" | "text, null or nothing">>;

/** One operation of the interface, as data: everything that is needed to send it. */
export interface Operation {
  /** The name by which commands and kinds call it, such as `domains.update`. */
  readonly name: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** `/api/organizations/:organization_id/domains/:id`, without the trailing slash that requests carry. */
  readonly path: string;
  /** Path parameters by name. */
  readonly params: Readonly<Record<string, ParameterType>>;
  readonly query: Fields;
  /** Null if the request has no body. */
  readonly body: Body | null;
  /** What the API key must be permitted, such as `insight:read`: its scope. Null if the document lists none. */
  readonly permission: string | null;
  /** Status of success in the document. Deployed servers differ, so any 2xx counts. 405: always refused. */
  readonly success: number;
  /** `page`: read by offset, with a count. `cursor`: each page names the next one, and nothing is counted. */
  readonly response: "page" | "cursor" | "object" | "list" | "none";
  /** The type of the object or of each element, or null if the answer has none. */
  readonly shape: Shape | null;
  /**
   * The fields that identify the rows of a list, by path with dots. A row that lacks one could be any object, so such a list
   * does not prove that an object is absent.
   */
  readonly rows?: RowTexts | undefined;
  /** Whether the document has the operation at all. */
  readonly document: boolean;
  /** Whether the document describes it in full, instead of only naming it. */
  readonly shown: boolean;
  /** The section of the document, or another source. */
  readonly source: string;
  /**
   * `create` makes another object each time it is sent, so it is never resent if the outcome is unclear. `read` has no visible
   * effect, even if its method is POST. Read mode nevertheless sends nothing but GET, and calculate mode nothing but reads.
   */
  readonly effect: "read" | "create" | "idempotent";
  /** The effect that no other operation can undo, or null. */
  readonly irreversible: string | null;
  /** Set if the user must type the name of the removed object. The operation that reads that name. */
  readonly confirmBy?: string | undefined;
  /** Set if the service always refuses the operation. What to do instead. */
  readonly instead?: string | undefined;
  /**
   * Set if a success may say that something is not so yet: the field of the answer that is true once it is, and the code of the refusal
   * if it was so before.
   */
  readonly until?: { readonly field: string; readonly already: string } | undefined;
  /** Set if deployed servers may answer without a body. */
  readonly mayBeEmpty?: true | undefined;
  /** The rate limit of deployed servers that counts it. */
  readonly budget: "insights" | "queries" | "others";
}

/** The properties that all operations of a family share. `path` is the prefix. */
export type Common = Pick<Operation, "path" | "params" | "source"> & {
  readonly resource: DocumentResource;
  /** False if the document lacks the family. */
  readonly document?: boolean;
  /** Rows that the document only names. */
  readonly named?: readonly string[];
  readonly budget?: Operation["budget"];
};

/** The properties of one operation of a family. */
export interface OperationRow {
  readonly method: Operation["method"];
  /** The path after the family's prefix. */
  readonly path: string;
  /** As in {@link Operation}. */
  readonly permission: string | null;
  /** Default: 200. */
  readonly success?: number;
  /** Default: an object. */
  readonly response?: Operation["response"];
  /** Set if it is not the family's resource. */
  readonly shape?: Shape;
  readonly query?: Fields;
  /** Default: the family's resource for POST and PATCH, none for other methods. */
  readonly body?: Body;
  /** Set if it does not follow from the method. */
  readonly effect?: Operation["effect"];
  readonly irreversible?: string;
  readonly confirmBy?: string;
  readonly instead?: string;
  readonly until?: Operation["until"];
  readonly mayBeEmpty?: true;
  readonly rows?: RowTexts;
  readonly source?: string;
}

/** The parameters of every list (document, Conventions 5). */
export const PAGING = { limit: { type: "integer" }, offset: { type: "integer" } } as const satisfies Fields;

/** An operation with literal types for everything in its row. */
export type OperationOf<N extends string, C extends Common, R extends OperationRow> = Omit<
  Operation,
  "name" | keyof LiteralsOf<C, R>
> & { readonly name: N } & LiteralsOf<C, R>;

interface LiteralsOf<C extends Common, R extends OperationRow> {
  readonly path: `${C["path"]}${R["path"]}`;
  readonly query: (R extends { readonly query: infer Q extends Fields } ? Q : None) &
    (ResponseOf<R> extends "page" ? typeof PAGING : None);
  readonly body: R extends { readonly body: infer B extends Body }
    ? B
    : R["method"] extends "POST" | "PATCH"
      ? { readonly type: "resource"; readonly resource: C["resource"] }
      : null;
  readonly success: R extends { readonly success: infer S extends number } ? S : 200;
  readonly response: ResponseOf<R>;
  readonly shape: ResponseOf<R> extends "none"
    ? null
    : R extends { readonly shape: infer S extends Shape }
      ? S
      : C["resource"];
  readonly mayBeEmpty: R extends { readonly mayBeEmpty: true } ? true : undefined;
}

type ResponseOf<R extends OperationRow> = R extends { readonly response: infer S extends Operation["response"] }
  ? S
  : "object";

// oxlint-disable-next-line typescript/no-generated-empty-object-type -- no fields is what is meant
type None = Readonly<Record<never, Field>>;

/** A table of operations by name. */
export type Table<P extends string, C extends Common, R extends Readonly<Record<string, OperationRow>>> = {
  readonly [K in keyof R & string as `${P}.${K}`]: OperationOf<`${P}.${K}`, C, R[K]>;
};

/** The operations of a family, named `family.row`. */
export function family<
  const P extends string,
  const C extends Common,
  const R extends Readonly<Record<string, OperationRow>>,
>(name: P, common: C, rows: R): Table<P, C, R> {
  const entries = Object.entries(rows).map(([key, row]) => [`${name}.${key}`, operation(name, key, common, row)]);
  return Object.fromEntries(entries) as Table<P, C, R>;
}

/**
 * The rows of the five operations that most families have, which need the permissions `OBJECT:read` and `OBJECT:write`.
 *
 * @param rows what identifies the rows of the list
 * @param irreversible what a delete does that nothing can undo
 */
// oxlint-disable-next-line typescript/explicit-function-return-type -- the table is its type
export function standardRows<const Name extends string>(
  object: Name,
  { rows, irreversible }: Required<Pick<OperationRow, "rows" | "irreversible">>,
) {
  const [read, write] = [`${object}:read`, `${object}:write`] as const;
  return {
    list: { method: "GET", path: "", permission: read, response: "page", rows },
    create: { method: "POST", path: "", permission: write, success: 201 },
    get: { method: "GET", path: "/:id", permission: read },
    update: { method: "PATCH", path: "/:id", permission: write },
    delete: { method: "DELETE", path: "/:id", permission: write, success: 204, response: "none", irreversible },
  } as const satisfies Readonly<Record<string, OperationRow>>;
}

const BY_METHOD: Readonly<Record<Operation["method"], Operation["effect"]>> = {
  GET: "read",
  POST: "create",
  PATCH: "idempotent",
  DELETE: "idempotent",
};

function operation(prefix: string, key: string, common: Common, row: OperationRow): Operation {
  const path = common.path + row.path;
  const used = path.split("/").flatMap((segment) => (segment.startsWith(":") ? [segment.slice(1)] : []));
  const document = common.document ?? true;
  const only = common.named?.includes(key) === true;
  const { response = "object", success = 200 } = row;
  return {
    name: `${prefix}.${key}`,
    method: row.method,
    path,
    params: Object.fromEntries(used.map((name) => [name, common.params[name] ?? "string"])),
    query: { ...(response === "page" ? PAGING : {}), ...row.query },
    body: row.body ?? bodyOf(row, common),
    permission: row.permission,
    success,
    response,
    rows: row.rows,
    shape: response === "none" ? null : (row.shape ?? common.resource),
    document,
    shown: document && !only,
    source: only ? `${common.source} (only named)` : (row.source ?? common.source),
    effect: row.effect ?? BY_METHOD[row.method],
    irreversible: row.irreversible ?? null,
    confirmBy: row.confirmBy,
    instead: row.instead,
    until: row.until,
    mayBeEmpty: row.mayBeEmpty,
    budget: common.budget ?? "others",
  };
}

function bodyOf({ method }: OperationRow, { resource }: Common): Body | null {
  return method === "POST" || method === "PATCH" ? { type: "resource", resource } : null;
}

/** The type of the values that a parameter accepts. */
export type ValueOf<F extends Field> = F extends { readonly values: readonly (infer V)[] }
  ? V
  : F["type"] extends "string" | "date"
    ? string
    : F["type"] extends "integer" | "number"
      ? number
      : F["type"] extends "boolean"
        ? boolean
        : F["type"] extends "breakdown"
          ? string | readonly number[]
          : F["type"] extends "array"
            ? readonly unknown[]
            : F["type"] extends "object"
              ? Readonly<Record<string, unknown>>
              : unknown;
