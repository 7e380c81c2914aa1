import { invalid } from "../../http/errors.ts";
import { organizationTable, type Organization } from "./record.ts";
import { removeRow, resourceNamed } from "../../resource.ts";
import type { Answer, Authenticated } from "../../http/call.ts";
import type { Service } from "../../service.ts";

/** Fact 124: a reason to refuse the deletion of an organization. */
interface Refusal {
  readonly applies: (service: Service, row: Organization) => boolean;
  readonly detail: string;
}

const REFUSALS: readonly Refusal[] = [
  {
    applies: ({ switches }) => switches.deletion_disabled,
    detail: "Organization deletion is temporarily disabled during database migration. Please try again later.",
  },
  {
    applies: ({ switches }) => switches.cloud && switches.active_subscription,
    detail:
      "Cannot delete organization with an active subscription. Please cancel your subscription first in the billing page.",
  },
  {
    applies: (_service, row) => row.is_pending_deletion === true,
    detail: "This organization is already being deleted.",
  },
];

/** Fact 124: starts the deletion of an organization, which takes some time. @throws ApiError 400 */
export function startDeletion({ service }: Authenticated, row: Organization): Answer {
  const refusal = REFUSALS.find(({ applies }) => applies(service, row));
  if (refusal !== undefined) throw invalid("invalid_input", refusal.detail);
  organizationTable(service).put({ ...row, is_pending_deletion: true });
  service.store.deletions.set(row.id, service.now().getTime() + service.switches.deletion_seconds * 1000);
  return { status: 204 };
}

/** Removes the organizations whose deletion has come to its end. */
export function finishDeletions(service: Service): void {
  const { deletions } = service.store;
  for (const [id, endsAt] of deletions) {
    if (service.now().getTime() < endsAt) continue;
    deletions.delete(id);
    if (organizationTable(service).get(id) !== undefined) {
      removeRow(service, resourceNamed(service, "organization"), id);
    }
  }
}
