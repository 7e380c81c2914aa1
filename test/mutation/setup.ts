import * as fc from "fast-check";

// Whether a mutant lives must not depend on the draw.
fc.configureGlobal({ seed: 1 });
// Nor on how little is repeated by default.
process.env["DRIFTLINE_TESTS"] ??= "all";
