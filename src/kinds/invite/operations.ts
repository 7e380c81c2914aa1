import { family } from "../operation.ts";

/** Interface: Endpoints, Invites. A single invite can neither be read nor updated. */
export const operations = family(
  "invites",
  {
    path: "/api/organizations/:organization_id/invites",
    params: { organization_id: "uuid", id: "uuid" },
    resource: "invite",
    source: "Endpoints: Invites",
  },
  {
    list: {
      method: "GET",
      path: "",
      permission: "organization_member:read",
      response: "page",
      rows: { target_email: "text" },
    },
    create: {
      method: "POST",
      path: "",
      permission: "organization_member:write",
      success: 201,
      irreversible: "sends an e-mail",
    },
    delete: {
      method: "DELETE",
      path: "/:id",
      permission: "organization_member:write",
      success: 204,
      response: "none",
      irreversible: "makes the link in the e-mail useless: another invite means another e-mail",
    },
    // The document shows one invite. Deployed servers accept and return a list of up to 20.
    bulk: {
      method: "POST",
      path: "/bulk",
      permission: "organization_member:write",
      response: "list",
      body: { type: "resource", resource: "invite", list: true },
      irreversible: "sends e-mails",
    },
  },
);
