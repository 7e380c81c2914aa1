import { getOrganization, getProject, getStack, runtime } from "@pulumi/pulumi";

/** The names of everything that the stack's own state held before this run. The engine tells it of any stack by its name. */
export async function stackResources(): Promise<ReadonlySet<string>> {
  const stackName = `${getOrganization()}/${getProject()}/${getStack()}`;
  const { outputs } = (await runtime.invoke("pulumi:pulumi:readStackResourceOutputs", { stackName })) as {
    readonly outputs: Readonly<Record<string, unknown>>;
  };
  return new Set(Object.keys(outputs).map((urn) => urn.split("::").slice(3).join("::")));
}
