/**
 * Random tests differ from run to run, unless DRIFTLINE_SEED is set. `npm test` sets another one each time, and prints it. `.ci/run`
 * always sets the same: there, nothing but the change decides whether a test fails.
 */
const seed = process.env["DRIFTLINE_SEED"];
if (seed !== undefined) {
  const { configureGlobal, readConfigureGlobal } = await import("fast-check");
  configureGlobal({ ...readConfigureGlobal(), seed: Number(seed) });
}
