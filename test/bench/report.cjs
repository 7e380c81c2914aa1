// Loaded into every process that is measured, before its own code. It is CommonJS, because Node's loader of ES modules would count as work
// of the command. Writes CPU time, memory, and the time from the first request to the last answer to file descriptor 3.
const { writeSync } = require("node:fs");
const { subscribe } = require("node:diagnostics_channel");

let first = 0;
let last = 0;
subscribe("undici:request:create", () => void (first ||= performance.now()));
subscribe("undici:request:trailers", () => void (last = performance.now()));
process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const report = { cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMiB: maxRSS / 1024, readMs: last - first };
  writeSync(3, JSON.stringify(report));
});
