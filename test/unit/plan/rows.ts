/** A row of the list of members. */
export function exampleOf(
  name: string,
  level: number,
): { readonly id: string; readonly level: number; readonly user: { readonly uuid: string; readonly email: string } } {
  return { id: `member-${name}`, level, user: { uuid: `user-${name}`, email: `${name}@acme.com` } };
}

/** Rows of the list of domains: `d0.com` with the id `id-0`, and so on. */
export function domains(count: number): readonly { readonly id: string; readonly domain: string }[] {
  return Array.from({ length: count }, (_, index) => ({ id: `id-${String(index)}`, domain: `d${String(index)}.com` }));
}
