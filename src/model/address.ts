/** The type of a scope by its address: "" is the service, `acme` an organization, `acme/projects/web` a project. */
export function scopeType(address: string): "service" | "organization" | "project" {
  if (address === "") return "service";
  return address.includes("/") ? "project" : "organization";
}

/** Whether an address is one of `only`, or below one. */
export function isSelected(address: string, only: readonly string[]): boolean {
  return only.length === 0 || only.some((chosen) => address === chosen || address.startsWith(`${chosen}/`));
}
