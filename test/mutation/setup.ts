import * as fc from "fast-check";

// The result of a mutant must not depend on random values. One failure detects it: nobody reads the smallest example.
fc.configureGlobal({ seed: 1, endOnFailure: true });
// It must not depend on the low default number of repetitions either.
process.env["DRIFTLINE_TESTS"] ??= "all";
