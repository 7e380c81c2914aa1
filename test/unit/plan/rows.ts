/** A row of the list of members. */
export function exampleOf(
  name: string,
  level: number,
): { readonly id: string; readonly level: number; readonly user: { readonly uuid: string; readonly email: string } } {
  return { id: `member-${name}`, level, user: { uuid: `user-${name}`, email: `${name}@acme.com` } };
}
