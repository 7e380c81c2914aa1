/** The call that lists objects which no program declares yet. */
import type { ListRequest, ListResponse } from "@pulumi/pulumi/proto/provider_pb.js";
import type { Properties } from "../properties/properties.ts";
import type { KindProvider } from "../provider/kind-provider.ts";
import type { Sdk } from "./sdk.ts";
import { readStruct } from "./wire.ts";

/**
 * Answers with the ids that an import takes, so with their place. The list is complete before the first answer: a limit or a size
 * of pages only cuts it, and a page begins where the last one ended.
 */
export async function listObjects(
  { messages }: Sdk,
  provider: KindProvider,
  request: ListRequest,
): Promise<readonly ListResponse[]> {
  const query = readStruct(request.getQuery());
  const objects = await provider.list(query);
  const total = atMost(request.getLimit(), objects.length);
  const start = Number(request.getContinuationToken());
  const end = Math.min(total, start + atMost(request.getPageSize(), objects.length));
  const page = objects.slice(start, end).map(({ id, name }) => {
    const result = new messages.ListResponse.Result().setId(placedId(query, id)).setName(name);
    return new messages.ListResponse().setResult(result);
  });
  if (end >= total) return page;
  const more = new messages.ListResponse.Continuation().setContinuationToken(String(end));
  return [...page, new messages.ListResponse().setContinuation(more)];
}

/** A limit below 1 is none. */
function atMost(limit: number, count: number): number {
  return limit < 1 ? count : Math.min(limit, count);
}

function placedId({ projectId, organizationId }: Properties, id: string): string {
  const place = projectId ?? organizationId;
  return typeof place === "string" || typeof place === "number" ? `${String(place)}/${id}` : id;
}
