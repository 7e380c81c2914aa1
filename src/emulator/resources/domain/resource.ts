import { asObject, jsonBody, objectBody } from "../../http/body.ts";
import { checkCloudCreate, checkCurrentValues, currentDomainFields, renderCurrentDomain, scimLogs } from "./current.ts";
import { checkProvisioning } from "../../deployed/plan-limits.ts";
import { defineResource } from "../../resource.ts";
import { invalid, notFound } from "../../http/errors.ts";
import { flag, nullable, readFields, required, text } from "../../http/fields.ts";
import { domainTable, makeDomain, renderDomain, type Domain } from "./record.ts";
import { requireAdminToWrite } from "../member/rules.ts";
import { organizationOf, textId } from "../scope.ts";
import { organizationRoute, type Route } from "../../http/route.ts";
import { page } from "../../http/page.ts";
import { stamp } from "../../store/time.ts";
import type { Answer, Authenticated } from "../../http/call.ts";
import type { Organization } from "../organization/record.ts";
import type { Service } from "../../service.ts";

const FIELDS = {
  domain: required(text({ max: 128 })),
  jit_provisioning_enabled: flag(),
  sso_enforcement: text({ max: 28, blank: true }),
  saml_entity_id: nullable(text({ blank: true, max: 512 })),
  saml_acs_url: nullable(text({ blank: true, max: 512 })),
  saml_x509_cert: nullable(text({ blank: true })),
};
const AFTER_VERIFICATION = ["jit_provisioning_enabled", "sso_enforcement"] as const;
const DOMAIN = /^([a-z0-9]+(-[a-z0-9]+)*\.)+[a-z]{2,}$/;

const ROUTES: readonly Route[] = [
  organizationRoute(
    "domains",
    { GET: { scope: "organization:read", run: list }, POST: { scope: "organization:write", run: create } },
    requireAdminToWrite,
  ),
  organizationRoute(
    "domains/:id",
    {
      GET: { scope: "organization:read", run: (call, owner) => domainAnswer(call, requireDomain(call, owner)) },
      PUT: { scope: "organization:write", run: (call, owner) => update(call, owner, false) },
      PATCH: { scope: "organization:write", run: (call, owner) => update(call, owner, true) },
      DELETE: { scope: "organization:write", run: remove },
    },
    requireAdminToWrite,
  ),
  organizationRoute("domains/:id/verify", { POST: { scope: null, run: verify } }, requireAdminToWrite),
  {
    ...organizationRoute("domains/:id/scim/logs", { GET: { scope: "organization:read", run: logs } }),
    dialects: ["current"],
  },
];

function list(call: Authenticated, owner: Organization): Answer {
  const rows = domainTable(call.service).within(owner.id);
  return page(
    call,
    rows.toSorted((a, b) => (a.domain < b.domain ? -1 : 1)),
    (row) => render(call.service, row),
  );
}

function create(call: Authenticated, owner: Organization): Answer {
  const { service } = call;
  if (service.current) checkCloudCreate(call, owner);
  const values = readFields(objectBody(call), fieldsOf(service, true), {
    lenient: service.isRealServer,
    partial: false,
  });
  if (service.current) checkCurrentValues(service, owner, values);
  checkName(service, values.domain, undefined);
  // Deployed servers silently drop the fields that require a verified domain.
  const { jit_provisioning_enabled: _jit, sso_enforcement: _sso, ...unverified } = values;
  const kept = service.isRealServer ? unverified : values;
  return { status: 201, body: render(service, makeDomain(service, owner.id, kept)) };
}

function update(call: Authenticated, owner: Organization, partial: boolean): Answer {
  const { service } = call;
  const row = requireDomain(call, owner);
  const values = readFields(objectBody(call), fieldsOf(service, false), { lenient: service.isRealServer, partial });
  if (service.isRealServer && !row.is_verified) {
    const early = AFTER_VERIFICATION.find((field) => values[field] !== undefined);
    const detail = "This attribute cannot be updated until the domain is verified.";
    if (early !== undefined) throw invalid("verification_required", detail, early);
  }
  if (service.current) checkCurrentValues(service, owner, values);
  else checkProvisioning(service, owner, values.jit_provisioning_enabled);
  checkName(service, values.domain, row);
  return domainAnswer(call, domainTable(service).put({ ...row, ...values }));
}

function remove(call: Authenticated, owner: Organization): Answer {
  domainTable(call.service).remove(requireDomain(call, owner).id);
  return { status: 204 };
}

function verify(call: Authenticated, owner: Organization): Answer {
  const { service } = call;
  const row = requireDomain(call, owner);
  asObject(jsonBody(call));
  if (service.isRealServer && row.is_verified) {
    throw invalid("already_verified", "This domain has already been verified.");
  }
  if (row.is_verified || !service.resolves(row.domain)) return domainAnswer(call, row);
  return domainAnswer(call, domainTable(service).put({ ...row, is_verified: true, verified_at: stamp(service.now()) }));
}

function logs(call: Authenticated, owner: Organization): Answer {
  requireDomain(call, owner);
  return scimLogs(call);
}

function domainAnswer({ service }: Authenticated, row: Domain): Answer {
  return { status: 200, body: render(service, row) };
}

function render(service: Service, row: Domain): object {
  return service.current ? renderCurrentDomain(service, row) : renderDomain(row);
}

function fieldsOf(
  service: Service,
  isCreate: boolean,
): Partial<typeof FIELDS> & ReturnType<typeof currentDomainFields> {
  return service.current ? currentDomainFields(service, isCreate) : FIELDS;
}

function requireDomain({ service, params }: Authenticated, owner: Organization): Domain {
  const row = domainTable(service).get(params["id"] ?? "");
  if (row === undefined || row.organization_id !== owner.id) throw notFound();
  return row;
}

/** Domain names are unique across all organizations. */
function checkName(service: Service, name: string | undefined, self: Domain | undefined): void {
  if (name === undefined) return;
  if (service.isRealServer && !DOMAIN.test(name)) {
    throw invalid("invalid_input", "Please enter a valid domain or subdomain name.", "domain");
  }
  const taken = domainTable(service)
    .all()
    .some((row) => row.domain === name && row.id !== self?.id);
  if (taken) throw invalid("unique", "domain with this domain already exists.", "domain");
}

/** The domains of an organization. */
export const domain = defineResource({
  name: "domain",
  table: domainTable,
  livesIn: "organization",
  routes: ROUTES,
  controlled: true,
  insert: (service, scope, values) => makeDomain(service, organizationOf(service, scope), textId(values)),
  seed: { list: "domains", within: ["organization"], needed: ["domain"] },
});
