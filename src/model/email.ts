/** The same pattern as in the generated validators. */
const EMAIL = /^[^\s@"(),:;<>[\\\]]+@(?:[a-z0-9-]+\.)+[a-z0-9-]{2,}$/i;

export function isEmail(text: string): boolean {
  return EMAIL.test(text);
}
