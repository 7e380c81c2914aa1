import { writeFile } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { isProgram } from "../../config/source/files.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { failure } from "../failure.ts";
import type { Runtime } from "../runtime.ts";
import { relativeParentPath } from "../files.ts";

const scaffold = (
  up: string,
): string => `# yaml-language-server: $schema=${up}node_modules/driftline/schemas/config.schema.json
driftline: 1

# Where the service is. DRIFTLINE_URL or --url count before this; the key comes from DRIFTLINE_API_KEY only.
# service: { url: "https://analytics.example.com" }

organizations:
  acme: # your name for it: addresses begin with it
    name: Acme Inc # the organization of exactly this name; or pin it with its id
    # enforce_2fa: true
    # domains:
    #   corp: { domain: acme.com }
    # memberships:
    #   ada@acme.com: { level: admin } # member, admin or owner
    # projects:
    #   web:
    #     name: Web
    #     insights:
    #       signups: { name: Signups per week, tags: [growth] }
`;

const PROGRAM = `import { defineConfig } from "driftline";\n\nexport default defineConfig({
  driftline: 1,

  // Where the service is. DRIFTLINE_URL or --url count before this; the key comes from DRIFTLINE_API_KEY only.
  // service: { url: "https://analytics.example.com" },

  organizations: {
    // Your name for it: addresses begin with it.
    acme: {
      // The organization of exactly this name; or pin it with its id.
      name: "Acme Inc",
      // enforce_2fa: true,
      // domains: { corp: { domain: "acme.com" } },
      // memberships: { "ada@acme.com": { level: "admin" } },
      // projects: { web: { name: "Web", insights: { signups: { name: "Signups per week", tags: ["growth"] } } } },
    },
  },
});
`;

/** `driftline init [FILE]`: a configuration to begin with; a program where the file is to be one. */
export async function initCommand(runtime: Runtime, file: string): Promise<ExitCode> {
  const path = resolve(runtime.cwd, file);
  const text = isProgram(path) ? PROGRAM : scaffold(relativeParentPath(runtime.cwd, dirname(path)) || "./");
  await writeFile(path, text, { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    const taken = error.code === "EEXIST";
    const hint = taken ? "Name another file: driftline init FILE" : "Name a file in a folder that can be written to.";
    throw failure(
      EXIT.invalid,
      "cannot_write",
      `${file} ${taken ? "is there already" : `cannot be written (${error.code ?? "error"})`}`,
      hint,
    );
  });
  const name = relative(runtime.cwd, path);
  runtime.out(
    `Wrote ${name}. Next: driftline validate, then driftline plan.\nA live organization is written down by: driftline export --out FOLDER\n`,
  );
  return EXIT.ok;
}
