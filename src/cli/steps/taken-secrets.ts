/**
 * The secrets that a configuration takes out of the environment without declaring them as such.
 *
 * Premise: most variables with the name of a secret are for other programs, and their values may be ordinary words, which occur in
 * names and texts. So a variable counts only if the configuration takes it: with `${env:NAME}`, which the loader knows, or in a
 * program, which can read every variable. In the value of a `--var` a shell has replaced its name, so that value counts as a whole.
 */
import { createRedactor } from "../../api/redact/redact.ts";
import type { LoadedConfig } from "../../config/index.ts";
import { isProgram } from "../../config/source/files.ts";
import { canonicalJson } from "../../model/json/canonical-json.ts";
import { environmentSecrets } from "../../model/secret-values.ts";
import type { PlanSource } from "../../model/plan.ts";
import type { Environment } from "../runtime.ts";

/** Those in the variables of the command line. */
export function typedSecrets(env: Environment["env"], variables: PlanSource["variables"]): readonly string[] {
  const secrets = environmentSecrets(env);
  return variables.flatMap(({ value }) => (secrets.some(([, secret]) => value?.includes(secret)) ? (value ?? []) : []));
}

/** Those that programs have put into a configuration. */
export function saidSecrets(config: LoadedConfig, env: Environment["env"]): readonly string[] {
  const said = saidByPrograms(config);
  if (said === "") return [];
  return environmentSecrets(env).flatMap(([, secret]) => (holds(said, secret) ? secret : []));
}

/** The values of a configuration that is a program in part, and the errors of that program; else an empty text. */
function saidByPrograms({ files, graph, diagnostics }: LoadedConfig): string {
  if (!files.some(isProgram)) return "";
  const values = graph.resources.map((resource) => resource.values);
  return canonicalJson([...values, ...diagnostics.map(({ message }) => message)]);
}

function holds(text: string, secret: string): boolean {
  const redactor = createRedactor();
  redactor.add(secret);
  return redactor.holds(text);
}
