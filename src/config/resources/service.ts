import type { DesiredGraph } from "../../model/resource.ts";
import { urlHint } from "../../model/service-url.ts";
import { rejectSecrets } from "./draft.ts";
import { isEmail } from "./names.ts";
import type { Problems } from "../problems.ts";
import { describeNode, type Member } from "../tree/tree.ts";

/** Reads the settings of the service. It reports and omits invalid ones. */
export function readService(fields: ReadonlyMap<string, Member>, problems: Problems): DesiredGraph["service"] {
  const url = readSetting(
    fields.get("url"),
    isUrl,
    "an http or https URL",
    (text) => urlHint(text) ?? "Use a value such as https://eu.posthog.com.",
    problems,
  );
  const self = readSetting(
    fields.get("self"),
    isEmail,
    "an e-mail address",
    () => "Use a value such as robot@acme.com.",
    problems,
  );
  return { ...(url === undefined ? {} : { url }), ...(self === undefined ? {} : { self }) };
}

function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

function readSetting(
  member: Member | undefined,
  isValid: (text: string) => boolean,
  expected: string,
  hintFor: (text: string) => string,
  problems: Problems,
): string | undefined {
  const node = member?.value;
  if (member === undefined || node === undefined || node.type === "broken") return undefined;
  if (rejectSecrets(node, `service.${member.key}`, problems)) return undefined;
  const text = node.type === "scalar" && typeof node.value === "string" ? node.value : undefined;
  if (text !== undefined && isValid(text)) return text;
  const code = text === undefined ? "wrong_type" : "invalid_format";
  return problems.error(node, {
    code,
    message: `expected ${expected}, found ${describeNode(node)}`,
    hint: hintFor(text ?? ""),
  });
}
