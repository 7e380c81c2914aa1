import type { Diagnostic } from "../model/diagnostic.ts";
import { Secret, type ValueObject } from "../model/json.ts";
import type { KindName } from "../model/kind-name.ts";
import type { LiveObject } from "../model/live.ts";
import type { ExportOptions, SecretNotation } from "./types.ts";
import { variableName } from "../model/variable-name.ts";
import { uniqueNames } from "./names.ts";

/** The state of one export: its diagnostics, and the names and ids that must be unique across its files. */
export interface ExportSession {
  readonly ids: boolean;
  readonly allFields: boolean;
  readonly secretNotation: SecretNotation;
  readonly diagnostics: Diagnostic[];
  /** Comments above mappings, by mapping. */
  readonly comments: Map<ValueObject, string>;
  /** Keys of the objects exported so far. A batch export is listed by two routes but exported once. */
  readonly exportedKeys: Set<string>;
  /** Ids pinned so far. An id may be pinned once in an id space. */
  readonly pinnedIds: Set<string>;
  /** The names of the secrets that were created. */
  readonly secrets: string[];
  /** Invites that were left out because they have expired. */
  readonly expired: LiveObject[];
  /** The kinds of objects with settings that the service does not return, once per object. */
  readonly incomplete: KindName[];
  /** What objects refer to by ids of their own project, with their kinds: once per object and sort of reference. */
  readonly references: (readonly [what: string, kind: KindName])[];
  /** Names that may not be given to resources below an address such as `acme/domains`. */
  readonly takenNames: (collection: string) => Iterable<string>;
  readonly isSecret: (text: string) => boolean;
  /** Creates a uniquely named secret for a key of the named resource. */
  readonly newSecret: (resource: string, key: string) => Secret;
}

/** The configuration may not use the API key as a secret. */
const RESERVED = ["DRIFTLINE_API_KEY"];

export function createExportSession(
  { ids, allFields = false, isSecret = () => false, takenNames = () => [], takenSecrets = [] }: ExportOptions,
  secretNotation: SecretNotation,
): ExportSession {
  const unique = uniqueNames("_", [...RESERVED, ...takenSecrets]);
  const secrets: string[] = [];
  const newSecret = (resource: string, key: string): Secret => {
    const name = unique(variableName(resource, key));
    secrets.push(name);
    return new Secret(`\${secret:${name}}`);
  };
  return {
    ids,
    allFields,
    takenNames,
    isSecret,
    secretNotation,
    diagnostics: [],
    comments: new Map(),
    exportedKeys: new Set(),
    pinnedIds: new Set(),
    secrets,
    expired: [],
    incomplete: [],
    references: [],
    newSecret,
  };
}

/** Reports an object or a field that was left out. */
export function addWarning(
  session: ExportSession,
  { code, message, hint, address }: Pick<Diagnostic, "code" | "message" | "hint" | "address">,
): void {
  session.diagnostics.push({ severity: "warning", code, message, hint, address });
}
