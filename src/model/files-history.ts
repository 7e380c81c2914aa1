/** Contents of configuration files that were replaced, by a commit or in the work tree. */
export interface FormerFiles {
  /** The commit that replaced them, short; undefined if that is not committed. */
  readonly commit: string | undefined;
  readonly texts: readonly string[];
  /** All files as they were, by absolute path. */
  readonly files: () => Promise<ReadonlyMap<string, string>>;
}

/** What the configuration files were lately. */
export interface FilesHistory {
  /** Whether the clone does not have all of it. */
  readonly isCut: boolean;
  /** Whether there was more to look at. */
  readonly isLong: boolean;
  /** The newest first. */
  readonly versions: readonly FormerFiles[];
}
