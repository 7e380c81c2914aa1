import { describe, expect, it } from "vitest";
import { exportConfiguration } from "../../../src/export/export.ts";
import { acme, at, batchExport, exported, live, plugin, yamlOf, uuid } from "./helpers.ts";

describe("secrets", () => {
  const config = {
    bucket_name: "acme",
    region: "r",
    prefix: "",
    aws_access_key_id: "AKIA123",
    aws_secret_access_key: "********",
  };
  const secretive = batchExport(1, "Events to S3", { destination: { type: "S3", config } });

  it("become expressions, even if the service returns them in clear or masked", () => {
    const text = yamlOf(acme({ batch_export: [secretive] }));
    expect(text).toContain("aws_access_key_id: ${secret:DL_VALUE_EVENTS_TO_S3_AWS_ACCESS_KEY_ID}\n");
    expect(text).toContain("aws_secret_access_key: ${secret:DL_VALUE_EVENTS_TO_S3_AWS_SECRET_ACCESS_KEY}\n");
    expect(text).not.toMatch(/AKIA123|\*\*\*/);
  });

  it("that an integration holds are not asked for", () => {
    const to = (integration: number | null) =>
      yamlOf(
        acme({
          batch_export: [
            batchExport(1, "P", { destination: { type: "Postgres", config: { database: "d" }, integration } }),
          ],
        }),
      );
    expect(to(7)).not.toContain("does not return");
    expect(to(null)).toContain("the service does not return user, password");
  });

  it("have unique names across all files", () => {
    const organizations = [uuid(7), uuid(8)].map((id, index) => ({
      organization: live("organization", id, { name: `Org ${index}` }),
      lists: { batch_export: [live("batch_export", uuid(index), secretive.values)] },
      projects: [],
    }));
    const text = exportConfiguration(organizations, { ids: true })
      .files.map((file) => file.text)
      .join("");
    expect(text).toContain("${secret:DL_VALUE_EVENTS_TO_S3_AWS_ACCESS_KEY_ID}");
    expect(text).toContain("${secret:DL_VALUE_EVENTS_TO_S3_AWS_ACCESS_KEY_ID_2}");
  });

  it("never use the name of the API key", () => {
    const webhook = plugin("pipeline_destination", "7", { name: "driftline", config_schema: { api_key: "s3cr3t" } });
    const found = exported(acme({ pipeline_destination: [webhook] }));
    expect(at(found, "pipeline_destinations", "driftline", "config_schema")).toEqual({
      api_key: "${secret:DL_VALUE_DRIFTLINE_API_KEY}",
    });
  });

  it("are found by the name of their key at any depth, and everything below that key is secret", () => {
    const config_schema = {
      list: [{ Token: "s1", secret: true, password: null }],
      credentials: { user: "s2", pins: [31337], on: true },
    };
    const text = yamlOf(
      acme({ pipeline_destination: [plugin("pipeline_destination", "7", { name: "p", config_schema })] }),
    );
    expect(text).not.toMatch(/s1|s2|31337/);
    expect(text).toContain("secret: true");
    expect(text).toContain("Token: ${secret:DL_VALUE_P_TOKEN}");
    expect(text).toContain("user: ${secret:DL_VALUE_P_USER}");
    expect(text).toContain("- ${secret:DL_VALUE_P_PINS}");
  });

  it("in the query string of a plugin's url are removed", () => {
    const webhook = plugin("pipeline_destination", "7", {
      name: "p",
      url: "https://github.com/a/b?private_token=glpat-1",
    });
    expect(at(exported(acme({ pipeline_destination: [webhook] })), "pipeline_destinations", "p", "url")).toBe(
      "https://github.com/a/b",
    );
  });

  it("that the service does not return are named in a comment, and the other settings are exported", () => {
    const destination = {
      type: "BigQuery",
      config: { project_id: "p", dataset_id: "d", client_email: "a@b.c", token_uri: "***" },
    };
    const text = yamlOf(acme({ batch_export: [batchExport(1, "x", { destination })] }));
    expect(text).toMatch(/#.*private_key, private_key_id, token_uri.*\$\{secret:\.\.\.\}/);
    expect(text.match(/#.*private_key.*/)).toMatchSnapshot();
    expect(text).toContain("client_email: a@b.c");
    expect(text).not.toContain("***");
  });

  it("that are optional are named as optional in a comment", () => {
    const text = yamlOf(acme({ batch_export: [batchExport(1, "x")] }));
    expect(text).toMatch(/config:\n {12}#.*aws_access_key_id, aws_secret_access_key.*\$\{secret:\.\.\.\}\n/);
    expect(text.match(/#.*aws_access_key_id.*/)).toMatchSnapshot();
  });

  it("that are masked under a key that the type does not take are not exported at all", () => {
    const destination = { type: "AzureBlob", config: { container: "c", shared_access: "*****" } };
    const text = yamlOf(acme({ batch_export: [batchExport(1, "x", { destination })] }));
    expect(text).not.toMatch(/shared_access|\*\*\*|container:/u);
  });
});
