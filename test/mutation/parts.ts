/**
 * The files that are mutated together, and the unit tests that have to detect the mutants. A test entry is a file below
 * `test/unit`, or all files of a folder, without its subfolders and its
 * `*.deep.test.ts`: those are slow, or run processes of unmutated code.
 */
export const PARTS = {
  plan: {
    mutate: [
      "src/plan/**/*.ts",
      "src/kinds/people/left-invites.ts",
      "src/kinds/people/moved.ts",
      "src/kinds/people/own-user-checks.ts",
      "src/kinds/people/owners.ts",
      "src/kinds/people/promotions.ts",
      "src/kinds/people/resend.ts",
      "src/kinds/organization/checks.ts",
      "src/kinds/insight/destroyed-alerts.ts",
    ],
    tests: ["plan/*", "plan/guard/*", "kinds/people/*", "kinds/organization/*", "diff/replacement"],
  },
  diff: { mutate: ["src/diff/**/*.ts"], tests: ["diff/*", "plan/*", "plan/guard/*"] },
  apply: {
    mutate: ["src/apply/**/*.ts"],
    tests: [
      "apply/*",
      "apply/actions/*",
      "apply/creates/*",
      "apply/journal/*",
      "apply/other-runs/*",
      "apply/schedule/*",
    ],
  },
  world: { mutate: ["src/world/**/*.ts"], tests: ["world/*"] },
  api: {
    mutate: [
      "src/api/limits/retry.ts",
      "src/api/lists/coalesce.ts",
      "src/api/lists/read-list.ts",
      "src/api/lists/stream-pages.ts",
      "src/api/lists/page.ts",
      "src/api/lists/completeness.ts",
    ],
    // Only the rules. Their effects over sockets have other tests, which take longer.
    tests: [
      "api/lists/coalesce",
      "api/lists/page",
      "api/lists/read-list",
      "api/lists/stream-pages",
      "api/limits/retry",
    ],
  },
} as const satisfies Readonly<
  Record<string, { readonly mutate: readonly string[]; readonly tests: readonly string[] }>
>;

export type PartName = keyof typeof PARTS;

export const PART_NAMES = Object.keys(PARTS) as readonly PartName[];

export function isPartName(name: string | undefined): name is PartName {
  return name !== undefined && Object.hasOwn(PARTS, name);
}
