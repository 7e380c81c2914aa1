import type { JsonObject } from "../json.ts";
import type { OrganizationFields } from "../resources/organization/resource.ts";
import type { ProjectFields } from "../resources/project/resource.ts";
import type { RegisteredResource } from "../resources/registry.ts";
import type { SeedParent } from "./rules.ts";

export type { SeedMember } from "../resources/member/resource.ts";

/** A resource whose objects seeds list. */
type Seeded = Extract<RegisteredResource, { readonly seed: object }>;

/** The lists that an object of a seed may have. */
type SeedLists<Parent extends SeedParent> = {
  readonly [
    Resource in Seeded as Parent extends Resource["seed"]["within"][number] ? Resource["seed"]["list"] : never
  ]?: readonly (ItemOf<Resource["seed"]> & SeedLists<Extract<Resource["name"], SeedParent>>)[];
};

type ItemOf<Rules> = Rules extends { readonly item?: infer Item extends object } ? Item : JsonObject;

/** A project with what is in it. */
export interface SeedProject extends ProjectFields, SeedLists<"project"> {}

/** An organization with everything in it. Objects have the fields of the interface, read-only ones included. */
export interface SeedOrganization extends OrganizationFields, SeedLists<"organization"> {}

/** What an emulator starts with. README.md shows one. */
export interface Seed extends Required<SeedLists<"seed">> {}
