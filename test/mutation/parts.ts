/**
 * What is mutated together, and the tests in process that have to notice, below `test/unit`: the files of a folder, or one of
 * them. `patience` is how long one of these tests may take on a busy machine, in milliseconds: a mutant that waits for ever costs
 * as much.
 */
export const PARTS = {
  plan: { mutate: ["src/plan/**/*.ts"], tests: ["plan/*"], patience: 20_000 },
  diff: { mutate: ["src/diff/**/*.ts"], tests: ["diff/*", "plan/*"], patience: 20_000 },
  // Not what is in a folder below: races, every cut of a file, processes that run the code as it is.
  apply: { mutate: ["src/apply/**/*.ts"], tests: ["apply/*"], patience: 5_000 },
  snapshot: { mutate: ["src/snapshot/**/*.ts"], tests: ["snapshot/*"], patience: 20_000 },
  api: {
    mutate: ["src/api/retry.ts", "src/api/pagination.ts", "src/api/pages.ts", "src/api/page.ts"],
    // The rules alone: what they come to over sockets is tested elsewhere, and takes longer.
    tests: ["api/page", "api/pages", "api/retry-rules"],
    patience: 20_000,
  },
} as const satisfies Readonly<
  Record<string, { readonly mutate: readonly string[]; readonly tests: readonly string[]; readonly patience: number }>
>;

export type PartName = keyof typeof PARTS;

export const PART_NAMES = Object.keys(PARTS) as readonly PartName[];

export function isPartName(name: string | undefined): name is PartName {
  return name !== undefined && Object.hasOwn(PARTS, name);
}
