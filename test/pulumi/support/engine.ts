import { describe, inject } from "vitest";
import type { Dialect } from "../../../src/emulator/index.ts";
import { describeDialects } from "../../support/dialects.ts";
import type { Found } from "../sdks/sdks.ts";

/** The engine's folder for tests, or why they cannot run; found or built before any of them starts. */
export function engine(): { readonly bin: string; readonly missing: string | undefined } {
  const found = inject("engine");
  return "bin" in found ? { bin: found.bin, missing: undefined } : { bin: "", missing: found.missing };
}

/** Describes what holds on the real engine, whichever way the service answers. After every update nothing is left to update. */
export function describeEngine(name: string, body: (dialect: Dialect) => void): void {
  describe.skipIf(engine().missing !== undefined)("Pulumi", () => {
    describeDialects(name, body);
  });
}

/** The SDKs beside our own, or why they cannot be used. */
export function sdks(): readonly Found[] {
  return inject("sdks");
}

declare module "vitest" {
  export interface ProvidedContext {
    readonly engine: { readonly bin: string } | { readonly missing: string };
    readonly sdks: readonly Found[];
  }
}
