import type { ScopeType } from "../kinds/kind.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { ValueObject } from "../model/json.ts";
import type { KindName } from "../model/kind-name.ts";
import type { LiveObject } from "../model/live.ts";

/** The objects in a scope, by kind. A kind is missing if it was not requested or could not be read completely. */
export type Lists = Readonly<Partial<Record<KindName, readonly LiveObject[]>>>;

/** A project, as listed in the `teams` of its organization, with the objects in it. */
export interface ExportProject {
  readonly id: string;
  readonly name: string;
  readonly lists: Lists;
}

/** A live organization with the objects in it. */
export interface ExportOrganization {
  /** An object of the kind `organization`. */
  readonly organization: LiveObject;
  /** People are given as `member` and `invite`. The export builds the memberships from them. */
  readonly lists: Lists;
  readonly projects: readonly ExportProject[];
}

export interface ExportOptions {
  /** Whether objects are pinned by their ids. Without ids the configuration can be applied to another organization. */
  readonly ids: boolean;
  /** The relative path from the files to the folder in which driftline is installed, such as `../`; "" if it is the same. */
  readonly up?: string | undefined;
  /** Returns true for a text that contains a secret of this run, such as the API key. It is exported as a secret. */
  readonly isSecret?: ((text: string) => boolean) | undefined;
  /** Names that a configuration has already, by the address of their collection, such as `acme/domains`. */
  readonly takenNames?: ((collection: string) => Iterable<string>) | undefined;
  /** Names of secrets that a configuration uses already. */
  readonly takenSecrets?: Iterable<string> | undefined;
}

/** How the exported form refers to secrets. */
export interface SecretNotation {
  /** How to add a secret, for comments. */
  readonly hint: string;
  /** Whether a required secret that the service does not return is added as a reference. */
  readonly addsRequired: boolean;
}

export interface ExportFile {
  readonly name: string;
  readonly text: string;
}

export interface ExportResult {
  /** One file per organization. */
  readonly files: readonly ExportFile[];
  /** Warnings about objects and fields that were left out. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A live object that is exported. */
export interface ExportedResource {
  readonly live: LiveObject;
  /** The kind that it is declared as. Members become memberships. */
  readonly kind: KindName;
  /** The key under which it is declared. */
  readonly name: string;
  readonly address: string;
  /** The declared fields, with the pin first. */
  readonly fields: ValueObject;
}

/** A project with its resources, parents before children. */
export interface ExportedProject {
  readonly id: string;
  readonly name: string;
  /** The key under which it is declared. */
  readonly key: string;
  readonly resources: readonly ExportedResource[];
}

/** An organization with its own resources, parents before children, and its projects. Every form of export starts from it. */
export interface ExportedOrganization {
  readonly organization: ExportedResource;
  readonly resources: readonly ExportedResource[];
  readonly projects: readonly ExportedProject[];
}

/** The scope in which objects are declared. */
export interface ExportScope {
  readonly type: ScopeType;
  readonly address: string;
}
