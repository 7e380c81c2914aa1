import { describe, expect, it } from "vitest";
import { withFields, type ApiError } from "../../../../src/api/errors/errors.ts";
import { hintForGivenIds } from "../../../../src/api/errors/hints.ts";
import { createRedactor } from "../../../../src/api/redact/redact.ts";
import type { OperationName } from "../../../../src/api/operations/index.ts";
import { sentencesOf } from "../../../support/sentences.ts";
import { complaint, connect, create, failureOf, ID, json, KEY, ORGANIZATION, read, serve } from "../support.ts";

async function errorOf(status: number, body: unknown, operation: OperationName = "domains.get"): Promise<ApiError> {
  const server = await serve((_seen, response) => json(response, status, body));
  const path = { organization_id: ORGANIZATION, id: operation.startsWith("pipeline") ? "7" : ID, project_id: "2" };
  return failureOf(connect(server.url).request(operation, { path, body: {} }));
}

describe("what an answer means", () => {
  const table: readonly [string, number, unknown, ApiError["kind"], string?][] = [
    ["no key", 401, complaint("not_authenticated"), "auth", "DRIFTLINE_API_KEY"],
    ["a wrong key", 401, complaint("authentication_failed"), "auth", "DRIFTLINE_API_KEY"],
    ["no key, said with 403", 403, complaint("not_authenticated"), "auth", "DRIFTLINE_API_KEY"],
    ["a wrong key, said with 403", 403, complaint("authentication_failed"), "auth", "DRIFTLINE_API_KEY"],
    [
      "a missing scope",
      403,
      complaint("permission_denied", "API key missing required scope 'organization:write'"),
      "scope",
      "organization:write",
    ],
    [
      "an operation closed to scoped keys",
      403,
      complaint("permission_denied", "This action does not support Personal API Key access"),
      "scope",
    ],
    [
      "too few rights",
      403,
      complaint("permission_denied", "Your organization access level is insufficient."),
      "scope",
      "an admin",
    ],
    [
      "the own level",
      403,
      complaint("permission_denied", "You can't change your own access level."),
      "scope",
      "another owner",
    ],
    [
      "a key limited to projects, on an organization",
      403,
      complaint("permission_denied", "API keys with scoped projects are only supported on project-based endpoints."),
      "scope",
      "limited to some projects",
    ],
    [
      "a key limited to other projects",
      403,
      complaint("permission_denied", "API key does not have access to the requested project: ID 3."),
      "scope",
      "limited to some projects",
    ],
    [
      "a key limited to other organizations",
      403,
      complaint("permission_denied", "API key does not have access to the requested organization: ID 3."),
      "scope",
      "limited to some organizations",
    ],
    [
      "a schedule that the plan lacks",
      403,
      complaint("permission_denied", "Higher frequency batch exports are not enabled for this team."),
      "scope",
      "plan",
    ],
    [
      "a dashboard that is gone",
      400,
      complaint("does_not_exist", 'Invalid pk "4" - object does not exist.', "dashboards"),
      "invalid",
      "dashboards names 4",
    ],
    [
      "dashboards that the project does not have, on today's service",
      400,
      complaint("invalid_input", "Dashboard not found: 4, 7", "dashboards"),
      "invalid",
      "no dashboard 4, 7",
    ],
    ["a refusal by something in between", 403, "<html>", "scope"],
    ["nothing there", 404, complaint("not_found", "Not found."), "not_found", "exist"],
    [
      "no current organization",
      404,
      complaint("not_found", "You need to belong to an organization."),
      "no_organization",
      "current organization",
    ],
    ["nothing there, without a body", 404, undefined, "not_found", "URL"],
    ["a wrong value", 400, complaint("invalid_choice", "No choice."), "invalid"],
    ["a wrong value, without a word", 400, complaint("invalid"), "invalid"],
    ["a matter of the plan", 402, complaint("payment_required"), "invalid"],
    ["too many backfills", 429, complaint("too_many_concurrent_backfills", "20 are running."), "invalid", "backfill"],
    ["a feature that the plan lacks", 400, complaint("feature_not_available", "No.", "sso"), "invalid", "plan"],
    [
      "a paid setting",
      400,
      complaint("payment_required", "You must upgrade.", "enforce_2fa"),
      "invalid",
      "enforce_2fa",
    ],
    ["a locked setting", 400, complaint("locked", "It is locked.", "name"), "invalid", "name"],
    ["a limit of the plan", 402, complaint("limit_exceeded", "Resource limit exceeded."), "invalid", "raise"],
    [
      "a limit that the service counts",
      402,
      {
        ...(complaint("limit_exceeded", "Resource limit exceeded.") as object),
        extra: { limit: 100, current: 101, request: 1 },
      },
      "invalid",
      "The limit is 100, and 101 are there.",
    ],
    ["what a plan lacks, without a code", 402, undefined, "invalid", "plan"],
    ["no such method", 405, undefined, "invalid"],
    ["a conflict", 409, complaint("conflict"), "invalid"],
    ["a wrong media type", 415, complaint("unsupported_media_type"), "invalid"],
    ["unprocessable", 422, complaint("invalid"), "invalid"],
    ["501", 501, complaint("error"), "server"],
  ];
  for (const [name, status, body, kind, named = ""] of table) {
    it(`${name} is ${kind}`, async () => {
      const error = await errorOf(status, body);
      expect(error).toMatchObject({ kind, status, operation: "domains.get", method: "GET" });
      expect(error.hint).toContain(named);
      expect(error.hint).not.toBe("");
      expect(sentencesOf(error)).toMatchSnapshot();
    });
  }

  it.each([
    ["permission_denied", "Your organization is being deleted.", "wait"],
    ["permission_denied", "Your organization has been deactivated.", "activate"],
    ["permission_denied", "Your organization has been deactivated. Unpaid bills", "activate"],
    ["verified_domain_required", "Your organization only allows members with a verified email domain.", "domain"],
    ["permission_denied", "Creating or updating insights with legacy filters is not available.", "query"],
    ["permission_denied", "Your organization access level is insufficient.", "admin"],
    ["permission_denied", "Legacy insight endpoints are not available for this user.", "insights.get"],
  ])("does not blame the key's rights for a refusal with 403 %s %s", async (code, detail, named) => {
    const { kind, hint, missingPermission } = await errorOf(403, complaint(code, detail), "organizations.update");
    expect([kind, missingPermission]).toEqual(["scope", undefined]);
    expect(hint).toContain(named);
    expect(hint).not.toContain("organization:write");
  });

  it.each([
    ["insights.get_path", "insights.get"],
    ["insights.path", "insights.get"],
    ["insights.get_retention", "insights.get"],
    ["insights.retention", "insights.get"],
    ["identity_provider_configs.list", "saml_ fields"],
    ["identity_provider_configs.create", "saml_ fields"],
    ["identity_provider_configs.update", "saml_ fields"],
  ] as const)("%s may be what the service does not have, and %s is the way out", async (operation, way) => {
    expect((await errorOf(404, complaint("not_found", "Not found."), operation)).hint).toContain(way);
  });

  it("carries the scope that a refusal names, and only then", async () => {
    const named = complaint("permission_denied", "API key missing required scope 'organization:write'");
    const refused = await errorOf(403, named);
    expect(refused.missingPermission).toBe("organization:write");
    expect(withFields(refused, { tookEffect: "maybe" }).missingPermission).toBe("organization:write");
    expect((await errorOf(403, complaint("permission_denied", "No."))).missingPermission).toBeUndefined();
    expect((await errorOf(400, named)).missingPermission).toBeUndefined();
  });

  it("a failed write of a batch export on the organization's route points to the project's", async () => {
    expect((await errorOf(500, complaint("error"), "batch_exports.create")).hint).toContain("projects");
    expect((await errorOf(500, complaint("error"), "project_batch_exports.create")).hint).not.toContain("projects");
  });

  it("a key that unpausing alone may not accept need not be wrong", async () => {
    const hint = async (operation: OperationName) =>
      (await errorOf(401, complaint("not_authenticated"), operation)).hint;
    const unpause = await hint("project_batch_exports.unpause");
    expect(unpause).toContain("current project");
    expect(unpause).toMatchSnapshot();
    expect(await hint("project_batch_exports.pause")).toContain("DRIFTLINE_API_KEY");
  });

  it("points to the URL if a path without an id is not found", async () => {
    const hint = async (operation: Parameters<typeof errorOf>[2]) =>
      (await errorOf(404, complaint("not_found", "Not found."), operation)).hint;
    const [all, one] = [await hint("organizations.list"), await hint("organizations.get")];
    expect(all).toContain("URL");
    expect(one).not.toContain("URL");
    // Only the caller knows whether its user has given the ids.
    expect(one).not.toContain("id");
    expect(hintForGivenIds(await errorOf(404, complaint("not_found", "Not found."), "organizations.get"))).toContain(
      "id",
    );
    expect([all, one]).toMatchSnapshot();
  });

  it("names the scope of the table if the service names none", async () => {
    expect((await errorOf(403, complaint("permission_denied", "No."), "insights.create")).hint).toContain(
      "insight:write",
    );
    expect((await errorOf(403, complaint("permission_denied", "No."), "batch_exports.pause")).hint).not.toMatch(
      /:(?:read|write)\b/,
    );
  });
});

describe("a message", () => {
  it("is one line of method, path, status, code, detail and field", async () => {
    const server = await serve((_seen, response) =>
      json(response, 400, complaint("unique", "domain with this domain already exists.", "domain")),
    );
    const error = await failureOf(create(connect(server.url)));
    expect(error.message).toMatch(
      new RegExp(
        `^POST /api/organizations/${ORGANIZATION}/domains/ .*400.*unique.*domain with this domain already exists\\..*domain`,
      ),
    );
    expect(error.message).not.toContain("\n");
    expect(error.message).toMatchSnapshot();
    expect(error).toMatchObject({
      code: "unique",
      attr: "domain",
      path: `/api/organizations/${ORGANIZATION}/domains/`,
      tookEffect: "no",
    });
  });

  it("quotes a detail without control characters, up to the maximum length", async () => {
    const { message } = await errorOf(400, complaint("invalid", `a\u001b[31mb\u202e${"x".repeat(500)}\nsecond`));
    expect(message).toContain("a[31mbxxx");
    expect(message).not.toMatch(/[\p{Cc}\p{Cf}]|second/u);
    expect(message.length).toBeLessThan(500);
  });

  it("joins all lines of a detail, because the first may only count the problems", async () => {
    const detail = "1 validation error for Root\r\nsource.showMean\n  Extra inputs are not permitted\n";
    const { message } = await errorOf(400, complaint("parse_error", detail));
    expect(message).toContain("parse_error");
    expect(message).toContain("1 validation error for Root source.showMean Extra inputs are not permitted");
    expect(message).toMatchSnapshot();
  });

  it("treats an empty detail as missing, and says so", async () => {
    const { message, hint, code } = await errorOf(400, complaint("{}", "{}"));
    expect(message).toContain("400");
    expect(code).toBeNull();
    expect([message, hint]).toMatchSnapshot();
  });

  it("redacts a secret of several lines before the lines are joined", async () => {
    const redactor = createRedactor();
    redactor.add("-----BEGIN KEY-----\nMIIhunter2\n-----END KEY-----");
    const server = await serve((_seen, response) =>
      json(response, 400, complaint("invalid", "bad:\n-----BEGIN KEY-----\nMIIhunter2\n-----END KEY-----\nsee")),
    );
    expect((await failureOf(read(connect(server.url, { redactor })))).message).toMatch(/bad: \[redacted\] see$/);
  });

  it("quotes nothing from a body of another shape", async () => {
    for (const body of [
      "hunter2",
      ["hunter2"],
      { detail: { password: "hunter2" }, code: 7, attr: ["hunter2"] },
      { error: "hunter2" },
    ]) {
      const error = await errorOf(400, body);
      expect(JSON.stringify([error.message, error])).not.toContain("hunter2");
      expect(error.message).toContain("400");
      expect(error.message).toMatchSnapshot();
    }
  });

  it("shows no secret that the service quotes, in any part", async () => {
    const redactor = createRedactor();
    redactor.add("hunter2-of-config");
    const server = await serve(({ headers }, response) =>
      json(response, 400, {
        code: "hunter2-of-config",
        attr: "hunter2-of-config",
        detail: `got hunter2-of-config with ${String(headers.authorization).slice(7)}`,
      }),
    );
    const error = await failureOf(read(connect(server.url, { redactor })));
    expect(JSON.stringify([error.message, error.stack, error])).not.toMatch(/hunter2-of-config|phx_/);
    expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it("shows no part of a secret at the cut", async () => {
    const redactor = createRedactor();
    const secret = "s3cr3t".repeat(40);
    redactor.add(secret);
    const server = await serve((_seen, response) =>
      json(response, 400, complaint("invalid", `${"x".repeat(200)}${secret}`)),
    );
    expect((await failureOf(read(connect(server.url, { redactor })))).message).not.toContain("s3cr3t");
  });

  it("shows no value after the name of a secret in a detail", async () => {
    for (const detail of [
      "dsn password=hunter2 host=x",
      "input was {'aws_secret_access_key': 'hunter2'}",
      '{"api_key": "hunter2"}',
      "token='hunter2'",
    ]) {
      expect((await errorOf(400, complaint("invalid", detail))).message).not.toContain("hunter2");
    }
    expect((await errorOf(400, complaint("blank", "token: This field may not be blank."))).message).toContain(
      "This field may not be blank.",
    );
  });
});
