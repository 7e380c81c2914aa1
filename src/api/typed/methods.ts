import type { Fields, OperationName, Shape, Tables, ValueOf } from "../operations/index.ts";
import type { CursorPageOf, PageOf, Shapes, Writables } from "./response-types.ts";

/**
 * Sends the operations of the interface by their names. Path and query parameters are members of the input, and the content of a write
 * is its `body`.
 */
export interface TypedClient {
  /** One operation. A list returns one page. With `format: "csv"` the result is the unchanged body of the answer. */
  readonly call: {
    <N extends CsvName>(name: N, input: Input<Tables[N]> & { readonly format: "csv" }): Promise<Uint8Array>;
    <N extends OperationName>(name: N, ...input: OptionalIfEmpty<PlainInput<Tables[N]>>): Promise<Result<Tables[N]>>;
  };
  /** All rows of a list, page after page. */
  readonly each: <N extends ListName>(
    name: N,
    input: Input<Tables[N]>,
  ) => AsyncGenerator<ShapeOf<Tables[N]>, void, undefined>;
}

type AnyRow = Tables[OperationName];
type NameWith<Part> = { [N in OperationName]: Tables[N] extends Part ? N : never }[OperationName];
type ListName = NameWith<{ readonly response: "page" | "cursor" }>;
type CsvName = NameWith<{ readonly query: { readonly format: unknown } }>;

type PlainInput<O extends AnyRow> = O["query"] extends { readonly format: unknown }
  ? Omit<Input<O>, "format"> & { readonly format?: "json" }
  : Input<O>;
type OptionalIfEmpty<I> = Partial<I> extends I ? [input?: I] : [input: I];

type Input<O extends AnyRow> = PathInput<O["path"]> & QueryInput<O["query"]> & BodyInput<O["body"], O["success"]>;

type PathInput<P extends string> = { readonly [K in ParameterOf<P>]: string | number };
type ParameterOf<P extends string> = P extends `${infer Head}/${infer Tail}`
  ? ParameterOf<Head> | ParameterOf<Tail>
  : P extends `:${infer Name}`
    ? Name
    : never;

type QueryInput<Q> = { readonly [K in keyof Q]?: Q[K] extends Fields[string] ? ValueOf<Q[K]> : never };

type BodyInput<B, Success> = B extends { readonly type: "parameters"; readonly fields: infer F extends Fields }
  ? { readonly body: ParameterInput<F> }
  : B extends { readonly type: "resource"; readonly resource: infer R extends keyof Writables }
    ? WrittenInput<B, R, Success>
    : unknown;

type WrittenInput<B, R extends keyof Writables, Success> = Success extends 201
  ? { readonly body: Writables[R] }
  : B extends { readonly list: true }
    ? { readonly body: Writables[R] | readonly Writables[R][] }
    : { readonly body?: Partial<Writables[R]> & More<B> };

type More<B> = B extends { readonly more: infer F extends Fields } ? ParameterInput<F> : unknown;
type ParameterInput<F extends Fields> = { readonly [K in keyof F]?: ValueOf<F[K]> };

type ShapeOf<O extends AnyRow> = O["shape"] extends Shape ? Shapes[O["shape"]] : undefined;

type Result<O extends AnyRow> = O["response"] extends "page"
  ? PageOf<ShapeOf<O>>
  : O["response"] extends "cursor"
    ? CursorPageOf<ShapeOf<O>>
    : O["response"] extends "list"
      ? ShapeOf<O> | readonly ShapeOf<O>[]
      : O["response"] extends "none"
        ? undefined
        : ShapeOf<O> | (O["mayBeEmpty"] extends true ? undefined : never);
