/** What editors and `explain` say about a project. It is no kind: driftline creates none. */
export const PROJECT_DESCRIPTION = "A project and everything in it. Projects are found, never created.";

/** The keys by which a project is found. */
export const PROJECT_KEYS = {
  id: "Id of the project, usually a number. Default: the key, if that is a number.",
  name: "Name by which the project is found. Default: the key, if there is no id either.",
} as const;
