/** The examples in descriptions of Pulumi's schema. */
export function blocksOf(description: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...description.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = "", code = ""]) => [language, code]),
  );
}
