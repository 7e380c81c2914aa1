import type { Fields, OperationName, Shape, Tables, ValueOf } from "../operations/index.ts";
import type { CursorPageOf, PageOf, Shapes, Writables } from "./response-types.ts";

/**
 * The interface as methods, such as `client.batchExports.backfill({ organization_id, id, body })`. Path and query
 * parameters are members of the input, and the content of a write is its `body`. List methods return one page. For each
 * of them there is a method that ends in `Each`, such as `listEach`, which yields all rows, page after page.
 */
export type TypedClient = {
  readonly [F in FamilyName as Camel<F>]: {
    readonly [N in OperationName as N extends `${F}.${infer M}` ? Camel<M> : never]: Method<Tables[N]>;
  } & {
    readonly [
      N in OperationName as N extends `${F}.${infer M}`
        ? Tables[N]["response"] extends "page" | "cursor"
          ? `${Camel<M>}Each`
          : never
        : never
    ]: (input: Input<Tables[N]>) => AsyncGenerator<ShapeOf<Tables[N]>, void, undefined>;
  };
};

type FamilyName = OperationName extends infer N ? (N extends `${infer F}.${string}` ? F : never) : never;
type Camel<S extends string> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;
type AnyRow = Tables[OperationName];

/** With `format: "csv"` the result is the unchanged body of the answer. */
interface CsvMethod<O extends AnyRow> {
  (input: Input<O> & { readonly format: "csv" }): Promise<Uint8Array>;
  (input: Omit<Input<O>, "format"> & { readonly format?: "json" }): Promise<Result<O>>;
}

type PlainMethod<O extends AnyRow> =
  Partial<Input<O>> extends Input<O>
    ? (input?: Input<O>) => Promise<Result<O>>
    : (input: Input<O>) => Promise<Result<O>>;

type Method<O extends AnyRow> = O["query"] extends { readonly format: unknown } ? CsvMethod<O> : PlainMethod<O>;

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
