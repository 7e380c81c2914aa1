import { command, withCommand } from "../../../model/command.ts";
import { existsSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { publicUrlOf } from "../../../api/http/service-url.ts";
import { schemaLine } from "../../../export/document.ts";
import { isProgram } from "../../../config/source/files.ts";
import { terraformPointer } from "../../../config/source/terraform.ts";
import { EXIT, type ExitCode } from "../../exit-codes.ts";
import { requireUrl } from "../../steps/service-and-key.ts";
import type { Runtime } from "../../runtime.ts";
import { DEFAULT_FILE } from "../../invocation.ts";
import { schemaFor } from "../../program/package.ts";
import { writeNewFiles } from "../export/files.ts";

/** The line that names the service. Without a URL it is a comment. */
const serviceLine = (mark: "#" | "//", url: string | undefined): string =>
  url === undefined
    ? `${mark} service: { url: "https://analytics.example.com" }`
    : `service: { url: ${JSON.stringify(publicUrlOf(url))} }`;

const scaffold = (url: string | undefined, schema: string | undefined): string => `${schemaLine(schema)}driftline: 1

# The service. DRIFTLINE_URL and --url override it. The API key comes from DRIFTLINE_API_KEY only.
${serviceLine("#", url)}

# What is set on the service and not declared here is drift, too.
undeclared: report

organizations:
  acme: # your name for it, with which addresses begin
    name: Acme Inc # the exact name of the organization; or pin it with its id
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

const program = (
  url: string | undefined,
): string => `import { defineConfig } from "driftline";\n\nexport default defineConfig({
  driftline: 1,

  // The service. DRIFTLINE_URL and --url override it. The API key comes from DRIFTLINE_API_KEY only.
  ${serviceLine("//", url)},

  // What is set on the service and not declared here is drift, too.
  undeclared: "report",

  organizations: {
    // Your name for it, with which addresses begin.
    acme: {
      // The exact name of the organization; or pin it with its id.
      name: "Acme Inc",
      // enforce_2fa: true,
      // domains: { corp: { domain: "acme.com" } },
      // memberships: { "ada@acme.com": { level: "admin" } },
      // projects: { web: { name: "Web", insights: { signups: { name: "Signups per week", tags: ["growth"] } } } },
    },
  },
});
`;

/** `driftline init [FILE]`: writes a first configuration, as a program if the file is a TypeScript file. */
export async function emptyInitCommand(
  runtime: Runtime,
  { file = DEFAULT_FILE, url }: { readonly file?: string | undefined; readonly url?: string | undefined },
): Promise<ExitCode> {
  if (url !== undefined) requireUrl(url, runtime.env);
  const path = resolve(runtime.cwd, file);
  const text = isProgram(path) ? program(url) : scaffold(url, schemaFor(dirname(path)));
  await writeNewFiles(runtime, dirname(file), [{ name: basename(file), text }], {
    hint: "Choose another file name, for example:",
    command: command("init", {}, freeName(runtime.cwd, file)),
  });
  const name = relative(runtime.cwd, path);
  const paths = name === DEFAULT_FILE ? [] : [name];
  const steps = [
    withCommand("Next:", command("validate", {}, ...paths)),
    withCommand("Then:", command("plan", {}, ...paths)),
    withCommand("To start from a live organization instead:", command("export", { out: "live" })),
  ];
  const pointer = terraformPointer(dirname(path));
  runtime.out(`${[`Wrote ${name}.`, ...steps, ...(pointer === undefined ? [] : [pointer])].join("\n")}\n`);
  return EXIT.ok;
}

/** A name beside the given one that no file has yet. */
export function freeName(cwd: string, file: string): string {
  // The type of a file is everything from the first dot: .driftline.ts is one.
  const [, name = "", type = ""] = /^([^.]*)(.*)$/su.exec(basename(file)) ?? [];
  for (let number = 2; ; number++) {
    const free = join(dirname(file), `${name}-${String(number)}${type}`);
    if (!existsSync(resolve(cwd, free))) return free;
  }
}
