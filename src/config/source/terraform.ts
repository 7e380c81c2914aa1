/** The files of Terraform, for people who come from there. */
import type { ProblemDetail } from "../problems.ts";
import { entriesIn } from "./files.ts";

/** What is said about a file that only Terraform reads; undefined of other files. */
export function terraformProblem(file: string): ProblemDetail | undefined {
  const match = /\.tf(vars|state)?(?:\.json|\.backup)?$/u.exec(file);
  if (match === null) return undefined;
  const isState = match[1] === "state";
  const hint = isState
    ? "Its objects are imported by their ids: docs/from-terraform.md of the package shows how."
    : "Declare the objects in YAML: docs/from-terraform.md of the package shows both beside each other.";
  const message = `this is a ${isState ? "state" : "file"} of Terraform`;
  return { code: "wrong_type", message, hint };
}

/** Where people are sent to whose folder has files of Terraform; undefined of other folders, and of those that cannot be read. */
export function terraformPointer(folder: string): string | undefined {
  const isOfTerraform = entriesIn(folder).some(({ name }) => terraformProblem(name) !== undefined);
  return isOfTerraform ? "For people from Terraform: docs/from-terraform.md of the package." : undefined;
}
