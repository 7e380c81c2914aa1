/** How to leave paths to the service, as a hint. */
export function ignoreHint(paths: readonly string[]): string {
  return `To leave it to the service, declare in the resource: lifecycle: { ignore: ${JSON.stringify(paths)} } (ignoreChanges in a Pulumi program).`;
}
