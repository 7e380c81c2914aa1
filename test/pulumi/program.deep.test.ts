import { copyFile, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import { describeEngine } from "./support/engine.ts";
import { ACME } from "./support/lives.ts";
import { ROOT } from "./support/package.ts";
import { matchesIn } from "./support/sentences.ts";
import type { Deployment, Stack } from "./support/stack.ts";
import { besideKeyChecks } from "./support/key-checks.ts";

const config = {
  driftline: 1,
  organizations: {
    acme: {
      name: "Acme Inc",
      domains: { corp: { domain: "acme.com", lifecycle: { ignore: ["saml_acs_url"] } } },
      memberships: { "ada@acme.com": { level: "admin" } },
      projects: {
        web: {
          id: "2",
          // A deployed server accepts a batch export on no other route.
          batch_exports: {
            events: {
              name: "Events",
              interval: "hour",
              destination: {
                type: "S3",
                config: { bucket_name: "b", region: "eu", prefix: "e/", aws_secret_access_key: "${secret:AWS}" },
              },
            },
          },
          insights: {
            signups: { name: "Signups", lifecycle: { protect: true } },
            gone: { name: "Gone", lifecycle: { state: "absent" } },
          },
        },
      },
    },
    beta: { name: "Beta", lifecycle: { create: true, protect: false }, domains: { beta: { domain: "beta.com" } } },
  },
};
const typescript = `import { defineConfig } from "driftline";\nexport default defineConfig(${JSON.stringify(config)});\n`;

const NAMES = [
  "acme",
  "acme/domains/corp",
  "acme/memberships/ada@acme.com",
  "acme/projects/web/batch_exports/events",
  "acme/projects/web/insights/signups",
  "beta",
  "beta/domains/beta",
];

describeEngine("a configuration as a Pulumi program", (dialect, { createNodeStack }) => {
  const isPackaged = dialect === "deployed";
  const choosePackaged = ["config", "set", "driftline:provider", "packaged"];

  /** A stack of the program of the installed package. */
  async function programStack(): Promise<Stack> {
    const stack = await createNodeStack({}, "node_modules/driftline/dist/pulumi/program.js");
    if (isPackaged) await stack.run(...choosePackaged);
    return stack;
  }

  // The language does not matter to the resources: one of them with each is enough.
  const [language, file, declared] = isPackaged
    ? ["TypeScript", "acme.driftline.ts", typescript]
    : ["YAML", "driftline.yaml", stringify(config)];
  it(`in ${language}, with the program of the installed package`, async () => {
    const stack = await programStack();
    await writeFile(join(stack.folder, "project", file), declared);
    await stack.run("config", "set", "driftline:config", file);
    const up = await stack.pulumi(["up", "--yes", "--skip-preview"], { AWS: "hush-hush-42" });
    expect(up.code, up.output).toBe(0);
    const state = await stack.state();
    expect(state.map(({ name }) => name).toSorted()).toEqual(NAMES);
    expect(state.find(({ name }) => name === "acme")?.id).toBe(ACME);
    expect(stack.emulator.find("batch_export", () => true)).toMatchObject([
      { destination: { config: { aws_secret_access_key: "hush-hush-42" } } },
    ]);
    expect(stack.emulator.find("domain", () => true)).toHaveLength(2);
    stack.emulator.clearRequests();
    // A preview needs no secret.
    const preview = await stack.pulumi(["preview", "--refresh", "--expect-no-changes"]);
    expect(preview.code, preview.output).toBe(0);
    expect(preview.output).toContain("AWS");
    expect(matchesIn(preview.output, /acme\/projects\/web\/insights\/gone: .*/)).toMatchSnapshot();
    stack.emulator.clearRequests();
    const again = await stack.pulumi(["up", "--yes", "--skip-preview", "--expect-no-changes"], { AWS: "hush-hush-42" });
    expect(again.code, again.output).toBe(0);
    expect(besideKeyChecks(stack.emulator)).toEqual([]);
    // Organizations are protected unless the configuration says otherwise.
    const destroy = await stack.pulumi(["destroy", "--yes", "--skip-preview"]);
    expect(destroy.code).not.toBe(0);
    expect(stack.emulator.find("organization", ({ name }) => name === "Acme Inc")).toHaveLength(1);
  });

  it("never creates an organization because of a mistyped name", async () => {
    const stack = await programStack();
    await writeFile(
      join(stack.folder, "project/driftline.yaml"),
      stringify({
        driftline: 1,
        service: { url: "https://analytics.example.com", self: "ada@acme.com" },
        organizations: { acme: { name: "Acme Inx" } },
      }),
    );
    const { code, output } = await stack.pulumi(["up", "--yes", "--skip-preview"]);
    expect(code).not.toBe(0);
    expect(matchesIn(output, /organization_create: .*/)).toMatchSnapshot("the refusal");
    // The environment names the service, but nothing names the user.
    expect(matchesIn(output, /service\.self .*/)).toMatchSnapshot("the warning");
    expect(output).not.toContain("service.url");
    expect(stack.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("reports an error of the configuration with its position", async () => {
    const stack = await programStack();
    await writeFile(
      join(stack.folder, "project/driftline.yaml"),
      "driftline: 1\norganizations:\n  acme:\n    nam: Acme Inc\n",
    );
    const { code, output } = await stack.pulumi(["preview"]);
    expect(code).not.toBe(0);
    expect(matchesIn(output, /driftline\.yaml:4:5 .*/)).toMatchSnapshot();
    expect(stack.emulator.requests).toEqual([]);
  });

  it("reports a missing secret before it creates anything, and without a stack trace", async () => {
    const stack = await programStack();
    const acme = { name: "Acme Inc", domains: { corp: { domain: "acme.com", saml_x509_cert: "${secret:CERT}" } } };
    const text = stringify({ driftline: 1, organizations: { acme } });
    await writeFile(join(stack.folder, "project/driftline.yaml"), text);
    const { code, output } = await stack.pulumi(["up", "--yes", "--skip-preview"]);
    expect(code).not.toBe(0);
    expect(matchesIn(output, /error: .*CERT.*/)).toMatchSnapshot();
    expect(output).not.toMatch(/unhandled|\.js:\d/);
    expect(await stack.state()).toEqual([]);
    expect(stack.emulator.requests).toEqual([]);
  });

  it("leaves a resource to be forgotten alone, whether Pulumi has created it or not", async () => {
    const stack = await programStack();
    const up = async (insights: object): Promise<readonly string[]> => {
      const acme = { name: "Acme Inc", projects: { web: { id: "2", insights } } };
      const text = stringify({ driftline: 1, organizations: { acme } });
      await writeFile(join(stack.folder, "project/driftline.yaml"), text);
      stack.emulator.clearRequests();
      await stack.run("up", "--yes", "--skip-preview");
      return stack.emulator.requests.map(({ method }) => method).filter((method) => method !== "GET");
    };
    const lifecycle = { forget: true };
    expect(await up({ a: { name: "A" }, b: { name: "B", lifecycle } })).toEqual(["POST"]);
    expect(await up({ a: { name: "A, and other words", lifecycle, description: "${secret:NOT_SET}" } })).toEqual([]);
    expect(await up({})).toEqual([]);
    expect((await stack.state()).map(({ name }) => name)).toEqual(["acme"]);
    expect(stack.emulator.find("insight", ({ deleted }) => deleted !== true)).toMatchObject([{ name: "A" }]);
  });

  it("with the project file of this repository itself", async () => {
    const stack = await createNodeStack();
    const root = join(stack.folder, "repository");
    await mkdir(root);
    await copyFile(join(ROOT, "Pulumi.yaml"), join(root, "Pulumi.yaml"));
    // The files of the stack must not end up in the repository.
    for (const name of ["dist", "node_modules", "package.json", "plugin"])
      await symlink(join(ROOT, name), join(root, name));
    await writeFile(join(root, "driftline.yaml"), stringify(config));
    const env = { AWS: "hush-hush-42", PWD: root };
    for (const args of [
      ["stack", "init", "root"],
      ...(isPackaged ? [choosePackaged] : []),
      ["up", "--yes", "--skip-preview"],
      ["preview", "--expect-no-changes"],
    ]) {
      const { code, output } = await stack.pulumi([...args, "-C", root], env);
      expect(code, output).toBe(0);
    }
    expect(stack.emulator.find("domain", () => true)).toHaveLength(2);
    const { output } = await stack.pulumi(["stack", "export", "-C", root], env);
    const { deployment } = JSON.parse(output) as Deployment;
    const types = isPackaged ? /^driftline:index:/ : /^pulumi-nodejs:dynamic\/driftline:/;
    const own = (deployment.resources ?? [])
      .map(({ type }) => String(type))
      .filter((type) => !type.startsWith("pulumi:"));
    expect([own.length, own.filter((type) => !types.test(type))]).toEqual([NAMES.length, []]);
  });
});
