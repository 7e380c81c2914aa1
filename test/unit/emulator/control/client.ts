import type { Body } from "../harness.ts";
import type { Emulator } from "../../../../src/emulator/index.ts";

/** An answer of the control interface. */
interface ControlReply {
  readonly status: number;
  readonly json: Body;
}

/** Sends a request to the control interface. */
export type ControlSend = (method: string, path: string, body?: unknown, type?: string) => Promise<ControlReply>;

/** Creates the function that calls the control interface of an emulator. */
export function controlSender(emulator: Emulator): ControlSend {
  return async (method, path, body, type = "application/json") => {
    const response = await fetch(`${emulator.controlUrl}${path}`, {
      method,
      headers: { "content-type": type },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: (text === "" ? {} : JSON.parse(text)) as Body };
  };
}
