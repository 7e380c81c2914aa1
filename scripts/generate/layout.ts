const WIDTH = 120;

/** JSON text in the repository's format: a value is on one line if it fits. Also valid as a TypeScript expression. */
export function layout(value: unknown, indent = 0, used = 0): string {
  const flat = flatten(value);
  if (indent > 0 && indent * 2 + used + flat.length < WIDTH) return flat;
  if (typeof value !== "object" || value === null) return flat;
  const pad = "  ".repeat(indent + 1);
  const end = `\n${"  ".repeat(indent)}`;
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    return `[\n${value.map((item) => pad + layout(item, indent + 1)).join(",\n")}${end}]`;
  }
  const members = Object.entries(value).map(([key, item]) => {
    const name = `${JSON.stringify(key)}: `;
    return pad + name + layout(item, indent + 1, name.length);
  });
  return members.length === 0 ? "{}" : `{\n${members.join(",\n")}${end}}`;
}

function flatten(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flatten).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${flatten(item)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
