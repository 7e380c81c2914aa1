/**
 * Checks the key of a run before anything is planned with it, so that a preview fails where the `up` after it would, and says what the
 * key sees.
 */
import type { Client } from "../../api/client.ts";
import { isDenied, ApiError } from "../../api/errors/errors.ts";
import { asText } from "../../kinds/keys.ts";
import { firstOf, MAX_NAMES } from "../../model/text/plural.ts";
import { quoted, visible } from "../../model/text/quote.ts";
import { UNKNOWN } from "../properties/check.ts";
import type { Properties } from "../properties/properties.ts";
import { listOrganizations } from "./scope-read.ts";
import type { ProviderSession, ReadSession } from "./session.ts";

type Session = Pick<ProviderSession, "client" | "checkOnce" | "log"> & ReadSession;

/**
 * Checks the key once for all resources of a process: one request, and a second one if the key is limited to projects.
 *
 * @throws ApiError if the service does not accept the key
 */
export function checkKey(session: Session, inputs: Properties): Promise<void> {
  const { client, log } = session;
  return session.checkOnce(async () => {
    try {
      const seen = await organizationsText(session).catch((error: unknown) => projectOf(client, inputs, error));
      await log.info(`the key for ${client.url} sees ${seen}`);
    } catch (error) {
      // A service that is away for a while does not make a program wrong.
      if (!(error instanceof ApiError) || error.kind === "auth") throw error;
      await log.warn(`what the key for ${client.url} sees is not known: ${error.message}`);
    }
  });
}

async function organizationsText(lists: ReadSession): Promise<string> {
  const { byId } = await listOrganizations(lists);
  const names = [...byId.values()].map(({ id, values }) => `${quoted(asText(values["name"]) ?? "")} (${visible(id)})`);
  if (names.length === 0) return "no organization";
  return `the organization${names.length > 1 ? "s" : ""} ${firstOf(names, MAX_NAMES)}`;
}

/** The project of a resource, if a key that may not read organizations may read its insights. @throws the error of the organizations */
async function projectOf(client: Pick<Client, "request">, inputs: Properties, error: unknown): Promise<string> {
  const project = asText(inputs["projectId"]);
  if (!isDenied(error) || error.kind === "auth" || project === undefined || project === UNKNOWN) throw error;
  await client.request("insights.list", { path: { project_id: project }, query: { limit: 1 } });
  return `the project ${visible(project)}, and no organization`;
}
