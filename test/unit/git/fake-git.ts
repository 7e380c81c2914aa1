import type { Git, GitOptions } from "../../../src/git/git.ts";

/** What git prints for a command line that begins with these words; an error if it fails. */
export type Said = Readonly<Record<string, string | Error>>;

export interface FakeGit {
  readonly git: Git;
  /** The command lines, in order. */
  readonly ran: string[];
  readonly options: GitOptions[];
}

/** Git without a process or a repository. The longest beginning counts; a command line without one prints nothing. */
export function fakeGit(said: Said): FakeGit {
  const ran: string[] = [];
  const options: GitOptions[] = [];
  const git: Git = async (args, given = {}) => {
    const line = args.join(" ");
    ran.push(line);
    options.push(given);
    await Promise.resolve();
    const known = Object.keys(said).filter((words) => line.startsWith(words));
    const [best = ""] = known.toSorted((a, b) => b.length - a.length);
    const answer = said[best] ?? "";
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { git, ran, options };
}

export const failed = (text = "no"): Error => new Error(text);
