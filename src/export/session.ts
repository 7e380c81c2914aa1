import type { Diagnostic } from "../model/diagnostic.ts";
import { Secret, type ValueObject } from "../model/json/json.ts";
import type { KindName } from "../model/kind-name.ts";
import type { LiveObject } from "../model/live.ts";
import type { ExportOptions, SecretNotation } from "./types.ts";
import { variableName } from "../model/text/variable-name.ts";
import { uniqueNames } from "./names.ts";

export const CONFIGURATION_SECRETS: SecretNotation = {
  expression: (name) => `\${secret:${name}}`,
  hint: "as ${secret:...}",
  addsRequired: false,
};

/** The state of one export: its diagnostics, and the names and ids that must be unique across its files. */
export class ExportSession {
  readonly ids: boolean;
  readonly idsAsVariables: boolean;
  readonly allFields: boolean;
  readonly sharedFields: boolean;
  readonly secretNotation: SecretNotation;
  readonly isSecret: (text: string) => boolean;
  /** Names that may not be given to resources below an address such as `acme/domains`. */
  readonly takenNames: (collection: string) => Iterable<string>;
  readonly diagnostics: Diagnostic[] = [];
  readonly comments = new Map<ValueObject, string>();
  /** Keys of the objects exported so far. A batch export is listed by two routes but exported once. */
  readonly exportedKeys = new Set<string>();
  /** Ids pinned so far. An id may be pinned once in an id space. */
  readonly pinnedIds = new Set<string>();
  /** The secrets that were created, with their names. */
  readonly secrets = new Map<Secret, string>();
  /** Invites that were left out because they have expired. */
  readonly expired: LiveObject[] = [];
  /** The kinds of objects with settings that the service does not return, once per object. */
  readonly incomplete: KindName[] = [];
  /** What objects refer to that only their own project has, by its name: `cohort 5`. */
  readonly references = new Map<string, { readonly variable: string | undefined; readonly places: string[] }>();
  readonly #uniqueSecret: (name: string) => string;

  constructor(
    {
      ids,
      idsAsVariables = false,
      allFields = false,
      sharedFields = (allFields && ids) || idsAsVariables,
      isSecret = () => false,
      takenNames = () => [],
      takenSecrets = [],
    }: ExportOptions,
    secretNotation = CONFIGURATION_SECRETS,
  ) {
    this.ids = ids;
    this.idsAsVariables = idsAsVariables;
    this.allFields = allFields;
    this.sharedFields = sharedFields;
    this.isSecret = isSecret;
    this.takenNames = takenNames;
    this.secretNotation = secretNotation;
    this.#uniqueSecret = uniqueNames("_", takenSecrets);
  }

  /** Creates a uniquely named secret for a key of the named resource. */
  newSecret(resource: string, key: string): Secret {
    const name = this.#uniqueSecret(variableName(resource, key));
    const secret = new Secret(this.secretNotation.expression(name));
    this.secrets.set(secret, name);
    return secret;
  }

  /** Names the page of an object in the web interface beside its id, if both are declared and known. */
  notePage({ fields }: { readonly fields: ValueObject }, page: string | undefined): void {
    const isShown = page !== undefined && fields["id"] !== undefined && !this.isSecret(page);
    if (isShown) this.comments.set(fields, page);
  }

  /** Reports an object or a field that was left out. */
  warn(address: string, code: string, message: string, hint?: string): void {
    this.diagnostics.push({ severity: "warning", code, message, hint, address });
  }
}
