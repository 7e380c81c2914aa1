import { uniqueNames } from "../names.ts";

const WORDS =
  "await break case catch class const continue debugger default delete do else enum export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield arguments eval undefined";

/** Gives each key of the configuration a variable of its own that the program may use. */
export function identifiers(taken: readonly string[]): (key: string, fallback: string) => string {
  const unique = uniqueNames("_", [...WORDS.split(" "), ...taken]);
  return (key, fallback) => {
    const name = key.replaceAll(/[^A-Za-z0-9]+(.)?/g, (_found, next: string | undefined) => next?.toUpperCase() ?? "");
    const isOne = /^[A-Za-z]/.test(name);
    return unique(isOne ? name.charAt(0).toLowerCase() + name.slice(1) : `${fallback}${name}`);
  };
}
