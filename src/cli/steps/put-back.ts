/** What `drift --accept` and `import` do about objects that somebody took out of the files lately. */
import type { LoadedConfig } from "../../config/index.ts";
import type { ImportCandidate } from "../../engine/import/candidates.ts";
import { removedWarning, takenOutForSure, TO_REMOVE } from "../../engine/history/taken-out.ts";
import { redacted } from "../../engine/redact.ts";
import { shareIds } from "../../kinds/registry.ts";
import { liveOf } from "../../kinds/former-resource.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { ConfigOptions, ServiceOptions } from "../program/options.ts";
import type { Runtime } from "../runtime.ts";
import { removedLines } from "./removed-lines.ts";
import { findServiceUrl } from "./service-and-key.ts";

interface PutBackOptions extends ServiceOptions, ConfigOptions {
  readonly paths: readonly string[];
  /** Whether somebody has named the objects, or is asked. */
  readonly isMeant: boolean;
}

/** The objects that go into the files, and a warning for each one that was taken out of them. */
interface PutBack {
  readonly candidates: readonly ImportCandidate[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Leaves out what was taken out of the files lately, unless putting it back is meant. */
export async function putBack(
  runtime: Runtime,
  config: LoadedConfig,
  candidates: readonly ImportCandidate[],
  { paths, isMeant, ...options }: PutBackOptions,
): Promise<PutBack> {
  if (candidates.length === 0) return { candidates, diagnostics: [] };
  const { former } = await removedLines(runtime, config, paths, options);
  const matched = candidates.map((candidate) => {
    const { live, scope } = candidate;
    const list = { status: "known", objects: [live] } as const;
    const of = former.find(
      ({ resource }) =>
        resource.scope === scope && shareIds(resource.kind, live.kind) && liveOf(resource, list, true) === live,
    );
    return { candidate, of };
  });
  const url = findServiceUrl(options, runtime.env, config.graph.service);
  const removed = matched.flatMap(({ of }) => of ?? []);
  const { sure, partly } = takenOutForSure(config, { url, cwd: runtime.cwd }, removed);
  const inHistory = matched.map(({ candidate, of }) => ({ candidate, of: sure.find((one) => one === of) }));
  const diagnostics = inHistory.flatMap(({ candidate: { address }, of }) => {
    if (of === undefined) return [];
    return isMeant
      ? removedWarning(address, of.commit, ", and is put back", TO_REMOVE)
      : removedWarning(address, of.commit, ", so it is put back only if it is named", "Name it with --only of import.");
  });
  return {
    candidates: isMeant ? candidates : inHistory.flatMap(({ candidate, of }) => (of === undefined ? candidate : [])),
    diagnostics: redacted([...partly, ...diagnostics], runtime.redactor),
  };
}
