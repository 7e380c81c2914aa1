import type { Forge } from "./forge.ts";

/** The description is one line, because a push option can have no line break. The job's report is an artifact. */
const DESCRIPTION =
  "Somebody changed this on the service. Merge it to keep it. The report of the job says what differs.";

/**
 * GitLab opens and updates the merge request by itself, as the options of a push say. It closes it if the branch is deleted. So no token
 * for its API is needed.
 */
export const GITLAB: Forge = {
  find: () => Promise.resolve(undefined),
  openOrUpdate: () => Promise.resolve(undefined),
  close: () => Promise.resolve(),
  pushOptions: ({ base }, { title }) =>
    ["create", `target=${base}`, `title=${title}`, `description=${DESCRIPTION}`].map(
      (option) => `--push-option=merge_request.${option}`,
    ),
};
