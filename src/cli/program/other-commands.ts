/** The commands that people type who know Terraform, Pulumi or kubectl. */
import { command, type CommandWords } from "../../model/command.ts";

type Instead = readonly [hint: string, words: CommandWords];

const PLAN = command("plan");
const APPLY: Instead = ["To make the changes:", command("apply")];
const DOCTOR: Instead = ["To check the key and its rights:", command("doctor")];
const DRIFT: Instead = ["To see what changed on the service:", command("drift")];
const EXPORT: Instead = ["To write what is live as YAML:", command("export")];

const REMOVE: Instead = [
  "No command removes everything. Write lifecycle: { state: absent } for what is to go. To see what would be removed:",
  PLAN,
];

/** Commands of other tools, with the one that does the same here. */
const COMMANDS: Readonly<Record<string, Instead>> = {
  preview: ["To see what would change:", PLAN],
  status: DRIFT,
  refresh: DRIFT,
  up: APPLY,
  deploy: APPLY,
  sync: APPLY,
  get: EXPORT,
  pull: EXPORT,
  whoami: DOCTOR,
  login: DOCTOR,
  fmt: ["No command formats files. To check them:", command("validate")],
  lint: ["To check the files:", command("validate")],
  test: [
    "A plan against the emulator tests a configuration: docs/emulator.md of the package, and init --example library. To check the files alone:",
    command("validate"),
  ],
  providers: ["There are no providers to choose. To check the service and the key:", DOCTOR[1]],
  output: ["There are no outputs: an export has the ids. To write what is live as YAML:", EXPORT[1]],
  graph: ["The order of changes is found by itself. To see the changes:", PLAN],
  console: ["There is no console. To see what a field accepts:", command("explain")],
  untaint: ["Nothing is tainted, because there is no state. To see what would change:", PLAN],
  state: ["There is no state: what is declared is compared with the service. To compare:", PLAN],
  "state rm": [
    "There is no state: remove the declaration, and the object stays on the service. To see what is left:",
    PLAN,
  ],
  "state mv": ["There is no state: an address is only a name in your files. Write the new one, and compare:", PLAN],
  "state show": EXPORT,
  "state pull": EXPORT,
  workspace: [
    "There are no workspaces: give each environment a file of variables, with --vars. To see what would change:",
    PLAN,
  ],
  stack: ["There are no stacks and no state: the service is read anew each time. To compare:", PLAN],
  "stack select": [
    "There are no stacks: give each environment a file of variables, with --vars. To see what would change:",
    PLAN,
  ],
  config: [
    "There are no settings of a stack: values stand in the files, or come from --var and --vars. To check the files:",
    command("validate"),
  ],
  logs: ["There are no logs of the service here. A drift says who changed what, and when:", DRIFT[1]],
  cancel: ["Nothing runs elsewhere: Ctrl-C ends an apply, and its lock ends with it. To see what is left:", PLAN],
  rollback: [
    "Nothing is undone by itself. Restore the former files, from git for example. To make the changes:",
    APPLY[1],
  ],
  taint: ["Nothing forces a replacement; apply --rotate sends secrets again. To see what would change:", PLAN],
  "force-unlock": ["A lock ends with its process. To make the changes:", APPLY[1]],
  destroy: REMOVE,
  delete: REMOVE,
};

/**
 * What to do instead of a command that only other tools have.
 *
 * @param next the word behind the command, which may belong to it, as in `state rm`
 */
export function otherCommand(name: string, next: string | undefined): Instead | undefined {
  const found = [`${name} ${next ?? ""}`, name].find((words) => Object.hasOwn(COMMANDS, words));
  return found === undefined ? undefined : COMMANDS[found];
}
