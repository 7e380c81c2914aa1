import { expect, it, vi } from "vitest";
import { withFolderTimeout } from "../../../../src/engine/state/state-timeout.ts";
import { fakeClock } from "../../apply/support.ts";

const never = new Promise<never>(() => undefined);

it("refuses a folder that never answers after ten seconds, with its name and a way out", async () => {
  const clock = fakeClock();
  await expect(withFolderTimeout("/dead/mount", never, undefined, clock)).rejects.toMatchObject({
    reason: "failed",
    diagnostics: [
      {
        code: "no_journal",
        message: "the journal cannot be kept: the folder /dead/mount does not answer",
        hint: expect.stringContaining("DRIFTLINE_STATE_DIR") as string,
      },
    ],
  });
  expect(clock.slept).toEqual([10_000]);
});

it("undoes what the folder answers too late", async () => {
  let answer: (value: string) => void = () => undefined;
  const late = new Promise<string>((resolve) => {
    answer = resolve;
  });
  const undo = vi.fn<(value: string) => void>();
  await expect(withFolderTimeout("/slow", late, undo, fakeClock())).rejects.toThrow("does not answer");
  answer("a lock");
  await late;
  expect(undo).toHaveBeenCalledExactlyOnceWith("a lock");
});

it("returns an answer and an error as they are, and ends its wait", async () => {
  const signals: (AbortSignal | undefined)[] = [];
  const clock = {
    ...fakeClock(),
    sleep: (_ms: number, signal?: AbortSignal): Promise<void> => {
      signals.push(signal);
      return never;
    },
  };
  const undo = vi.fn<() => void>();
  expect(await withFolderTimeout("/state", Promise.resolve("here"), undo, clock)).toBe("here");
  await expect(withFolderTimeout("/state", Promise.reject(new Error("full")), undo, clock)).rejects.toThrow("full");
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
  expect(undo).not.toHaveBeenCalled();
});
