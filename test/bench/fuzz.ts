/** `npm run fuzz -- [KIND...] [--count N] [--seed N]`: damaged inputs of every kind, 20,000 each by default. */
import { parseArgs } from "node:util";
import { fuzz, KINDS } from "./fuzzing.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: "string", default: "20000" }, seed: { type: "string", default: "1" } },
});
for (const name of Object.keys(KINDS) as (keyof typeof KINDS)[]) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const { median, most } = await fuzz(name, { count: Number(values.count), seed: Number(values.seed) });
  process.stdout.write(`${name}: ${values.count} inputs, ${String(median)} steps (median), at most ${String(most)}\n`);
}
