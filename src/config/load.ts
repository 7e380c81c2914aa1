import { resolve } from "node:path";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { DesiredGraph } from "../model/resource.ts";
import { crossCheck } from "./resources/checks.ts";
import { buildGraph, type UsedSecret, configHash } from "./resources/graph.ts";
import { fileIncluder } from "./source/include.ts";
import { merge } from "./resources/merge.ts";
import { addVariableFiles, addVariableOptions } from "./expressions/overrides.ts";
import { collectProblems, type Problems } from "./problems.ts";
import { readDocuments, type ReadConfig } from "./source/read.ts";
import { substitute } from "./expressions/substitute.ts";
import type { MapNode } from "./tree/tree.ts";
import { declaredVariables, makeLookup } from "./expressions/variables.ts";

export interface LoadOptions {
  /** Files or folders. */
  readonly paths: readonly string[];
  /** What relative paths are relative to, and what diagnostics show files relative to. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `--var NAME=VALUE`, in order. */
  readonly vars: readonly string[];
  /** `--vars FILE`: mappings in YAML or JSON, in order. */
  readonly varFiles: readonly string[];
}

export interface LoadedConfig {
  /** What could be built: it only means something if no diagnostic is an error. */
  readonly graph: DesiredGraph;
  readonly diagnostics: readonly Diagnostic[];
  /** Files that were read as configuration, relative to the working directory. */
  readonly files: readonly string[];
  /** Files (or documents of them) that were left alone. */
  readonly ignored: readonly string[];
  /** The folder of the configuration, of several paths the first. */
  readonly root: string;
  /** `sha256:...` of what is declared, secrets as expressions. */
  readonly hash: string;
  readonly secrets: readonly UsedSecret[];
}

/** Reads, merges and validates configuration. Never throws for a user's mistake: all of them are diagnostics. */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const problems = collectProblems();
  const reading = await readDocuments(options.paths, options.cwd, problems);
  const documents = substituteDocuments(reading, options, problems);
  const declarations = merge(documents, problems);
  const built = buildGraph(declarations, problems);
  crossCheck(declarations, built, problems);
  return {
    graph: built.graph,
    diagnostics: problems.list(),
    files: reading.files,
    ignored: reading.ignored,
    root: reading.roots[0] ?? resolve(options.cwd),
    // Only what reaches the service asks for it.
    get hash() {
      return configHash(built.graph);
    },
    secrets: built.secrets,
  };
}

function substituteDocuments(reading: ReadConfig, options: LoadOptions, problems: Problems): readonly MapNode[] {
  const definitions = declaredVariables(reading.documents, problems);
  const isComplete = addVariableFiles(options.varFiles, options.cwd, definitions, problems);
  addVariableOptions(options.vars, definitions, problems);
  const file = fileIncluder(reading.roots, problems);
  const incomplete = reading.incomplete || !isComplete;
  const lookup = makeLookup({ definitions, env: options.env, problems, file, incomplete });
  return reading.documents.map((document) => {
    const { members, ...place } = document;
    // Definitions have been worked out by themselves; one that is overridden may be wrong.
    const kept = new Map([...members].filter(([key]) => key !== "variables"));
    const node = substitute({ ...place, members: kept }, lookup);
    return node.type === "map" ? node : document;
  });
}
