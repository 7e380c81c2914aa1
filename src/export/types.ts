import type { ScopeType } from "../kinds/kind.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { ValueObject } from "../model/json.ts";
import type { KindName } from "../model/kind-name.ts";
import type { LiveObject } from "../model/live.ts";

/** What a scope holds, by kind. A kind that is missing was not asked for, or could not be read whole. */
export type Lists = Readonly<Partial<Record<KindName, readonly LiveObject[]>>>;

/** A project, as its organization's `teams` name it, with what was listed in it. */
export interface ExportProject {
  readonly id: string;
  readonly name: string;
  readonly lists: Lists;
}

/** A live organization with what was listed in it. */
export interface ExportOrganization {
  /** Of the kind organization. */
  readonly organization: LiveObject;
  /** Of members and invites the lists `member` and `invite`: memberships are put together here. */
  readonly lists: Lists;
  readonly projects: readonly ExportProject[];
}

export interface ExportOptions {
  /** Whether objects are pinned by their ids. Without ids the text can be applied to another organization. */
  readonly ids: boolean;
  /** The way from the files to the folder in which driftline is installed, such as `../`; "" where that is theirs. */
  readonly up?: string | undefined;
  /** Whether a text holds a secret of this very run, such as the key of the service: it is written as one. */
  readonly isSecret?: ((text: string) => boolean) | undefined;
}

/** What speaks of secrets in the form that is written. */
export interface SecretForm {
  /** How a comment tells somebody to add one. */
  readonly hint: string;
  /** Whether a secret that has to be there, but is not shown, gets its place. */
  readonly isHeld: boolean;
}

export interface ExportFile {
  readonly name: string;
  readonly text: string;
}

export interface ExportResult {
  /** One file per organization. */
  readonly files: readonly ExportFile[];
  /** Warnings: what was left out, and why. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A live object on its way into what is written. */
export interface ExportedResources {
  readonly live: LiveObject;
  /** What it is declared as: members become memberships. */
  readonly kind: KindName;
  /** The key under which it is declared. */
  readonly name: string;
  readonly address: string;
  /** The fields as they are written, the pin first. */
  readonly fields: ValueObject;
}

/** A project with its resources, parents before children. */
export interface ExportedProject {
  readonly id: string;
  readonly name: string;
  /** The key under which it is declared. */
  readonly key: string;
  readonly resources: readonly ExportedResources[];
}

/** An organization with its own resources, parents before children, and its projects: what every form of an export is made of. */
export interface ExportedOrganization {
  readonly organization: ExportedResources;
  readonly resources: readonly ExportedResources[];
  readonly projects: readonly ExportedProject[];
}

/** Where the objects are declared. */
export interface Scope {
  readonly type: ScopeType;
  readonly address: string;
}
