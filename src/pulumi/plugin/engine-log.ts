import type { Sdk } from "./sdk.ts";

/** Messages to the user that are not part of an answer to the engine. */
export interface EngineLog {
  /** Shows a warning once, among the diagnostics of the run. */
  readonly warn: (message: string) => Promise<void>;
}

/**
 * A log at the engine of this address. Without an address, or if the engine does not take it, a message goes to stderr, which an
 * engine shows only in its own logs.
 */
export function createEngineLog({ grpc, engine, engineMessages }: Sdk, address: string): EngineLog {
  const client =
    address === "" ? undefined : new engine.EngineClient(address, grpc.credentials.createInsecure() as never);
  return {
    warn: (message) =>
      new Promise((resolve) => {
        const write = (): void => void process.stderr.write(`${message}\n`, () => resolve());
        if (client === undefined) return write();
        const request = new engineMessages.LogRequest()
          .setSeverity(engineMessages.LogSeverity.WARNING)
          .setMessage(message);
        client.log(request, (error) => (error === null ? resolve() : write()));
      }),
  };
}
