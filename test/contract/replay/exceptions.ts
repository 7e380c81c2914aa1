/** The reason why the emulator answers an exchange differently from the recording. */
export interface Exception {
  readonly reason: string;
  /** The request is not sent, because it would have an effect that it did not have on the recorded server. */
  readonly skipped?: boolean;
}

/** The exceptions, by the line of the recording. */
export const EXCEPTIONS: Readonly<Record<number, Exception>> = {
  75: { reason: "the recorded server could not read any query text; the emulator keeps every one", skipped: true },
  105: {
    reason: "the recorded server lacked a part of itself at that time, and did the same request later",
    skipped: true,
  },
  130: { reason: "servers of that year forgot the scope of making invites; the emulator asks for the documented one" },
  207: { reason: "the recorded server had no events to calculate with, and so refused", skipped: true },
};
