/** The service that hosts the repository, where a branch becomes a pull request. */

/** What a pull request says. */
export interface RequestText {
  readonly title: string;
  /** Markdown. */
  readonly body: string;
}

export interface PullRequest extends RequestText {
  readonly number: number;
  readonly url: string;
  readonly state: "open" | "merged" | "closed";
  /** Its last commit. */
  readonly commit: string;
}

/** A branch that is to be merged into another one. */
export interface Branches {
  readonly name: string;
  readonly base: string;
}

export interface Forge {
  /**
   * The newest pull request of the branch.
   *
   * @throws EngineError `refused` if the token has no right, `failed` if there is no answer, `invalid` if no request can be made
   */
  readonly find: (branches: Branches) => Promise<PullRequest | undefined>;
  /** Opens a pull request, or updates the open one. Returns its address; undefined if the push has opened it. */
  readonly openOrUpdate: (
    branches: Branches,
    text: RequestText,
    found: PullRequest | undefined,
  ) => Promise<string | undefined>;
  /** Closes it with a sentence. */
  readonly close: (request: PullRequest, sentence: string) => Promise<void>;
  /** Options of the push that opens the pull request. */
  readonly pushOptions: (branches: Branches, text: RequestText) => readonly string[];
}
