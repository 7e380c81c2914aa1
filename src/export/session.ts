import type { Diagnostic } from "../model/diagnostic.ts";
import { Secret, type ValueObject } from "../model/json.ts";
import type { ExportOptions, SecretForm } from "./types.ts";
import { uniqueNames, variableName } from "./names.ts";

/** What one export collects, and what must be told apart across all of its files. */
export interface ExportSession {
  readonly ids: boolean;
  readonly form: SecretForm;
  readonly diagnostics: Diagnostic[];
  /** Remarks to be written above mappings, by the mapping. */
  readonly comments: Map<ValueObject, string>;
  /** Objects that were met already: those of both routes of batch exports are one. */
  readonly met: Set<string>;
  /** Ids that were pinned already; an id may be pinned once in a space. */
  readonly pins: Set<string>;
  readonly isSecret: (text: string) => boolean;
  /** A secret of its own for a key of the resource of this name. */
  readonly secret: (resource: string, key: string) => Secret;
}

/** The service's key may not be used as a secret of the configuration. */
const RESERVED = ["DRIFTLINE_API_KEY"];

export function createExportSession({ ids, isSecret = () => false }: ExportOptions, form: SecretForm): ExportSession {
  const unique = uniqueNames("_", RESERVED);
  const secret = (resource: string, key: string): Secret =>
    new Secret(`\${secret:${unique(variableName(resource, key))}}`);
  return { ids, isSecret, form, diagnostics: [], comments: new Map(), met: new Set(), pins: new Set(), secret };
}

/** Reports something that was left out. */
export function warn(session: ExportSession, address: string, code: string, message: string, hint?: string): void {
  session.diagnostics.push({ severity: "warning", code, message, hint, address });
}
