import { readFileSync } from "node:fs";
import { join } from "node:path";
import { acceptedName } from "../../../../src/engine/accept/accept-edit.ts";
import {
  acceptDrift,
  Acceptance,
  type Accepted,
  type AcceptOptions,
} from "../../../../src/engine/accept/acceptance.ts";
import type { PlannedRun } from "../../../../src/engine/plan/plan-config.ts";
import type { Change } from "../../../../src/model/change.ts";
import type { Diagnostic } from "../../../../src/model/diagnostic.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import type { KindName } from "../../../../src/model/kind-name.ts";
import { type Answers, planned, type PlanWish } from "../world.ts";

/** A drift of one file or several, as the command accepts it. */
export function driftOf(files: Parameters<typeof planned>[0], answers: Answers, wish: PlanWish = {}) {
  return planned(files, answers, { purpose: "drift", ...wish });
}

/** What a file of a run says now. */
export function textIn({ input }: Pick<PlannedRun, "input">, file = "driftline.yaml"): string {
  return readFileSync(join(input.config.root, file), "utf8");
}

export function acceptIn(run: PlannedRun, options?: AcceptOptions): Promise<Accepted> {
  return acceptDrift(run, run.input.config.root, options);
}

/** Where one resource of a kind stands in a configuration, and what lists it. */
const PLACES = {
  insight: { before: 'projects: { web: { id: "2", insights: { it: ', after: " } } }", list: "insights.list" },
  batch_export: {
    before: 'projects: { web: { id: "2", batch_exports: { it: ',
    after: " } } }",
    list: "project_batch_exports.list",
  },
  domain: { before: "domains: { it: ", after: " }", list: "domains.list" },
  invite: { before: "invites: { it: ", after: " }", list: "invites.list" },
  membership: { before: "memberships: { ada@acme.com: ", after: " }", list: "members.list" },
} as const satisfies Partial<Record<KindName, object>>;

export interface OneResource {
  readonly kind: keyof typeof PLACES;
  /** What declares it, as one line of YAML. */
  readonly declared: string;
  readonly live: readonly JsonObject[] | Error;
  /** What stands at the top of the file, such as `undeclared: report`. */
  readonly top?: string;
}

/** The lines around the declaration of one resource. */
function around({ kind, top = "" }: Pick<OneResource, "kind" | "top">): readonly [string, string] {
  const { before, after } = PLACES[kind];
  return [`driftline: 1\n${top}organizations: { acme: { name: Acme Inc, ${before}`, `${after} } }\n`];
}

export function driftOfOne(one: OneResource, wish: PlanWish = {}): Promise<PlannedRun> {
  return driftOf(around(one).join(one.declared), { [PLACES[one.kind].list]: one.live }, wish);
}

export interface Preview {
  /** What the first file would say, and each file would accept: addresses with the path of a field. */
  readonly text: string;
  readonly accepted: readonly string[];
  readonly left: readonly Change[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What an acceptance would write, and what would remain. Writes nothing, which takes most of the time of the others. */
export async function previewIn(run: PlannedRun, options: AcceptOptions = {}): Promise<Preview> {
  const acceptance = await Acceptance.prepare(run, run.input.config.root, options);
  const { files, diagnostics } = acceptance;
  const sources = files.flatMap(({ edits }) => edits.map(({ source }) => source));
  return {
    text: files[0]?.after ?? textIn(run),
    accepted: sources.map(acceptedName),
    left: acceptance.remainingAfter(files),
    diagnostics,
  };
}

/** The same of one resource: `text` is what declares it. All other text must be as before. */
export async function acceptOne(
  one: OneResource,
  { wish, ...options }: AcceptOptions & { readonly wish?: PlanWish } = {},
): Promise<Preview> {
  const preview = await previewIn(await driftOfOne(one, wish), options);
  const [before, after] = around(one);
  const { text } = preview;
  if (!text.startsWith(before) || !text.endsWith(after)) throw new Error(`more was changed: ${text}`);
  return { ...preview, text: text.slice(before.length, -after.length) };
}

export type Row = readonly [name: string, OneResource["kind"], declared: string, live: JsonObject, text: string];

/** A row of an insight with a pin, which all of them have. */
export const insight = (name: string, declared: string, live: JsonObject, text: string): Row => [
  name,
  "insight",
  `{ id: 7, ${declared} }`,
  { id: 7, short_id: "abcdefgh", name: "S", ...live },
  `{ id: 7, ${text} }`,
];
