/** `Events to S3` and `aws_secret_access_key` as `EVENTS_TO_S3_AWS_SECRET_ACCESS_KEY`, the name of an environment variable. */
export function variableName(...parts: readonly string[]): string {
  const words = parts.map((part) => withoutAccents(part).replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2"));
  const name = words
    .join("_")
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "");
  return /^[A-Z]/.test(name) ? name : `SECRET_${name}`.replace(/_$/, "");
}

function withoutAccents(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "");
}
