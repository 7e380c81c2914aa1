/** What is mutated together, and the tests in process that have to notice, as patterns below `test/unit`. */
export const PARTS = {
  plan: { mutate: ["src/plan/**/*.ts"], tests: ["plan/**/*"], pure: true },
  diff: { mutate: ["src/diff/**/*.ts"], tests: ["diff/**/*", "plan/**/*"], pure: true },
  apply: { mutate: ["src/apply/**/*.ts"], tests: ["apply/**/*"] },
  snapshot: { mutate: ["src/snapshot/**/*.ts"], tests: ["snapshot/**/*"], pure: true },
  api: {
    mutate: ["src/api/retry.ts", "src/api/pagination.ts", "src/api/pages.ts", "src/api/page.ts"],
    // The rules alone: what they come to over sockets is tested elsewhere, and takes longer.
    tests: ["api/{page,pages,pagination,retry-rules}"],
  },
} as const satisfies Readonly<
  Record<string, { readonly mutate: readonly string[]; readonly tests: readonly string[]; readonly pure?: true }>
>;

export type PartName = keyof typeof PARTS;

export const PART_NAMES = Object.keys(PARTS) as readonly PartName[];

export function isPartName(name: string | undefined): name is PartName {
  return name !== undefined && Object.hasOwn(PARTS, name);
}

/** Whether the tests of a part neither open sockets nor hold state, so that they can run again and again in one process. */
export function isPure(name: PartName): boolean {
  return "pure" in PARTS[name];
}
