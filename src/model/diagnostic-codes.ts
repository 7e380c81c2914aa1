/** The codes of diagnostics on which the flow of a command depends. docs/troubleshooting.md describes all codes. */
export const CODES = {
  accessDenied: "access_denied",
  duplicateScope: "duplicate_scope",
  filtered: "filtered",
  noDocuments: "no_documents",
  notOnService: "not_on_service",
  /** The service as a whole did not answer: the command is run again later. */
  outage: "outage",
  /** A drift report with it is no report. */
  nothingDeclared: "nothing_declared",
  /** A plan with it is shown, and needs its hash to be applied. */
  partialConfiguration: "partial_configuration",
  projectsNotListed: "projects_not_listed",
  /** A drift with it is a difference, though nothing of what is declared differs. */
  undeclaredRights: "undeclared_rights",
  unknownProject: "unknown_project",
} as const;
