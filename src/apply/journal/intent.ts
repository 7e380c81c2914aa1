/** An object that is about to be created, and the objects that existed before. */
export interface Intent {
  readonly url: string;
  readonly kind: string;
  /** Ids of the scope, by the names of path parameters. */
  readonly scope: Readonly<Record<string, string>>;
  readonly key: string;
  /** Hash of the body, in which secrets count as their expressions. */
  readonly payload: string;
  /** Ids of the objects of this kind that existed before. */
  readonly known: readonly string[];
  /** Id of the object that the new one replaces. It is removed afterwards, and the intent stays open until then. */
  readonly replaces?: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** An intent whose outcome is unknown. */
export interface OpenIntent extends Intent {
  readonly id: string;
}

/** Identifies a create: two intents with the same values are about the same object. */
export type CreateKey = Pick<Intent, "url" | "kind" | "scope" | "key">;

export function isSameCreate(a: CreateKey, b: CreateKey): boolean {
  return a.url === b.url && a.kind === b.kind && a.key === b.key && isSamePath(a.scope, b.scope);
}

export function isSamePath(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  return Object.keys({ ...a, ...b }).every((key) => a[key] === b[key]);
}
