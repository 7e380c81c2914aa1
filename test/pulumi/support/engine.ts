import { inject } from "vitest";

/** The engine's folder for tests, or why they cannot run; found or built before any of them starts. */
export function engine(): { readonly bin: string; readonly missing: string | undefined } {
  const found = inject("engine");
  return "bin" in found ? { bin: found.bin, missing: undefined } : { bin: "", missing: found.missing };
}

declare module "vitest" {
  export interface ProvidedContext {
    readonly engine: { readonly bin: string } | { readonly missing: string };
  }
}
