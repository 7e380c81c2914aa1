import { isSecretField, schemaAt } from "../../kinds/fields.ts";
import { nodesOf } from "../../kinds/nodes.ts";
import { leavesOf, type ValueObject } from "../../model/json/json.ts";
import { isMasked, isSecretName, isSecretUrl } from "../../model/secret-values.ts";
import { variableName } from "../../model/text/variable-name.ts";
import { type Member, nodeAt, toMapNode, type TreePosition } from "../tree/tree.ts";
import type { ResourceDraft } from "./declarations.ts";

/**
 * Warns about secrets that stand in the configuration as plain text, in fields that are secret by schema or by name.
 *
 * @param values those of the fields: the type of a destination decides which of its settings are secrets
 * @param reported members that have to be removed, and so need no other value
 */
export function checkPlainText(
  fields: ReadonlyMap<string, Member>,
  values: ValueObject,
  draft: ResourceDraft,
  reported: ReadonlySet<TreePosition>,
): void {
  const { kind, name, place, problems } = draft;
  // What an insight asks for may name a page, and a key in its address is none.
  const mayHaveTokens = Object.keys(nodesOf(kind.name)).length === 0;
  for (const { keys, value } of leavesOf(values)) {
    const [root, key = ""] = [toMapNode(fields, place), keys.at(-1)];
    const places = keys.map((_, index) => nodeAt(root, keys.slice(0, index + 1)).place);
    const member = places.at(-1);
    if (typeof value !== "string" || member === undefined || !("key" in member)) continue;
    if (places.some((one) => reported.has(one))) continue;
    const warn = (what: string, where: string): void => {
      const variable = variableName(name, key);
      problems.warning(member, {
        code: "plain_text_secret",
        message: `${key} ${what} plain text`,
        hint: `Write \${secret:${variable}} ${where}, and set the environment variable ${variable}.`,
      });
    };
    // A mask is no secret: it was copied from what a service shows.
    if ((isSecretField(schemaAt(kind.name, values, keys)) || isSecretName(key)) && value !== "" && !isMasked(value))
      warn("is a secret, and its value is", "as its value");
    else if (mayHaveTokens && isSecretUrl(value)) warn("is a URL with a token, which is", "in the place of the token");
  }
}
