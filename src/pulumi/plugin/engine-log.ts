import { engineText } from "../provider/errors.ts";
import type { EngineLog } from "../provider/calls.ts";
import { loadSdk, type Sdk } from "./sdk.ts";

/**
 * A log at the engine of this address. Without an address, or if the engine does not take it, a message goes to stderr, which an
 * engine shows only in its own logs.
 */
export function createEngineLog({ grpc, engine, engineMessages }: Sdk, address: string): EngineLog {
  const client =
    address === "" ? undefined : new engine.EngineClient(address, grpc.credentials.createInsecure() as never);
  const show = (severity: 1 | 2, text: string, urn: string): Promise<void> =>
    new Promise((resolve) => {
      const message = engineText(text);
      const write = (): void => void process.stderr.write(`${message}\n`, () => resolve());
      if (client === undefined) return write();
      const request = new engineMessages.LogRequest().setSeverity(severity).setMessage(message).setUrn(urn);
      client.log(request, (error) => (error === null ? resolve() : write()));
    });
  const { INFO, WARNING } = engineMessages.LogSeverity;
  return {
    warn: (message, urn = "") => show(WARNING, message, urn),
    info: (message, urn = "") => show(INFO, message, urn),
    stack: () =>
      new Promise((resolve) => {
        if (client === undefined) return resolve(undefined);
        // The root of a program is `urn:pulumi:STACK::PROJECT::pulumi:pulumi:Stack::NAME`.
        client.getRootResource(new engineMessages.GetRootResourceRequest(), (error, answer) => {
          const root = error === null ? answer.getUrn() : "";
          resolve(root === "" ? undefined : root.split("::").slice(0, 2).join("::"));
        });
      }),
  };
}

/** The log of the process of dynamic providers, whose own argument is the address of the engine. */
export function logOfProcess(): EngineLog {
  let log: EngineLog | undefined;
  const opened = (): EngineLog | undefined => {
    const sdk = log === undefined ? loadSdk(process.cwd()) : undefined;
    const [, , address = ""] = process.argv;
    if (sdk !== undefined) log = createEngineLog(sdk, /^[\w.-]+:\d+$/.test(address) ? address : "");
    return log;
  };
  return {
    warn: async (message) => opened()?.warn(message),
    info: async (message) => opened()?.info(message),
    stack: async () => opened()?.stack(),
  };
}
