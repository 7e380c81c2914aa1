/** The look-ups that a program calls, and their types. */
import { Config, output, type Input, type InvokeOptions, type Output, runtime } from "@pulumi/pulumi";
import type { KindName } from "../../model/kind-name.ts";
import type { FunctionName } from "../properties/functions.ts";
import { packagedType } from "../properties/provider-text.ts";
import type { OutputsOf } from "./types.ts";

/** An object as the service shows it. */
export type Shown<Kind extends KindName> = OutputsOf[Kind] & { readonly id: string };

export interface ProjectArgs {
  readonly organizationId: string;
  readonly name: string;
}

export interface InOneProject {
  readonly projectId: string | number;
}

/** The arguments of each function, and what it answers with. */
interface Lookups extends Record<FunctionName, { readonly args: object; readonly found: object }> {
  readonly getOrganization: { readonly args: { readonly name: string }; readonly found: Shown<"organization"> };
  readonly getProject: {
    readonly args: ProjectArgs;
    readonly found: ProjectArgs & { readonly id: string; readonly projectId: number };
  };
  readonly getDomain: {
    readonly args: { readonly organizationId: string; readonly domain: string };
    readonly found: Shown<"domain">;
  };
  readonly getMembers: {
    readonly args: { readonly organizationId: string };
    readonly found: { readonly organizationId: string; readonly members: readonly Shown<"member">[] };
  };
  readonly getInsight: {
    readonly args: InOneProject &
      ({ readonly name: string; readonly id?: undefined } | { readonly id: string; readonly name?: undefined });
    readonly found: Shown<"insight">;
  };
  readonly getInsights: {
    readonly args: InOneProject & {
      readonly tags?: readonly string[] | undefined;
      readonly namePrefix?: string | undefined;
    };
    readonly found: InOneProject & { readonly insights: readonly Shown<"insight">[] };
  };
}

/** The same arguments, as values or as outputs of resources. */
type Inputs<Args> = Args extends unknown ? { readonly [Name in keyof Args]: Input<Args[Name]> } : never;

type Call<Name extends FunctionName> = (
  args: Lookups[Name]["args"],
  options?: InvokeOptions,
) => Promise<Lookups[Name]["found"]>;

type OutputCall<Name extends FunctionName> = (
  args: Inputs<Lookups[Name]["args"]>,
  options?: InvokeOptions,
) => Output<Lookups[Name]["found"]>;

/** A look-up that the packaged provider answers. */
export function packagedLookup<Name extends FunctionName>(name: Name): Call<Name> {
  return (args, options) => runtime.invoke(packagedType(name), { ...args }, options) as ReturnType<Call<Name>>;
}

export function packagedOutput<Name extends FunctionName>(name: Name): OutputCall<Name> {
  return (args, options) => runtime.invokeOutput(packagedType(name), { ...args }, options);
}

/**
 * A look-up that the process of the program answers: there is no plugin that the engine could ask. What sends requests is loaded with
 * the first one.
 */
export function ownLookup<Name extends FunctionName>(
  name: Name,
): (args: Lookups[Name]["args"]) => ReturnType<Call<Name>> {
  return async (args) => {
    const { lookUp } = await import("driftline/dynamic");
    const config = new Config("driftline");
    const get = (key: string): string | undefined => config.get(key.replace("driftline:", ""));
    return (await lookUp(name, args, { get })) as Lookups[Name]["found"];
  };
}

export function ownOutput<Name extends FunctionName>(
  name: Name,
): (args: Inputs<Lookups[Name]["args"]>) => Output<Lookups[Name]["found"]> {
  const lookUp = ownLookup(name);
  return (args) => output(args).apply((known) => lookUp(known as Lookups[Name]["args"]));
}
