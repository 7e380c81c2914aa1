import type { ExportSession } from "../session.ts";
import type { ExportFile, SecretNotation } from "../types.ts";
import type { Declaration } from "./declaration.ts";
import type { NamedProject } from "./project.ts";

/** Resources with the same parent, with the lines above them. */
export interface Section {
  /** Lines of a comment. */
  readonly heading: readonly string[];
  /** What the resources are in, if it is no resource of the program itself, and the name of its id in the program. */
  readonly place?: { readonly variable: string; readonly id: string | number };
  readonly declarations: readonly Declaration[];
}

/** How a program is written in a language of Pulumi. */
export interface Language {
  readonly secrets: SecretNotation;
  /** Names that no variable may have. */
  readonly names: readonly string[];
  readonly program: (sections: readonly Section[], session: ExportSession, project: NamedProject) => ExportFile;
  /** The files beside the program. */
  readonly projectFiles: (project: NamedProject) => readonly ExportFile[];
}
