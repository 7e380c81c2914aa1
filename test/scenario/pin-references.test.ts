/** What driftline cannot write because of an alias or an anchor, a person can write as it is printed. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeDialects } from "../support/dialects.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const ACME = "0190aa11-0000-4000-8000-00000000000a";
const GONE = "0190aa11-0000-4000-8000-00000000dead";

const seeded = (): Promise<Workspace> =>
  workspace({
    seed: {
      organizations: [
        {
          id: ACME,
          name: "Acme Inc",
          projects: [
            { id: 2, name: "Web", insights: [{ name: "One", saved: true }] },
            { id: 3, name: "App", insights: ["One", "Two"].map((name) => ({ name, saved: true })) },
          ],
        },
      ],
    },
  });

const yaml = (web: string, app: string): string => `driftline: 1
organizations:
  acme:
    id: ${ACME}
    projects:
      web:
        id: "2"
        ${web}
      app:
        id: "3"
        ${app}
`;

const textOf = ({ folder }: Workspace): Promise<string> => readFile(join(folder, "driftline.yaml"), "utf8");

/** The lines that a command prints to be written by hand. */
function printed(stdout: string): string {
  return (/:\n((?: {2}.*\n)+)/.exec(stdout)?.[1] ?? "").replaceAll(/^ {2}/gm, "");
}

const indented = (text: string, columns: number): string =>
  text.trimEnd().replaceAll(/\n/g, `\n${" ".repeat(columns)}`);

describeDialects("an alias", () => {
  it("of a resource can be replaced by the lines that pin prints", async () => {
    const space = await seeded();
    await space.configure(yaml("insights: { one: &one { name: One } }", "insights:\n          one: *one"));
    const { code, stdout } = await space.run(["pin", "--yes", "--only", "acme/projects/app/insights/one"]);
    expect(code).toBe(2);
    await space.configure((await textOf(space)).replace("one: *one", indented(printed(stdout), 10)));
    const { changes } = await space.plan();
    expect(changes.map(({ address, action }) => [address, action])).toContainEqual([
      "acme/projects/app/insights/one",
      "no_op",
    ]);
    expect((await space.run(["pin", "--yes", "--only", "acme/projects/app/insights/one"])).stdout).toContain(
      "Nothing to pin",
    );
  });

  it("of a collection can be replaced by the lines that import prints", async () => {
    const space = await seeded();
    await space.configure(yaml("insights: &all { one: { name: One } }", "insights: *all"));
    const { code, stdout } = await space.run(["import", "--yes", "--only", "acme/projects/app/insights/two"]);
    expect(code).toBe(2);
    await space.configure((await textOf(space)).replace("insights: *all", indented(printed(stdout), 8)));
    expect((await space.plan()).changes.map(({ address, action }) => [address, action])).toEqual(
      expect.arrayContaining([
        ["acme/projects/app/insights/one", "no_op"],
        ["acme/projects/app/insights/two", "no_op"],
      ]),
    );
  });
});

describeDialects("a pin that is an anchor", () => {
  it("is not written by --recreate: the exit code is 14, and the printed line is valid", async () => {
    const space = await seeded();
    const domains = (id: string): string => `    domains: { corp: { id: ${id}, domain: acme.com } }\n`;
    const config = (id: string): string =>
      yaml("insights: {}", "insights: { one: { name: One, description: *pin } }").replace(
        "    projects:",
        `${domains(id)}    projects:`,
      );
    await space.configure(config(`&pin ${GONE}`));
    const { code, stderr } = await space.run(["apply", "--yes", "--recreate", "acme/domains/corp"]);
    expect([code, stderr]).toEqual([14, expect.stringContaining("warning pin_not_written: ")]);
    const line = /Write id: (.*) in the place of /.exec(stderr)?.[1] ?? "";
    expect(line).toBe(`&pin "${String(space.emulator.find("domain")[0]?.["id"])}"`);
    await space.configure(config(line));
    expect((await space.plan()).changes.filter(({ kind, action }) => kind === "domain" && action !== "no_op")).toEqual(
      [],
    );
  });
});
