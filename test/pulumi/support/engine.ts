import { describe, inject } from "vitest";
import type { Dialect, EmulatorOptions } from "../../../src/emulator/index.ts";
import { describeDialects } from "../../support/dialects.ts";
import type { Python } from "../engine/python.ts";
import type { Found } from "../sdks/sdks.ts";
import { createPackagedStack, createYamlStack } from "./packaged-stack.ts";
import { createStack, type Stack } from "./stack.ts";

/** The folder of the engine for tests, or why they cannot run. It is found or built before any test starts. */
export function engine(): { readonly bin: string; readonly missing: string | undefined } {
  const found = inject("engine");
  return "bin" in found ? { bin: found.bin, missing: undefined } : { bin: "", missing: found.missing };
}

/** Opens empty stacks, whose resources are made one way: as dynamic resources, or by the packaged provider. */
export interface Way {
  /** A stack of the cheapest language: for the packaged provider Pulumi YAML, which starts no Node for the program. */
  readonly createStack: (options?: EmulatorOptions) => Promise<Stack>;
  /** A stack of a Node program. Its arguments are those of `createStack` in stack.ts. */
  readonly createNodeStack: (options?: EmulatorOptions, main?: string) => Promise<Stack>;
}

/**
 * Describes tests on the real engine, in two pairs: dynamic resources with the document dialect of the service, and the
 * packaged provider with the deployed dialect. After an update nothing is left to update, and a refresh finds no change.
 *
 * So each test sees both dialects and both ways to make a resource. It need not see all four combinations: both ways
 * call one provider, and only the requests below that differ by dialect. The combinations are covered together by the
 * tests of that provider without an engine (traps, resources, renamed, replace), and by those of every kind (kinds, yaml).
 * If not all runs, each test runs in one of the pairs, because an update on the engine takes seconds.
 */
export function describeEngine(name: string, body: (dialect: Dialect, way: Way) => void): void {
  const { bin, missing } = engine();
  const node = { document: createStack, deployed: createPackagedStack, current: createPackagedStack };
  const cheapest = { document: createStack, deployed: createYamlStack, current: createYamlStack };
  describe.skipIf(missing !== undefined)("Pulumi", () => {
    describeDialects(name, (dialect) =>
      body(dialect, {
        createStack: (options) => cheapest[dialect](bin, options),
        createNodeStack: (options, main) => node[dialect](bin, options, main),
      }),
    );
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
