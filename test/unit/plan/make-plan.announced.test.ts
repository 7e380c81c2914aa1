/** Whether the service announces the replacement that a plan makes. */
import { expect, it } from "vitest";
import type { JsonObject } from "../../../src/model/json/json.ts";
import { declare, live, plan } from "./world.ts";

const ROW = { id: "i1", target_email: "bob@acme.com", first_name: "Bob", level: 1, message: null };

/** Whether the replacement of an invite asks for no second e-mail, on a service that can leave it out. */
function isQuiet(declared: JsonObject): boolean {
  const resource = declare("acme/invites/bob@acme.com", { target_email: "bob@acme.com", ...declared });
  const [change] = plan([resource], live({ "invites.list": [{ ...ROW, private_project_access: [] }] })).changes;
  expect(change?.action).toBe("replace");
  return change?.work?.carried?.["send_email"] === false;
}

it("a replacement is announced again if one of the fields of its announcement changes, whatever else does", () => {
  expect(isQuiet({ level: 8 })).toBe(true);
  expect(isQuiet({ message: "Welcome" })).toBe(false);
  expect(isQuiet({ level: 8, message: "Welcome" })).toBe(false);
});
