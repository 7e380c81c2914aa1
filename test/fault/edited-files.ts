/** Two configuration files that commands write into, in the tests of what comes between their writes. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { workspace, type Workspace } from "../support/workspace.ts";

const HOOK = new URL("edit-killer.mjs", import.meta.url).href;

export type Texts = Readonly<Record<string, string>>;

export const FILES: Texts = {
  "acme.yaml": `# people
driftline: 1
organizations:
  acme:
    name: Acme Inc # legal
    enforce_2fa: false
    domains:
      corp: { domain: acme.com }
`,
  "web.yaml": `driftline: 1
organizations:
  acme:
    projects:
      web:
        name: Web
        insights:
          one:
            # the first one
            name: One
            tags: [a]
`,
};

/** The organization of these files, with more than they declare. */
export const ORGANIZATION = {
  name: "Acme Inc",
  enforce_2fa: false,
  domains: [{ domain: "acme.com" }, { domain: "acme.de" }],
};

type Options = NonNullable<Parameters<typeof workspace>[0]>;

/**
 * A workspace with the files in a folder.
 *
 * @param moment when edit-killer.mjs steps in
 */
export async function editedWorkspace(
  options: Options,
  files: Texts,
  moment: number,
): Promise<{ readonly space: Workspace; readonly config: string; readonly env: Readonly<Record<string, string>> }> {
  const space = await workspace({ dialect: "deployed", ...options });
  const config = join(space.folder, "config");
  await mkdir(config);
  for (const [file, text] of Object.entries(files)) await writeFile(join(config, file), text);
  const env = {
    ...space.env,
    NODE_OPTIONS: `--import ${HOOK}`,
    DRIFTLINE_TEST_KILL: String(moment),
    DRIFTLINE_TEST_FOLDER: config,
  };
  return { space, config, env };
}
