export const ORG = "0190aa11-0000-4000-8000-00000000000a";
/** The parameter that leads `driftline call` to the organization. */
export const AT = `organization_id=${ORG}`;
const PLUGIN = { name: "Sink", plugin_type: "source" };

/** An organization with something to call in every family of operations. */
export const seedWith = (insights: readonly { readonly name: string }[]) => ({
  organizations: [
    {
      id: ORG,
      name: "Acme Inc",
      projects: [{ id: 2, name: "Web", insights }],
      members: [{ email: "ada@acme.com", level: 8 }],
      domains: [{ domain: "acme.com" }],
      batch_exports: [
        { name: "Nightly", interval: "day", destination: { type: "S3", config: { password: "hush-hush" } } },
      ],
      pipeline_destinations: [PLUGIN],
      pipeline_frontend_apps: [PLUGIN],
      pipeline_import_apps: [PLUGIN],
    },
  ],
});
