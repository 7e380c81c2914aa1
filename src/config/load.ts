import { CODES } from "../model/diagnostic-codes.ts";
import { resolve } from "node:path";
import type { Diagnostic, Position } from "../model/diagnostic.ts";
import type { DesiredGraph, ServiceSettings } from "../model/resource.ts";
import { crossCheck } from "./resources/cross-checks.ts";
import { buildGraph, type UsedSecret } from "./resources/graph.ts";
import { isProgram } from "./source/files.ts";
import { fileIncluder, type Programs, readDocuments, type ReadConfig } from "./source/read.ts";
import { merge } from "./resources/merge.ts";
import { collectionPlaces } from "./resources/scopes.ts";
import { addVariableFiles, addVariableOptions, warnOfUnused } from "./expressions/given-variables.ts";
import { declaredVariables, type Definitions, makeLookup } from "./expressions/variables.ts";
import { environmentSecrets } from "../model/secret-values.ts";
import { type Conceal, type FieldWarning, Problems } from "./problems.ts";
import { findUnreadFiles, type UnreadFiles } from "./source/unread-files.ts";
import { validateFile } from "./validate-file.ts";
import { substitute } from "./expressions/substitute.ts";
import type { MapNode } from "./tree/tree.ts";
import { own } from "../model/json/json.ts";

export interface LoadOptions {
  /** Files or folders. */
  readonly paths: readonly string[];
  /** The folder that relative paths start from, and that the file names in diagnostics are relative to. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `--var NAME=VALUE`, in order. */
  readonly vars: readonly string[];
  /** `--vars FILE`: mappings in YAML or JSON, in order. */
  readonly varFiles: readonly string[];
  /** They run by default. */
  readonly programs?: Programs;
  /** Gets every secret that the files take, before a message quotes a value: what is cut first cannot be recognized. */
  readonly redactor?: { readonly add: (secret: string) => void; readonly text: (text: string) => string };
}

/** What the files declare. It has no value that is computed from another one of it, so it can be spread with another graph. */
export interface LoadedConfig extends Pick<ReadConfig, "files" | "fileHashes" | "included" | "skippedFiles"> {
  /** The declared resources. The graph is only valid if no diagnostic is an error. */
  readonly graph: DesiredGraph;
  readonly diagnostics: readonly Diagnostic[];
  /** Warnings that depend on what a plan would write. `diagnostics` does not have them. */
  readonly fieldWarnings: readonly FieldWarning[];
  /** The folder of the configuration; for several paths, the folder of the first one. */
  readonly root: string;
  /** The absolute paths of all files that were read. */
  readonly readPaths: readonly string[];
  readonly secrets: readonly UsedSecret[];
  /** Files that were not read, and may declare more of scopes that say that they are declared completely (`exclusive`). */
  readonly unreadFiles: (scopes: readonly string[], url: string) => UnreadFiles;
  /** Where resources are declared, by collection (`acme/domains`): the keys of its scope in each YAML document that has some. */
  readonly collectionPlaces: ReadonlyMap<string, readonly Position[]>;
}

/** Reads, merges and validates configuration. It never throws for a user's mistake, but reports it as a diagnostic. */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const problems = new Problems({ conceal: concealer(options) });
  const reading = await readDocuments(options.paths, options.cwd, problems, options.programs);
  const { documents, definitions } = substituteDocuments(reading, options, problems);
  const declarations = merge(documents, problems);
  const built = buildGraph(declarations, problems);
  const scopes = [...declarations.organizations.values()].flatMap((one) => [one, ...one.projects.values()]);
  crossCheck(declarations, built, problems);
  const { files, fileHashes, included, skippedFiles } = reading;
  const readPaths = [...reading.readPaths, ...options.varFiles.map((file) => resolve(options.cwd, file))];
  return {
    graph: built.graph,
    diagnostics: problems.list(),
    fieldWarnings: problems.fieldWarnings(),
    files,
    fileHashes,
    included,
    skippedFiles,
    root: reading.roots[0] ?? resolve(options.cwd),
    readPaths,
    secrets: built.secrets,
    // Only pruning needs it.
    unreadFiles: (exclusive, url) =>
      findUnreadFiles({ ...options, definitions, files, readPaths, graph: built.graph }, exclusive, url),
    collectionPlaces: collectionPlaces(scopes),
  };
}

/** The URL of the service that the files name, and what keeps it from being read. */
export interface DeclaredUrl {
  readonly service: ServiceSettings;
  /** Errors in the files, or in what they say about the service. Mistakes elsewhere are not looked for. */
  readonly errors: readonly Diagnostic[];
  /** Programs, which are not run for this. They may name a URL as well. */
  readonly programs: readonly string[];
}

/** Reads only the URL of the service, for a command that needs nothing else of a configuration, and may run without one. */
export async function loadServiceUrl(options: LoadOptions): Promise<DeclaredUrl> {
  const problems = new Problems({ conceal: concealer(options) });
  const reading = await readDocuments(options.paths, options.cwd, problems, "skip");
  const short = { ...reading, documents: reading.documents.map(withoutOrganizations) };
  const { documents } = substituteDocuments(short, options, problems);
  const { service } = buildGraph(merge(documents, problems), problems).graph;
  const errors = problems.list().filter(({ severity, code }) => severity === "error" && code !== CODES.noDocuments);
  return { service: errors.length === 0 ? service : {}, errors, programs: reading.files.filter(isProgram) };
}

function withoutOrganizations(document: MapNode): MapNode {
  return { ...document, members: new Map([...document.members].filter(([key]) => key !== "organizations")) };
}

/**
 * The diagnostics for somebody who checks a configuration without a service.
 *
 * @param options `verbose` adds the warnings that ask for nothing to be done, such as those about a deprecated field
 */
export function checkedDiagnostics(
  { diagnostics, fieldWarnings }: Pick<LoadedConfig, "diagnostics" | "fieldWarnings">,
  { verbose }: { readonly verbose?: boolean | undefined } = {},
): readonly Diagnostic[] {
  const toSay = fieldWarnings.filter((warning) => verbose === true || warning.shown.validate);
  return [...diagnostics, ...toSay.map(({ diagnostic }) => diagnostic)];
}

function concealer({ env, redactor }: LoadOptions): Conceal | undefined {
  const secrets = environmentSecrets(env);
  return (
    redactor &&
    ((text, isOfProgram) => {
      if (isOfProgram === true) for (const [, secret] of secrets) if (text.includes(secret)) redactor.add(secret);
      return redactor.text(text);
    })
  );
}

interface Substituted {
  readonly documents: readonly MapNode[];
  readonly definitions: Definitions;
}

function substituteDocuments(reading: ReadConfig, options: LoadOptions, problems: Problems): Substituted {
  const definitions = declaredVariables(reading.documents, problems);
  const declared = [...definitions.keys()];
  const isComplete = addVariableFiles(options.varFiles, options.cwd, definitions, problems);
  addVariableOptions(options.vars, definitions, problems);
  const file = fileIncluder(reading, problems);
  const incomplete = reading.incomplete || !isComplete;
  const used = new Set<string>();
  const secrets = new Map(environmentSecrets(options.env));
  const env = (name: string): string | undefined => {
    options.redactor?.add(secrets.get(name) ?? "");
    return own(options.env, name);
  };
  const secret = (name: string): void => options.redactor?.add(own(options.env, name) ?? "");
  const lookup = makeLookup({ definitions, env, secret, problems, file, incomplete, used });
  const documents = reading.documents.map((document) => {
    const { members, ...place } = document;
    // Variables are already resolved. An overridden definition may be invalid, so it is not substituted here. What begins with
    // x- only counts where an alias uses it.
    const kept = new Map([...members].filter(([key]) => key !== "variables" && !key.startsWith("x-")));
    const node = substitute({ ...place, members: kept }, lookup);
    return validateFile(node.type === "map" ? node : document, problems);
  });
  if (!incomplete) warnOfUnused(definitions.keys(), new Set([...declared, ...used]), problems);
  return { documents, definitions };
}
