/** Types of programs, in which a misspelt word or key is an error of the compiler. */

/** A word that driftline does not know, but the service does: `"month" as Other`. */
export type Other = string & { readonly isOther: true };

/** A destination with the keys of its type. Of an {@link Other} type, each key may be one. */
export type WithKeys<T> = T extends { readonly type: string; readonly config: object }
  ? string extends T["type"]
    ? Omit<T, "type"> & { readonly type: Other }
    : Omit<T, "config"> & { readonly config: OnlyNamedKeys<T["config"]> }
  : never;

/** An object without keys that the type has no name for. */
type OnlyNamedKeys<T> = { [K in keyof T as string extends K ? never : K]: T[K] };
