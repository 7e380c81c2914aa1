/** The type of a scope by its address: "" is the service, `acme` an organization, `acme/projects/web` a project. */
export function scopeType(address: string): "service" | "organization" | "project" {
  if (address === "") return "service";
  return address.includes("/") ? "project" : "organization";
}

/** Whether an address is one of `only`, or below one. */
export function isSelected(address: string, only: readonly string[]): boolean {
  return only.length === 0 || only.some((chosen) => address === chosen || address.startsWith(`${chosen}/`));
}

/** Whether one of `only` may be at this address or below it, or contains it. */
export function overlaps(address: string, only: readonly string[]): boolean {
  return isSelected(address, only) || only.some((chosen) => chosen.startsWith(`${address}/`));
}
