import type { Diagnostic } from "../model/diagnostic.ts";
import type { ValueObject } from "../model/json/json.ts";
import type { KindName } from "../model/kind-name.ts";
import type { LiveObject } from "../model/live.ts";

/** The objects in a scope, by kind. A kind is missing if it was not requested or could not be read completely. */
export type ObjectsByKind = Readonly<Partial<Record<KindName, readonly LiveObject[]>>>;

/** A project, as listed in the `teams` of its organization, with the objects in it. */
export interface ExportProject {
  readonly id: string;
  readonly name: string;
  readonly lists: ObjectsByKind;
  /** Set if its organization has another project of this name that is not exported. */
  readonly sharesName?: boolean;
}

/** A live organization with the objects in it. */
export interface ExportOrganization {
  /** An object of the kind `organization`. */
  readonly organization: LiveObject;
  /** People are given as `member` and `invite`. The export builds the memberships from them. */
  readonly lists: ObjectsByKind;
  readonly projects: readonly ExportProject[];
  /** Set if the organization is only named, because nothing else of it was selected but what is in it. */
  readonly projectsOnly?: boolean;
  /** Set if the key may not read the organization itself, so only its id is known. None of its own fields is declared then. */
  readonly idOnly?: boolean;
  /** Set if the key sees another organization of this name that is not exported. */
  readonly sharesName?: boolean;
}

export interface ExportOptions {
  /** Whether objects are pinned by their ids. Without ids the configuration can be applied to another organization. */
  readonly ids: boolean;
  /** Without ids: whether variables stand in the places of ids that mean nothing in another project. */
  readonly idsAsVariables?: boolean | undefined;
  /** Whether fields are exported that have their default. */
  readonly allFields?: boolean | undefined;
  /**
   * Whether lists are exported to which others add elements. Default: with ids and all fields, or with variables for
   * ids. A program cannot declare them in part.
   */
  readonly sharedFields?: boolean | undefined;
  /** Kinds whose collections in organizations get `exclusive`. */
  readonly exclusive?: readonly KindName[] | undefined;
  /** One file for everything, or a folder per organization with a file for its own resources and one per project. */
  readonly layout?: "single" | "tree" | undefined;
  /** Collections with a file for each of their resources, in a tree. */
  readonly split?: readonly string[] | undefined;
  /**
   * Where an editor finds the schema of a file: a URL, a path from its folder, or undefined. By default, driftline is
   * installed in that folder.
   */
  readonly schema?: ((file: string) => string | undefined) | undefined;
  /** Returns true for a text that contains a secret of this run, such as the API key. It is not exported, and a warning says so. */
  readonly isSecret?: ((text: string) => boolean) | undefined;
  /** The page of an object in the web interface, if it is known. */
  readonly pageOf?: ((live: LiveObject) => string | undefined) | undefined;
  /** Names that a configuration has already, by the address of their collection, such as `acme/domains`. */
  readonly takenNames?: ((collection: string) => Iterable<string>) | undefined;
  /** Names of secrets that a configuration uses already. */
  readonly takenSecrets?: Iterable<string> | undefined;
}

/** How the exported form refers to secrets, and what it cannot hold. */
export interface SecretNotation {
  /** What stands in the place of a secret. */
  readonly expression: (name: string) => string;
  /** How to add a secret, for comments. */
  readonly hint: string;
  /** Whether a required secret that the service does not return is added as a reference. */
  readonly addsRequired: boolean;
  /** The keys that would make a value an instruction to the reader of the exported form. */
  readonly commands?: RegExp;
}

export interface ExportFile {
  /** The path below the folder that is written to, with slashes. */
  readonly name: string;
  /** Made when it is read, so that only one text has to be in memory at a time. */
  readonly text: string;
}

export interface ExportResult {
  readonly files: readonly ExportFile[];
  /** Warnings about objects and fields that were left out. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What an exported configuration has, and what it lacks. */
export interface ExportSummary {
  /** How many resources there are of each kind, in the order of kinds. */
  readonly counts: readonly (readonly [KindName, number])[];
  readonly projects: number;
  /** How many invites were left out because they have expired. */
  readonly expiredInvites: number;
  /** The names of the secrets that the configuration refers to. */
  readonly secrets: readonly string[];
  /** How many objects have settings that the service does not return, by kind. Comments name these settings. */
  readonly incomplete: readonly (readonly [KindName, number])[];
  /** What an export without ids names or leaves out although only the old project has it, by name. */
  readonly references: readonly ProjectIdPlaces[];
}

/** Something that only one project has, and where its id stands. */
export interface ProjectIdPlaces {
  /** `cohort 5` */
  readonly name: string;
  /** The variable in its places; undefined if the id stays, or is left out. */
  readonly variable?: string | undefined;
  /** Addresses with JSON Pointers. */
  readonly places: readonly string[];
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
export interface ExportedProject extends Pick<ExportProject, "id" | "name"> {
  /** The key under which it is declared. */
  readonly key: string;
  readonly resources: readonly ExportedResource[];
}

/** An organization with its own resources, parents before children, and its projects. Every form of export starts from it. */
export interface ExportedOrganization extends Required<Pick<ExportOrganization, "projectsOnly" | "idOnly">> {
  readonly organization: ExportedResource;
  readonly resources: readonly ExportedResource[];
  readonly projects: readonly ExportedProject[];
}
