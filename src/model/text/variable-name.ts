/**
 * `npm` and `token` as `DL_VALUE_NPM_TOKEN`, the name of an environment variable. The name of an object must not choose a variable
 * that the pipeline has for something else.
 */
export function variableName(...parts: readonly string[]): string {
  const words = parts.map((part) => withoutAccents(part).replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2"));
  return ["DL_VALUE", ...words]
    .join("_")
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replace(/_$/, "");
}

function withoutAccents(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "");
}
