import type { Kind } from "../../kinds/kind.ts";
import type { Problems } from "../problems.ts";
import { type Member, shorten } from "../tree/tree.ts";

/** The same pattern as in the generated validators. */
const EMAIL = /^[^\s@"(),:;<>[\\\]]+@(?:[a-z0-9-]+\.)+[a-z0-9-]{2,}$/i;

export function isEmail(text: string): boolean {
  return EMAIL.test(text);
}

/** Whether a name can be part of an address. White space includes line breaks. \p{C} matches control and invisible characters. */
export function isName(text: string): boolean {
  return text !== "" && !/[/\s\p{C}]/u.test(text);
}

export const NAME_HINT = "Use letters, digits, dots, dashes and underscores.";

/**
 * Checks that a key can be part of an address, and is an e-mail address if the kind requires that. Reports it if not.
 */
export function checkName(member: Member, problems: Problems, kind?: Kind): boolean {
  const { key } = member;
  if (key.trim() === "") {
    problems.error(member, { code: "invalid_name", message: "the name is empty", hint: "Write a name." });
    return false;
  }
  if (!isName(key)) {
    const message = `${JSON.stringify(shorten(key))} is not a valid name: it contains a slash, white space or a control character`;
    problems.error(member, { code: "invalid_name", message, hint: NAME_HINT });
    return false;
  }
  if (kind?.keyedBy === "email" && !isEmail(key)) {
    const message = `${JSON.stringify(shorten(key))} is not an e-mail address`;
    problems.error(member, {
      code: "invalid_format",
      message,
      hint: `Use the e-mail address as the key of ${kind.collection}.`,
    });
    return false;
  }
  return true;
}
