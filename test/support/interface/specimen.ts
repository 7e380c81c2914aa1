/**
 * What tests know about a kind from the interface, and cannot ask the code under test for.
 *
 * The facts are written by hand from the interface document and from the facts about servers. Do not derive them from `src`:
 * most tests that read them check `src`.
 */
import type * as fc from "fast-check";
import type { Dialect, EmulatedKind } from "../../../src/emulator/index.ts";
import type { Json, JsonObject } from "../../../src/emulator/json.ts";
import type { Policy } from "../../../src/kinds/comparison.ts";

/** A writable field. */
export interface Field {
  /** A valid value that the object of `create` does not have, in the notation of configurations. */
  readonly next: Json;
  /** The value that is compared with other forms of it, if `next` has too few parts for that. */
  readonly value?: Json;
  /** Forms in which a service may return that value. */
  readonly same?: readonly (Json | undefined)[];
  /** Why changes of the value may be no difference. */
  readonly hides?: readonly (Policy | "trimmed" | "unordered" | "time_zone")[];
  /** The service never returns it, so it is never compared. */
  readonly sealed?: true;
  /** How it is changed, if not by one PATCH with this field alone. */
  readonly instead?: "replace" | "transition" | "overlay";
  /** The fields that a PATCH of it has besides. */
  readonly beside?: readonly string[];
  /** Why it cannot be changed. */
  readonly fixed?: string;
  /** Why no test lets a service ignore it. */
  readonly unnoticed?: string;
  /** Why it is not changed on a deployed server. */
  readonly notDeployed?: string;
}

export interface Specimen {
  /** The only dialect that has such objects. */
  readonly dialect?: "current";
  readonly scopes: readonly ("service" | "organization" | "project")[];
  /** Its collection in configurations. */
  readonly collection: string;
  /** The family of operations that creates it, if that is not its collection. */
  readonly family?: string;
  /** What the emulator calls a new object, and all that a resource may be. */
  readonly created: EmulatedKind;
  readonly stored: readonly EmulatedKind[];
  /** Its objects are found by e-mail, and a configuration names them by it. */
  readonly keyedByEmail?: true;
  /** No request creates it. */
  readonly adopted?: true;
  /** A configuration has to ask for its create. */
  readonly asksToCreate?: true;
  /** Deployed servers refuse to create it in this scope. */
  readonly notDeployedIn?: "organization";

  /** Fields that can be declared, and others that the interface lets clients write. */
  readonly fields: Readonly<Record<string, Field>>;
  /** Fields that came after the interface document: only today's service has them. */
  readonly later?: Readonly<Record<string, Field>>;
  /**
   * What a life on today's service needs to be another one: other values, integrations of the project by number, and what happens
   * on the service once the object is created.
   */
  readonly current?: Pick<Specimen, "create" | "fields" | "edit"> & {
    readonly integrations?: Readonly<Record<number, string>>;
    readonly afterCreate?: JsonObject;
  };
  /** Objects of the same organization that its values name. */
  readonly near?: readonly (readonly [kind: EmulatedKind, values: JsonObject])[];
  readonly undeclarable?: readonly string[];
  /** Fields that the interface only returns, separated by blanks. */
  readonly readOnly: string;
  /** Any declarable values. */
  readonly arbitrary: fc.Arbitrary<JsonObject>;

  /** Name and values of a resource as it is first declared. Old Pulumi states know it by both. */
  readonly key: string;
  readonly create: JsonObject;
  /** Name and `name` of a second one, for a kind with a second scope. */
  readonly second?: { readonly key: string; readonly name: string };
  /** What somebody else does to it. */
  readonly edit: { readonly field: string; readonly value: Json };

  /** The least that has to be declared of an object with this name, and what a test declares of a new one. */
  readonly required: (name: string) => JsonObject;
  readonly fresh?: (name: string) => JsonObject;
  /** What objects of a service have besides, and what one of them has besides that. */
  readonly seed?: JsonObject;
  readonly live?: JsonObject;
  /** The field that faults drop and mask. */
  readonly watched: string;
}

/** Whether a dialect has such objects in this scope. */
export const existsIn = ({ dialect: only, notDeployedIn }: Specimen, dialect: Dialect, scope: string): boolean =>
  only === undefined ? dialect === "document" || notDeployedIn !== scope : dialect === only;

/** All fields, whichever service has them. */
export const allFieldsOf = ({ fields, later }: Specimen): Specimen["fields"] => ({ ...fields, ...later });

/** What only a create takes, and no object keeps. */
export const once = (next: Json): Field => ({
  next,
  sealed: true,
  unnoticed: "never shown",
  fixed: "for the create only",
});

/** A value without other forms. */
export const exact = (next: Json, ...same: readonly Json[]): Field => ({ next, same });

/** Text that services trim. */
export const text = (next: string): Field => ({ next, same: [` ${next}\n`], hides: ["trimmed"] });

/** Text that services trim and that they return as null if it is blank. */
export const blank = (next: string): Field => ({ next, same: [`${next} `], hides: ["trimmed", "blank_is_null"] });

/** Text that services trim and write in small letters. */
export const lowerCase = (next: string, value: string, ...same: readonly string[]): Field => ({
  next,
  value,
  same,
  hides: ["trimmed", "lower_case"],
});

/** A moment, which services return in any time zone. */
export const moment = (next: string): Field => ({
  next,
  value: "2024-05-01T12:30:00+02:00",
  same: [
    "2024-05-01T10:30:00Z",
    "2024-05-01T10:30:00.000Z",
    "2024-05-01T10:30:00.000000Z",
    "2024-05-01T08:30:00-02:00",
  ],
  hides: ["time_zone"],
});
