import { family } from "../operation.ts";

/** Interface: Endpoints, Members. The path takes the uuid of the user, not the id of the membership. */
export const operations = family(
  "members",
  {
    path: "/api/organizations/:organization_id/members",
    params: { organization_id: "uuid", user__uuid: "uuid" },
    resource: "member",
    source: "Endpoints: Members",
  },
  {
    list: {
      method: "GET",
      path: "",
      permission: "organization_member:read",
      response: "page",
      rows: { "user.uuid": "text", "user.email": "text" },
    },
    update: { method: "PATCH", path: "/:user__uuid", permission: "organization_member:write" },
    delete: {
      method: "DELETE",
      path: "/:user__uuid",
      permission: "organization_member:write",
      success: 204,
      response: "none",
      irreversible: "takes the person out: coming back takes an invite, which sends an e-mail",
    },
  },
);
