import type { Diagnostic } from "../model/diagnostic.ts";
import { Secret, type ValueObject } from "../model/json.ts";
import type { ExportOptions, SecretNotation } from "./types.ts";
import { variableName } from "../model/variable-name.ts";
import { uniqueNames } from "./names.ts";

/** The state of one export: its diagnostics, and the names and ids that must be unique across its files. */
export interface ExportSession {
  readonly ids: boolean;
  readonly secretNotation: SecretNotation;
  readonly diagnostics: Diagnostic[];
  /** Comments above mappings, by mapping. */
  readonly comments: Map<ValueObject, string>;
  /** Keys of the objects exported so far. A batch export is listed by two routes but exported once. */
  readonly exportedKeys: Set<string>;
  /** Ids pinned so far. An id may be pinned once in an id space. */
  readonly pinnedIds: Set<string>;
  /** Names that may not be given to resources below an address such as `acme/domains`. */
  readonly takenNames: (collection: string) => Iterable<string>;
  readonly isSecret: (text: string) => boolean;
  /** Creates a uniquely named secret for a key of the named resource. */
  readonly newSecret: (resource: string, key: string) => Secret;
}

/** The configuration may not use the API key as a secret. */
const RESERVED = ["DRIFTLINE_API_KEY"];

export function createExportSession(
  { ids, isSecret = () => false, takenNames = () => [], takenSecrets = [] }: ExportOptions,
  secretNotation: SecretNotation,
): ExportSession {
  const unique = uniqueNames("_", [...RESERVED, ...takenSecrets]);
  const newSecret = (resource: string, key: string): Secret =>
    new Secret(`\${secret:${unique(variableName(resource, key))}}`);
  return {
    ids,
    takenNames,
    isSecret,
    secretNotation,
    diagnostics: [],
    comments: new Map(),
    exportedKeys: new Set(),
    pinnedIds: new Set(),
    newSecret,
  };
}

/** Reports an object or a field that was left out. */
export function addWarning(
  session: ExportSession,
  address: string,
  code: string,
  message: string,
  hint?: string,
): void {
  session.diagnostics.push({ severity: "warning", code, message, hint, address });
}
