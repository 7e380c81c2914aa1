import { relative } from "node:path";
import { declareClassPlugin, PluginKind } from "@stryker-mutator/api/plugin";
import type { MutantResult } from "@stryker-mutator/api/core";
import type { Reporter } from "@stryker-mutator/api/report";

/** Prints each mutant that no test detects as soon as that is known, because a run can take an hour. */
class SurvivorReporter implements Reporter {
  onMutantTested({ status, fileName, location, replacement }: Readonly<MutantResult>): void {
    if (status !== "Survived" && status !== "NoCoverage") return;
    const { line, column } = location.start;
    const code = replacement?.replaceAll(/\s+/g, " ") ?? "";
    console.log(`${status} ${relative(process.cwd(), fileName)}:${line}:${column} ${code}`);
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Reporter, "survivors", SurvivorReporter)];
