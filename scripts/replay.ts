/**
 * Replays recorded exchanges with a real server against the emulator's `deployed` dialect, and prints the share of
 * equal responses. The recording is not part of the project; without it, the script does nothing.
 * Usage: `jiti scripts/replay.ts [FILE]`
 */
import { pathToFileURL } from "node:url";
import { readRecording, RECORDING } from "../test/contract/replay/recording.ts";
import { agreement, DENOMINATOR, replay, type Replay } from "../test/contract/replay/run.ts";

const REQUIRED_PERCENT = 95;

const [file] = process.argv.slice(2);
const recording = file === undefined ? RECORDING : pathToFileURL(file);
const exchanges = await readRecording(recording);
if (exchanges === undefined) {
  process.stdout.write(`There is no recording at ${recording.pathname}: nothing was replayed.\n`);
} else {
  const result = await replay(exchanges);
  process.stdout.write(report(exchanges.length, result));
  if (agreement(result) < REQUIRED_PERCENT || result.compared !== DENOMINATOR) process.exitCode = 1;
}

function report(recorded: number, result: Replay): string {
  const { compared, disagreements, needless } = result;
  const lines = disagreements.map(({ exchange, differences, reason = "no reason is known" }) => {
    const { line, label, method, path } = exchange;
    return `\nline ${line} (${label}): ${method} ${path}\n  ${differences.slice(0, 5).join("\n  ")}\n  reason: ${reason}`;
  });
  return [
    `${recorded} exchanges were recorded, ${compared} concern the interface (${DENOMINATOR} are expected).`,
    `${compared - disagreements.length} of ${compared} agree: ${agreement(result).toFixed(1)} %.`,
    ...lines,
    ...needless.map((line) => `\nline ${line} is listed as an exception but agrees.`),
    "",
  ].join("\n");
}
