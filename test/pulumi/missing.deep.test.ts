/** What a state says that the service does not have any more. */
import { describe, expect, it } from "vitest";
import { ACME } from "../support/acme.ts";
import { isWhole } from "../support/budget.ts";
import { normalized } from "../support/normalized.ts";
import { engine } from "./support/engine.ts";
import { createYamlStack } from "./support/packaged-stack.ts";
import { matchesIn } from "./support/sentences.ts";
import { createStack, type Program } from "./support/stack.ts";
import { world } from "./support/world.ts";

const { bin, missing } = engine();

describe.skipIf(missing !== undefined)("an object that somebody else removed", () => {
  it.for([
    ["dynamic", createStack],
    ["packaged", createYamlStack],
  ] as const)(
    "is created again after a refresh, as the refusal of an update says (%s)",
    async ([form, create], { skip }) => {
      skip(form === "dynamic" && !isWhole, "with all repetitions only, as the second pair of describeEngine");
      const stack = await create(bin);
      const { emulator, declare, run } = stack;
      const program = (domain: object, insight: object): Program => ({
        corp: { type: "Domain", args: { organizationId: ACME, domain: "acme.com", ...domain } },
        signups: { type: "Insight", args: { projectId: 2, name: "Signups", ...insight } },
      });
      await declare(program({}, {}));
      await run("up", "--yes", "--skip-preview");
      const [domain] = emulator.find("domain");
      emulator.remove("domain", domain?.id ?? "");
      const next = program({ samlEntityId: "urn:acme" }, {});
      await declare(next);
      const refused = await stack.pulumi(["up", "--yes", "--skip-preview"]);
      expect(refused.code).not.toBe(0);
      expect(matchesIn(refused.output, /there is no domain.*/)).toMatchSnapshot("a domain");
      await run("refresh", "--yes", "--skip-preview");
      await run("up", "--yes", "--skip-preview");
      expect(emulator.find("domain")).toMatchObject([{ domain: "acme.com", saml_entity_id: "urn:acme" }]);

      // The service does not show whether an insight was removed or only marked as deleted, so the state keeps its id.
      emulator.remove("insight", Number(emulator.find("insight")[0]?.id));
      await run("refresh", "--yes", "--skip-preview");
      const gone = await stack.pulumi(["up", "--yes", "--skip-preview"]);
      expect(gone.code).not.toBe(0);
      expect(matchesIn(gone.output, /PATCH .*/)).toMatchSnapshot("an insight");
      const { deployment } = await stack.deployment();
      const urns = (deployment.resources ?? []).map(({ urn }) => String(urn));
      await run("state", "delete", urns.find((urn) => urn.endsWith("::signups")) ?? "", "--yes");
      await run("up", "--yes", "--skip-preview");
      expect(emulator.find("insight")).toMatchObject([{ name: "Signups" }]);
      await run("preview", "--refresh", "--expect-no-changes");
    },
  );
});

it("needs another program if that names its id, and another state if it is an organization", async () => {
  const { emulator, provider } = await world();
  const refusal = async (call: Promise<unknown>): Promise<string> => normalized(String(await call.catch(String)));
  const domain = provider.as("domain");
  const { id } = await domain.create({ organizationId: ACME, domain: "acme.com" });
  const pinned = { organizationId: ACME, domain: "acme.com", adopt: id };
  const { outs } = await domain.create(pinned);
  emulator.remove("domain", id);
  const next = { ...pinned, samlEntityId: "urn:acme" };
  expect(await refusal(domain.update(id, outs, next))).toMatchSnapshot("the update");
  expect((await domain.read(id, outs)).id).toBe("");
  expect(await refusal(domain.create(next))).toMatchSnapshot("the create that names the id");
  expect((await domain.create({ ...next, adopt: true })).id).not.toBe(id);
  const insight = { projectId: 2, name: "Signups", adopt: "99" };
  expect(await refusal(provider.as("insight").create(insight))).toMatchSnapshot("the create of an insight");

  const organization = provider.as("organization");
  const beta = await organization.create({ name: "Beta" });
  emulator.remove("organization", beta.id);
  const renamed = { name: "Beta 2" };
  expect(await refusal(organization.update(beta.id, beta.outs, renamed))).toMatchSnapshot(
    "the update of an organization",
  );
  expect((await organization.create(renamed)).id).not.toBe(beta.id);
});
