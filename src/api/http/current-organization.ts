import { own } from "../../model/json/json.ts";
import { ApiError, withFields } from "../errors/errors.ts";
import { operations } from "../operations/index.ts";
import { SERVER_QUIRKS } from "../operations/server-quirks.ts";
import type { Answer } from "./receive.ts";
import type { PreparedRequest } from "./request.ts";

export type Send = (request: PreparedRequest) => Promise<Answer>;

/**
 * Wraps the function that sends a request, for users without a current organization.
 *
 * Premise: deployed servers keep a current organization for every user. If it is deleted, they answer 404 to most requests
 * with the user's key, although nothing is missing, until a request for the current organization makes them choose another.
 * Algorithm: after such an answer, read the current organization, and send the request once more. Requests that fail at the
 * same time share that read. After a delete that may have this effect, read it at once.
 */
export function keepCurrentOrganization(send: Send): Send {
  let restored = 0;
  let running: Promise<boolean> | undefined;
  /** Returns whether the service has a current organization for the user now. */
  const restore = (request: PreparedRequest): Promise<boolean> => {
    running ??= send(readCurrent(request))
      .then(
        () => {
          restored += 1;
          return true;
        },
        () => false,
      )
      .finally(() => {
        running = undefined;
      });
    return running;
  };
  return async (request) => {
    const before = restored;
    try {
      const answer = await send(request);
      if (own(SERVER_QUIRKS, request.origin.operation.name)?.losesCurrent === true) await restore(request);
      return answer;
    } catch (error) {
      if (!(error instanceof ApiError && error.kind === "no_organization")) throw error;
      // If it was restored after this request began, the request only has to be repeated.
      if (restored === before && !(await restore(request))) throw error;
      return await send(request).catch((again: unknown) => {
        throw error.tookEffect === "maybe" && again instanceof ApiError
          ? withFields(again, { tookEffect: "maybe" })
          : again;
      });
    }
  };
}

/** The request for the current organization. It counts for the request that needs it. */
function readCurrent({ origin, onRequest }: PreparedRequest): PreparedRequest {
  const operation = operations["organizations.get"];
  const path = `${operation.path.replace(":id", "@current")}/`;
  return { origin: { ...origin, operation, path }, query: "", body: undefined, raw: false, onRequest };
}
