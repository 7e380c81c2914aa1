/** What is about to be created, and what was there before. */
export interface Intent {
  readonly url: string;
  readonly kind: string;
  /** Ids of the scope, as its paths have them. */
  readonly scope: Readonly<Record<string, string>>;
  readonly key: string;
  /** Of what is sent, secrets as expressions. */
  readonly payload: string;
  /** Ids of the kind that were there before. */
  readonly known: readonly string[];
  /** Set where the object takes the place of this one, which is removed after it: the intent is open until then. */
  readonly replaces?: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** An intent of which the outcome is not known. */
export interface OpenIntent extends Intent {
  readonly id: string;
}

/** What tells creates apart. */
export type CreateKey = Pick<Intent, "url" | "kind" | "scope" | "key">;

export function isSameCreate(a: CreateKey, b: CreateKey): boolean {
  return a.url === b.url && a.kind === b.kind && a.key === b.key && samePath(a.scope, b.scope);
}

export function samePath(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  return Object.keys({ ...a, ...b }).every((key) => a[key] === b[key]);
}
