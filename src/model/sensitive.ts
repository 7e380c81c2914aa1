/**
 * Names under which services keep secrets. A body may hold one that no schema knows of (servers have given back passwords in
 * clear), so whatever reaches a message, a plan or a file is concealed by name as well.
 */
const SECRET_NAME =
  /secret|password|passwd|passphrase|private_?key|access_?key|api_?key|api_?token|auth_?token|access_?token|refresh_?token|credential|authorization|^token$|_token$/i;

/** Whether a key of this name is to be concealed wherever its value would surface. */
export function isSecretName(key: string): boolean {
  return SECRET_NAME.test(key);
}

/** Three stars anywhere, or nothing but a word for it. */
const MASK = /[*•]{3}|^x{4,}$|^[<[(]?(?:redacted|masked|hidden|secret|removed)[>\])]?$/i;

/** Whether a value is what services show instead of a secret: such a value is never compared and never written back. */
export function isMasked(value: unknown): value is string {
  return typeof value === "string" && MASK.test(value);
}

/**
 * What an exported Pulumi program and its state hold in place of a secret that nobody has told them yet: it equals whatever is
 * on the service, and is never sent. Frozen for ever, as states hold it.
 */
export const SECRET_PLACEHOLDER = "*** not given back by the service ***";
