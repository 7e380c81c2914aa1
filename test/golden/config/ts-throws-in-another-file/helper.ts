export function describe(tags: readonly string[]): string {
  return tags.join(", ");
}
