import type { CustomResourceOptions } from "@pulumi/pulumi";
import type { InsightComputed, InsightFields } from "../../generated/pulumi.ts";
import type { InProject, Inputs, OfProject } from "./args.ts";
import { DriftlineResource, type Outputs } from "./resource.ts";

/** Arguments of {@link Insight}. */
export type InsightArgs = Inputs<InsightFields> & InProject;

/** A saved analysis. It is soft-deleted, and brought back under its id. */
export class Insight extends DriftlineResource {
  constructor(name: string, args: InsightArgs, options?: CustomResourceOptions) {
    super("insight", name, args, options);
  }
}
export interface Insight extends Outputs<InsightFields & InsightComputed & OfProject> {}
