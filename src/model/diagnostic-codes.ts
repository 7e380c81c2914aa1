/**
 * The codes of diagnostics that other modules look for. Any other code stands only where its diagnostic is made. docs/troubleshooting.md
 * describes all of them.
 */
export const CODES = {
  accessDenied: "access_denied",
  filtered: "filtered",
  noDocuments: "no_documents",
  notOnService: "not_on_service",
  /** A drift report with it is no report. */
  nothingDeclared: "nothing_declared",
  projectsNotListed: "projects_not_listed",
  unknownProject: "unknown_project",
} as const;
