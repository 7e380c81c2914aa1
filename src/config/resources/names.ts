import type { Kind } from "../../kinds/kind.ts";
import type { Problems } from "../problems.ts";
import { shorten, type Member } from "../tree/tree.ts";

/** As the generated validators check addresses. */
const EMAIL = /^[^\s@"(),:;<>[\\\]]+@(?:[a-z0-9-]+\.)+[a-z0-9-]{2,}$/i;

export function isEmail(text: string): boolean {
  return EMAIL.test(text);
}

/** Whether the key can be a part of an address (reported if not); where the kind wants one, it has to be an e-mail. */
export function checkName(member: Member, problems: Problems, kind?: Kind): boolean {
  const { key } = member;
  if (key.trim() === "") {
    problems.error(member, { code: "invalid_name", message: "a name is empty", hint: "give it a name" });
    return false;
  }
  // White space includes line breaks; \p{C} is control characters and what cannot be seen.
  if (/[/\s\p{C}]/u.test(key)) {
    const message = `${JSON.stringify(shorten(key))} cannot be a name: it holds a slash, white space or a control character`;
    problems.error(member, {
      code: "invalid_name",
      message,
      hint: "use letters, digits, dots, dashes and underscores",
    });
    return false;
  }
  if (kind?.keyedBy === "email" && !isEmail(key)) {
    const message = `${JSON.stringify(shorten(key))} is not an e-mail address`;
    problems.error(member, {
      code: "invalid_format",
      message,
      hint: `${kind.collection} are declared by their address`,
    });
    return false;
  }
  return true;
}
