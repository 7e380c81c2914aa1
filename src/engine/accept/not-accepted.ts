import type { Change } from "../../model/change.ts";
import { type Hint, hintFields } from "../../model/command.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";

/** A warning that a change is not accepted, at its declaration. */
export function notAccepted(change: Change, reason: string, hint: Hint): Diagnostic {
  const { address } = change;
  const position = change.work?.resource?.position ?? {};
  const message = `not accepted: ${reason}`;
  return { severity: "warning", code: "not_accepted", message, ...hintFields(hint), address, ...position };
}
