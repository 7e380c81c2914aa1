import type { Emulator } from "../../../src/emulator/index.ts";

/** What runs have sent beside the check of their key, which reads the organizations. */
export function besideKeyChecks({ requests }: Pick<Emulator, "requests">): Emulator["requests"] {
  return requests.filter(({ method, path }) => method !== "GET" || path !== "/api/organizations/");
}
