/** The part of a reason that names the fields that differ. */

export function differText(fields: readonly string[]): string {
  const names = uniqueNamesText(fields);
  // A field such as tags has a plural name. Names such as access and status end in s as well. One with underscores
  // is read as one thing.
  return names.includes(",") || /^[^_]*[^su_]s$/.test(names) ? `${names} differ` : `${names} differs`;
}

export function uniqueNamesText(fields: readonly string[]): string {
  return [...new Set(fields)].join(", ");
}

/** What a reason says beside the names of the fields, where the fields follow. */
export function besidesFields(reason: string, fields: readonly string[]): string {
  const said = differText(fields);
  if (reason === said) return "";
  return reason.startsWith(`${said}; `) ? reason.slice(said.length + 2) : reason;
}
