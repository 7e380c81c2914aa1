/** What is mutated together, and the tests in process that have to notice, below `test/unit`: the files of a folder, or one. */
export const PARTS = {
  plan: { mutate: ["src/plan/**/*.ts"], tests: ["plan/*"] },
  diff: { mutate: ["src/diff/**/*.ts"], tests: ["diff/*", "plan/*"] },
  // Not what is in a folder below: races, every cut of a file, processes that run the code as it is.
  apply: { mutate: ["src/apply/**/*.ts"], tests: ["apply/*"] },
  snapshot: { mutate: ["src/snapshot/**/*.ts"], tests: ["snapshot/*"] },
  api: {
    mutate: [
      "src/api/limits/retry.ts",
      "src/api/lists/read-list.ts",
      "src/api/lists/stream-pages.ts",
      "src/api/lists/page.ts",
    ],
    // The rules alone: what they come to over sockets is tested elsewhere, and takes longer.
    tests: ["api/page", "api/pages", "api/retry-rules"],
  },
} as const satisfies Readonly<
  Record<string, { readonly mutate: readonly string[]; readonly tests: readonly string[] }>
>;

export type PartName = keyof typeof PARTS;

export const PART_NAMES = Object.keys(PARTS) as readonly PartName[];

export function isPartName(name: string | undefined): name is PartName {
  return name !== undefined && Object.hasOwn(PARTS, name);
}
