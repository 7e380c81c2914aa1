/** Which service, with which key: asked if nothing says it, then checked as `doctor` does. */
import { isValidKey, publicUrlOf } from "../../../api/http/service-url.ts";
import { permissionsOf } from "../../../engine/doctor/needed-permissions.ts";
import { CLOUD_REGIONS, otherRegionHint } from "../../../model/known-services.ts";
import { sanitize } from "../../../model/text/quote.ts";
import { wrapList } from "../../../report/wrap.ts";
import { apiKey, checkUrl, findServiceUrl, requireUrl, wrongKey } from "../../steps/service-and-key.ts";
import { type ExitCode, worst } from "../../exit-codes.ts";
import type { ServiceOptions } from "../../program/options.ts";
import { askFor, requireRunning } from "../../terminal/ask.ts";
import type { Runtime } from "../../runtime.ts";
import { checkConnectivity, connectToCheck } from "../doctor/connectivity.ts";
import { exitCodesOfFindings, type DoctorFinding, findingLines } from "../doctor/report.ts";

/** How the service is reached. */
export interface ChosenService {
  /** The runtime, in whose environment the answers are. They are nowhere else. */
  readonly runtime: Runtime;
  readonly isKeyAnswered: boolean;
}

/**
 * Finds the URL and the key, and asks for those that nothing says.
 *
 * @param sent the operations that the key is for
 * @throws EngineError if the given URL is none
 */
export async function chooseService(
  runtime: Runtime,
  options: ServiceOptions,
  sent: ReadonlySet<string>,
): Promise<ChosenService> {
  const given = findServiceUrl(options, runtime.env, undefined);
  const url = given === "" && runtime.interactive ? await askUrl(runtime) : given;
  requireUrl(url, runtime.env);
  if (given !== "" && options.url === undefined)
    runtime.err(`DRIFTLINE_URL is set: ${sanitize(publicUrlOf(url))} is used.\n`);
  const isKeyAnswered = apiKey(runtime.env) === "" && runtime.interactive;
  const key = isKeyAnswered ? await askKey(runtime, publicUrlOf(url), permissionsOf(sent)) : apiKey(runtime.env);
  if (key !== "" && !isKeyAnswered) runtime.err("DRIFTLINE_API_KEY is set: its key is used.\n");
  const env = { ...runtime.env, DRIFTLINE_URL: url, DRIFTLINE_API_KEY: key };
  const invocation = given === "" ? runtime.invocation.about({ url }) : runtime.invocation;
  return { runtime: { ...runtime, env, invocation }, isKeyAnswered };
}

/** Asks for another key, because the service does not accept the one that was typed. */
export async function chooseOtherKey({ runtime }: ChosenService): Promise<ChosenService> {
  const { env } = runtime;
  return { runtime: { ...runtime, env: { ...env, DRIFTLINE_API_KEY: await typeKey(runtime) } }, isKeyAnswered: true };
}

async function askUrl(runtime: Runtime): Promise<string> {
  const regions = CLOUD_REGIONS.map(
    ({ name, url }, index) => `  ${String(index + 1)}) PostHog Cloud ${name}, ${url}\n`,
  );
  runtime.err(`Where is the organization?\n${regions.join("")}  or the URL of a server of your own\n`);
  for (;;) {
    const answer = (await askFor(runtime, "Number or URL [1]: ")) || "1";
    const region = CLOUD_REGIONS.find(
      ({ name }, index) => answer === String(index + 1) || answer.toUpperCase() === name,
    );
    const url = region?.url ?? answer;
    const problem = checkUrl(url);
    if (problem === undefined) return url;
    runtime.err(`That is not it: ${sanitize(problem.message)}.\n${sanitize(problem.hint ?? "")}\n`);
  }
}

async function askKey(runtime: Runtime, url: string, scopes: readonly string[]): Promise<string> {
  runtime.err(`
A personal API key is needed, with access to the organization and these scopes:
  ${wrapList(scopes, WIDTH).join("\n  ")}
It can be made at ${sanitize(url)}/settings/user-api-keys
What you type or paste is not shown, and the key is not written to any file.
`);
  return typeKey(runtime);
}

async function typeKey(runtime: Runtime): Promise<string> {
  for (;;) {
    const answer = await askFor(runtime, "API key: ", { hidden: true });
    const problem = keyProblem(answer);
    if (problem === undefined) return answer;
    runtime.err(`${problem}\n`);
  }
}

/** The most columns of a line of scopes. */
const WIDTH = 76;

function keyProblem(answer: string): string | undefined {
  if (answer === "") return "No key was typed. A personal API key begins with phx_.";
  const wrong = wrongKey(answer);
  if (wrong !== undefined) return `That is ${wrong.what}.\n${wrong.hint}`;
  return isValidKey(answer) ? undefined : "That has characters that a key cannot have. Copy the key again.";
}

/** What the checks have found. */
export interface CheckedService {
  /** Whether the service accepts the key. */
  readonly isAccepted: boolean;
  /** Whether the key was typed, and the service refuses it: another one may do. */
  readonly isRetryable: boolean;
  /** The exit code if it does not. */
  readonly exitCode: ExitCode;
}

/** Checks the service and the key as `doctor` does, and says what is not as it should be. @throws EngineError if it is interrupted */
export async function checkService(
  { runtime, isKeyAnswered }: ChosenService,
  options: ServiceOptions,
): Promise<CheckedService> {
  const connection = connectToCheck(runtime, options, undefined);
  const { url } = connection.client;
  const { isAccepted, findings } = await checkConnectivity(runtime, connection).finally(connection.close);
  requireRunning(runtime);
  const problems = findings
    .filter(({ status }) => status === "error" || status === "warning")
    .map((finding) => (isKeyAnswered && finding.check === "key_accepted" ? ofAnsweredKey(finding, url) : finding));
  const lines = findingLines(problems, runtime.errColumns);
  if (lines.length > 0) runtime.err(`\n${lines.join("\n")}\n`);
  const isRetryable =
    isKeyAnswered && problems.some(({ check, status }) => check === "key_accepted" && status === "error");
  const failed = isRetryable ? "" : "Nothing was written.\n";
  runtime.err(isAccepted ? `\n${sanitize(url)} accepts the key.\n` : failed);
  return { isAccepted, isRetryable, exitCode: worst(exitCodesOfFindings(problems)) };
}

/** The variable of the key is not to blame for a key that was typed. */
function ofAnsweredKey(finding: DoctorFinding, url: string): DoctorFinding {
  return {
    ...finding,
    fix: `The service does not accept this key. Use a personal API key of an active user. ${otherRegionHint(url) ?? ""}`.trim(),
  };
}
