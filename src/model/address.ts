/** What a scope's address names: "" is the service, `acme` an organization, `acme/projects/web` a project. */
export function scopeType(address: string): "service" | "organization" | "project" {
  if (address === "") return "service";
  return address.includes("/") ? "project" : "organization";
}
