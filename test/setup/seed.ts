/**
 * Random tests are random from run to run, unless DRIFTLINE_SEED is set. `.ci/run` sets it by the content of the repository: each
 * change is tested with other values, and what failed there fails again on the same content.
 */
const seed = process.env["DRIFTLINE_SEED"];
if (seed !== undefined) {
  const { configureGlobal, readConfigureGlobal } = await import("fast-check");
  configureGlobal({ ...readConfigureGlobal(), seed: Number(seed) });
}
