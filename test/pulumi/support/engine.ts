import { describe, inject } from "vitest";
import type { Dialect } from "../../../src/emulator/index.ts";
import { describeDialects } from "../../support/dialects.ts";
import type { Python } from "../engine/python.ts";
import type { Found } from "../sdks/sdks.ts";

/** The folder of the engine for tests, or why they cannot run. It is found or built before any test starts. */
export function engine(): { readonly bin: string; readonly missing: string | undefined } {
  const found = inject("engine");
  return "bin" in found ? { bin: found.bin, missing: undefined } : { bin: "", missing: found.missing };
}

/** Describes tests on the real engine, in each dialect of the service. After every update nothing is left to update. */
export function describeEngine(name: string, body: (dialect: Dialect) => void): void {
  describe.skipIf(engine().missing !== undefined)("Pulumi", () => {
    describeDialects(name, body);
  });
}

/** The SDKs besides our own, or why they cannot be used. */
export function sdks(): readonly Found[] {
  return inject("sdks");
}

declare module "vitest" {
  export interface ProvidedContext {
    readonly engine: { readonly bin: string } | { readonly missing: string };
    readonly sdks: readonly Found[];
    readonly python: Python;
  }
}
