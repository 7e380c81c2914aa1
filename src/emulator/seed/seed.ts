import type { JsonObject } from "../json.ts";
import type { OrganizationFields } from "../resources/organization/resource.ts";
import type { ProjectFields } from "../resources/project/resource.ts";
import type { RegisteredResource } from "../resources/registry.ts";
import type { SeedParent } from "./rules.ts";

export type { SeedMember } from "../resources/member/resource.ts";

/** A resource whose objects can be listed in a seed. */
type Seeded = Extract<RegisteredResource, { readonly seed: object }>;

/** The lists that an object of a seed may have. */
type SeedLists<Parent extends SeedParent> = {
  readonly [
    Resource in Seeded as Parent extends Resource["seed"]["within"][number] ? Resource["seed"]["list"] : never
  ]?: readonly (ItemOf<Resource["seed"]> & SeedLists<Extract<Resource["name"], SeedParent>>)[];
};

type ItemOf<Rules> = Rules extends { readonly item?: infer Item extends object } ? Item : JsonObject;

/** A project and its contents. */
export interface SeedProject extends ProjectFields, SeedLists<"project"> {}

/** An organization and its contents. Objects have the fields of the interface, including read-only fields. */
export interface SeedOrganization extends OrganizationFields, SeedLists<"organization"> {}

/** The initial data of an emulator. README.md has an example. */
export interface Seed extends Required<SeedLists<"seed">> {}
