import type { Body, Field, Fields, Resource, Shape } from "./operation-field.ts";

export type { Body, Field, Fields, Resource, Shape } from "./operation-field.ts";

/** What a path parameter may look like. Malformed ids answer 500 on deployed servers, so they are refused before sending. */
export type ParameterType = "string" | "uuid" | "integer";

/** What the fields of a row hold, by path with dots. */
export type RowTexts = Readonly<Record<string, "text" | "text or null" | "text, null or nothing">>;

/** One operation of the interface, as data: everything that sending it needs to know. */
export interface Operation {
  /** `domains.update`: how commands and kinds call it. */
  readonly name: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** `/api/organizations/:organization_id/domains/:id`, without the trailing slash that requests carry. */
  readonly path: string;
  /** Path parameters by name. */
  readonly params: Readonly<Record<string, ParameterType>>;
  readonly query: Fields;
  /** Null where none is sent. */
  readonly body: Body | null;
  /** Scope that the API key needs; null where the document lists none. */
  readonly scope: string | null;
  /** Status of success in the document. Deployed servers differ, so any 2xx counts. 405: always refused. */
  readonly success: number;
  readonly response: "page" | "object" | "list" | "none";
  /** What the object, or each element, is; null where there is none. */
  readonly shape: Shape | null;
  /**
   * By which fields the rows of a list are told apart, by path with dots. A row that lacks one could be any object: of such a
   * list, nothing can be said to be absent.
   */
  readonly rows?: RowTexts | undefined;
  /** Whether the operation is one of the document's at all. */
  readonly document: boolean;
  /** Whether the document shows it in full, rather than only naming it. */
  readonly shown: boolean;
  /** Section of the document, or where else it is known from. */
  readonly source: string;
  /**
   * `create` makes one more of something each time it is sent, so it is never sent again where the outcome is unclear.
   * `read` changes nothing that anybody could see, whatever its method; read mode still sends nothing but GET.
   */
  readonly effect: "read" | "create" | "idempotent";
  /** What it does that no other operation undoes; null where there is nothing. */
  readonly irreversible: string | null;
  /** Set where the name of what it removes has to be typed. Names the operation that tells it. */
  readonly confirmBy?: string | undefined;
  /** What to do in place of an operation that the service always refuses. */
  readonly instead?: string | undefined;
  /** Set where deployed servers answer without a body. */
  readonly mayBeEmpty?: true | undefined;
  /** Set where deployed servers answer 500 whatever is sent. */
  readonly failsOnDeployed?: true | undefined;
  /** Which rate limit of deployed servers it counts against. */
  readonly budget: "insights" | "others";
  /** Query that makes paging stable, beyond the document: only the `posthog` profile sends it, and only if it is taken. */
  readonly listQuery?: Readonly<Record<string, string | boolean>> | undefined;
}

/** What the operations of a family have in common. `path` is the prefix. */
export type Common = Pick<Operation, "path" | "params" | "source"> & {
  readonly resource: Resource;
  /** False where the document has no such family. */
  readonly document?: boolean;
  /** Rows that the document only names. */
  readonly named?: readonly string[];
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
  /** Only where it is not the family's resource. */
  readonly shape?: Shape;
  readonly query?: Fields;
  /** Only where it is not the family's resource for POST and PATCH, and nothing otherwise. */
  readonly body?: Body;
  /** Only where the method does not tell. */
  readonly effect?: Operation["effect"];
  readonly irreversible?: string;
  readonly confirmBy?: string;
  readonly instead?: string;
  readonly mayBeEmpty?: true;
  readonly rows?: RowTexts;
  readonly source?: string;
}

/** The parameters of every list (document, Conventions 5). */
export const PAGING = { limit: { type: "integer" }, offset: { type: "integer" } } as const satisfies Fields;

/** An operation of which the types know what its row says. */
export type OperationOf<N extends string, C extends Common, R extends Row> = Omit<
  Operation,
  "name" | keyof Known<C, R>
> & { readonly name: N } & Known<C, R>;

interface Known<C extends Common, R extends Row> {
  readonly path: `${C["path"]}${R["path"]}`;
  readonly query: (R extends { readonly query: infer Q extends Fields } ? Q : None) &
    (R["response"] extends "page" ? typeof PAGING : None);
  readonly body: R extends { readonly body: infer B extends Body }
    ? B
    : R["method"] extends "POST" | "PATCH"
      ? { readonly type: "resource"; readonly resource: C["resource"] }
      : null;
  readonly success: R["success"];
  readonly response: R["response"];
  readonly shape: R["response"] extends "none"
    ? null
    : R extends { readonly shape: infer S extends Shape }
      ? S
      : C["resource"];
  readonly mayBeEmpty: R extends { readonly mayBeEmpty: true } ? true : undefined;
}

// oxlint-disable-next-line typescript/no-generated-empty-object-type -- no fields is what is meant
type None = Readonly<Record<never, Field>>;

/** A table of operations by name. */
export type Table<P extends string, C extends Common, R extends Readonly<Record<string, Row>>> = {
  readonly [K in keyof R & string as `${P}.${K}`]: OperationOf<`${P}.${K}`, C, R[K]>;
};

/** The operations of a family, named `family.row`. */
export function family<const P extends string, const C extends Common, const R extends Readonly<Record<string, Row>>>(
  name: P,
  common: C,
  rows: R,
): Table<P, C, R> {
  const entries = Object.entries(rows).map(([key, row]) => [`${name}.${key}`, operation(name, key, common, row)]);
  return Object.fromEntries(entries) as Table<P, C, R>;
}

const BY_METHOD: Readonly<Record<Operation["method"], Operation["effect"]>> = {
  GET: "read",
  POST: "create",
  PATCH: "idempotent",
  DELETE: "idempotent",
};

function operation(prefix: string, key: string, common: Common, row: Row): Operation {
  const path = common.path + row.path;
  const used = path.split("/").flatMap((segment) => (segment.startsWith(":") ? [segment.slice(1)] : []));
  const document = common.document ?? true;
  const only = common.named?.includes(key) === true;
  return {
    name: `${prefix}.${key}`,
    method: row.method,
    path,
    params: Object.fromEntries(used.map((name) => [name, common.params[name] ?? "string"])),
    query: { ...(row.response === "page" ? PAGING : {}), ...row.query },
    body: row.body ?? bodyOf(row, common),
    scope: row.scope,
    success: row.success,
    response: row.response,
    rows: row.rows,
    shape: row.response === "none" ? null : (row.shape ?? common.resource),
    document,
    shown: document && !only,
    source: only ? `${common.source} (only named)` : (row.source ?? common.source),
    effect: row.effect ?? BY_METHOD[row.method],
    irreversible: row.irreversible ?? null,
    confirmBy: row.confirmBy,
    instead: row.instead,
    mayBeEmpty: row.mayBeEmpty,
    budget: common.budget ?? "others",
  };
}

function bodyOf({ method }: Row, { resource }: Common): Body | null {
  return method === "POST" || method === "PATCH" ? { type: "resource", resource } : null;
}

/** Type of what a parameter takes. */
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
