import { command, commandLine, withCommand } from "../../../model/command.ts";
import { sanitize } from "../../../model/text/quote.ts";
import type { Runtime } from "../../runtime.ts";

/** What was written, and what was typed for it. */
interface Written {
  readonly folder: string;
  /** Whether the key was typed, so that no other command has it. */
  readonly isKeyAnswered: boolean;
}

/** A saved plan, as the pages of the documentation call it. */
const PLAN = "plan.json";

/** What to commit, what to ignore, and the commands that come next. The paths of the run are its folder. */
export function initNextSteps({ invocation }: Pick<Runtime, "invocation">, { folder, isKeyAnswered }: Written): string {
  const steps = [
    withCommand("What differs then:", invocation.toRunnable(command("plan", { out: PLAN }))),
    // A saved plan knows its paths and its service.
    withCommand("To carry out exactly that:", command("apply", { plan: PLAN })),
    withCommand("What was changed in the web interface:", invocation.toRunnable(command("drift"))),
  ];
  return `
To commit the files, which do not hold the key:
  ${sanitize(commandLine(["git", "add", folder]))}
Ignore ${PLAN} and reports, because each is about one run:
  printf '%s\\n' ${PLAN} report.html >> .gitignore
${isKeyAnswered ? KEY : ""}
Next, change a value in a file.
${steps.map((step) => `  ${step}\n`).join("")}`;
}

/** The history of a shell does not get the key this way. */
const KEY = `
The key is not saved. For the next commands, paste it into this (bash, zsh):
  read -rs DRIFTLINE_API_KEY && export DRIFTLINE_API_KEY
`;
