/**
 * What `pulumi convert --from terraform` asks for: the resources of PostHog's Terraform provider that driftline has as well. They
 * are in `schemas/terraform/posthog.json`, in the form of Pulumi's Terraform bridge, whose types are 1 for a boolean, 2 for an
 * integer, 4 for a string and 7 for a set. People also give this file to the converter, which takes the name of the provider from
 * that of the file.
 *
 * Premise: the converter renames what a configuration says, and computes nothing. So a resource is there only if renaming is
 * enough, or if the provider's check then says what is missing. `query_json` stays a JSON text, which an input may be.
 * `user_uuid` names a member there, and driftline has no input for it: the check then asks for the e-mail.
 *
 * For a Terraform state it takes only the type from there. It passes on the attribute `id`, and refuses one that is no text
 * before it asks for the mapping, so nothing there can help with the numbers of insights. Source: `TranslateState` in its
 * `tf_state.go`.
 */
import { readFile } from "node:fs/promises";
import { version } from "../../generated/version.ts";
import type { JsonObject } from "../../model/json/json.ts";

/** The ecosystem that the mapping is for, and the provider in it. */
const KEY = "terraform";
const PROVIDER = "posthog";

/** The providers of an ecosystem that there is a mapping for. */
export function mappedProviders(key: string): readonly string[] {
  return key === KEY ? [PROVIDER] : [];
}

/**
 * The mapping of a provider of an ecosystem. The converter asks without a name if it knows none.
 *
 * @returns undefined if there is none
 */
export async function mappingOf(
  key: string,
  provider: string,
): Promise<{ readonly provider: string; readonly mapping: JsonObject } | undefined> {
  if (key !== KEY || (provider !== "" && provider !== PROVIDER)) return undefined;
  const file = new URL(`../../../schemas/terraform/${PROVIDER}.json`, import.meta.url);
  const mapping = JSON.parse(await readFile(file, "utf8")) as JsonObject;
  return { provider: PROVIDER, mapping: { ...mapping, version } };
}
