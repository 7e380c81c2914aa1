/**
 * The 87 operations of the interface document.
 *
 * A row is: method, what follows the path of the family, scope ("-" if the document lists none), status of success, what the
 * service answers, and "named" if the document only names the operation.
 */
export interface OperationFacts {
  readonly method: string;
  /** With its parameters, and without a slash at the end. */
  readonly path: string;
  /** The part of the path behind the organization or project. */
  readonly local: string;
  readonly scope: string | null;
  readonly success: number;
  /** What the answer is: a page, nothing, or an object of this name. */
  readonly answer: string;
  readonly shown: boolean;
}

const ORGANIZATION = "/api/organizations/:organization_id/";
const PROJECT = "/api/projects/:project_id/";

const crud = (scope: string, answer: string): readonly string[] => [
  `GET / ${scope}:read 200 page`,
  `POST / ${scope}:write 201 ${answer}`,
  `GET /:id ${scope}:read 200 ${answer}`,
  `PATCH /:id ${scope}:write 200 ${answer}`,
  `DELETE /:id ${scope}:write 204 nothing`,
];
const plugins = (named: string): readonly string[] => [
  ...crud("plugin", "plugin"),
  `GET /:id/check_for_updates - 200 plugin${named}`,
  `GET /:id/source - 200 plugin${named}`,
  `PATCH /:id/update_source - 200 plugin${named}`,
  `POST /:id/upgrade - 200 plugin${named}`,
  `GET /activity - 200 plugin${named}`,
  `GET /exports_unsubscribe_configs - 200 plugin${named}`,
  `GET /repository - 200 plugin${named}`,
  `GET /unused - 200 plugin${named}`,
];

const FAMILIES: readonly (readonly [base: string, family: string, rows: readonly string[]])[] = [
  ["/api/", "organizations", crud("organization", "organization")],
  [
    ORGANIZATION,
    "batch_exports",
    [
      ...crud("batch_export", "export"),
      "POST /:id/backfill - 200 export",
      "POST /:id/pause - 200 export",
      "POST /:id/unpause - 200 export",
    ],
  ],
  [ORGANIZATION, "domains", [...crud("organization", "domain"), "POST /:id/verify - 200 domain"]],
  [
    ORGANIZATION,
    "invites",
    [
      "GET / organization_member:read 200 page",
      "POST / organization_member:write 201 invite",
      "DELETE /:id organization_member:write 204 nothing",
      "POST /bulk organization_member:write 200 invite",
    ],
  ],
  [
    ORGANIZATION,
    "members",
    [
      "GET / organization_member:read 200 page",
      "PATCH /:user__uuid organization_member:write 200 member",
      "DELETE /:user__uuid organization_member:write 204 nothing",
    ],
  ],
  [ORGANIZATION, "pipeline_destinations", plugins("")],
  [ORGANIZATION, "pipeline_frontend_apps", plugins("")],
  [ORGANIZATION, "pipeline_import_apps", plugins(" named")],
  [
    PROJECT,
    "insights",
    [
      ...crud("insight", "insight").with(4, "DELETE /:id insight:write 405 nothing"),
      "GET /:insight_id/sharing sharing_configuration:read 200 sharing",
      "GET /:id/activity activity_log:read 200 insight",
      "POST /:id/viewed - 200 insight",
      "GET /activity activity_log:read 200 insight",
      "POST /cancel - 200 insight",
      "GET /funnel insight:read 200 insight",
      "POST /funnel insight:read 200 calculation",
      "GET /funnel/correlation - 200 insight",
      "POST /funnel/correlation - 200 insight",
      "GET /my_last_viewed - 200 list",
      "GET /path insight:read 200 insight",
      "POST /path insight:read 200 insight",
      "GET /retention insight:read 200 insight",
      "POST /retention insight:read 200 insight",
      "POST /timing - 200 insight",
      "GET /trend insight:read 200 insight",
      "POST /trend insight:read 200 calculation",
    ],
  ],
];

export const OPERATIONS: readonly OperationFacts[] = FAMILIES.flatMap(([base, family, rows]) =>
  rows.map((row) => {
    const [method = "", rest = "", scope = "", success = "", answer = "", named] = row.split(" ");
    const local = `${family}${rest === "/" ? "" : rest}`;
    return {
      method,
      path: `${base}${local}`,
      local,
      scope: scope === "-" ? null : scope,
      success: Number(success),
      answer,
      shown: named === undefined,
    };
  }),
);
