/** Demands of the stock process beyond the life of a resource. Each trap that we met has its test. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Emulator } from "../../src/emulator/index.ts";
import { sessionOf } from "../../src/pulumi/provider/session.ts";
import { describeDialects } from "../support/dialects.ts";
import { hideLists } from "../support/hidden.ts";
import { normalized } from "../support/normalized.ts";
import { SEED } from "../support/workspace.ts";
import type { Found } from "./sdks/sdks.ts";
import { sdks } from "./support/engine.ts";
import { OWN, recordedIn } from "./support/provider-process.ts";
import { world, type Setting } from "./support/world.ts";

const organizationId = SEED.organizations[0]?.id ?? "";
const domain = { organizationId, domain: "acme.com" };
const insight = { projectId: 2, name: "Signups" };

function writes({ requests }: Emulator): readonly string[] {
  return requests.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);
}

describe.each([OWN, ...sdks()].map((one): [string, Found] => [one.name, one]))("the %s SDK", (name, toolchain) => {
  it.skipIf("missing" in toolchain)("has the intended version, on the Node that it needs", async () => {
    if ("missing" in toolchain) return;
    const version = /"version": "(.*)"/.exec(
      execFileSync(
        process.execPath,
        [
          "-p",
          `require("fs").readFileSync(${JSON.stringify(join(toolchain.modules, "@pulumi/pulumi/package.json"))},"utf8")`,
        ],
        { encoding: "utf8" },
      ),
    )?.[1];
    const node = execFileSync(toolchain.node, ["-p", "process.versions.node.split('.')[0]"], { encoding: "utf8" });
    const { provider } = await world({ toolchain });
    expect(await provider.version()).toBe(version);
    if (name === "oldest") expect(version).toBe("3.216.0");
    if (name === "newest") expect(Number(node)).toBeGreaterThanOrEqual(22);
  });

  it.skipIf("missing" in toolchain)("configures a provider that many calls request at once", async () => {
    const { emulator, provider } = await world({
      toolchain,
      without: ["DRIFTLINE_URL", "DRIFTLINE_API_KEY"],
      config: ({ url, key }) => ({ "driftline:url": url, "driftline:apiKey": key }),
    });
    const names = Array.from({ length: 10 }, (_, index) => `insight ${String(index)}`);
    const made = await Promise.all(names.map((one) => provider.as("insight").create({ ...insight, name: one })));
    expect(new Set(made.map(({ id }) => id)).size).toBe(10);
    expect(emulator.find("insight", () => true)).toHaveLength(10);
  });

  it.skipIf("missing" in toolchain)(
    "records an object whose create failed halfway, with id, text and reason",
    async () => {
      const { emulator, provider } = await world({ toolchain });
      emulator.faults.add({ method: "POST", times: 1, fault: { type: "ignore-field", field: "description" } });
      emulator.faults.add({ method: "PATCH", fault: { type: "ignore-field", field: "description" } });
      const inputs = { ...insight, description: "New accounts" };
      const error: unknown = await provider
        .as("insight")
        .create(inputs)
        .catch((problem: unknown) => problem);
      const [stored] = emulator.find("insight", () => true);
      // The properties held the provider's text. Without it, reading them would have failed.
      expect(recordedIn(error, toolchain as never)).toMatchObject({
        id: String(stored?.["id"]),
        properties: { ...inputs, shortId: stored?.["short_id"] },
        reasons: [expect.stringContaining("description")],
      });
      // The engine asks for an update of the recorded object.
      emulator.faults.clear();
      const failure = recordedIn(error, toolchain as never);
      const updated = await provider.as("insight").update(failure?.id ?? "", failure?.properties ?? {}, inputs);
      expect(updated).toMatchObject(inputs);
      expect(emulator.find("insight", () => true)).toMatchObject([{ description: "New accounts" }]);
    },
  );
});

describeDialects("settings", () => {
  const settings: readonly (readonly [string, Setting])[] = [
    [
      "the environment, over an outdated key of the stack",
      { config: ({ url }) => ({ "driftline:url": `${url}/`, "driftline:apiKey": "old" }) },
    ],
    [
      "the stack",
      {
        without: ["DRIFTLINE_URL", "DRIFTLINE_API_KEY"],
        config: ({ url, key }) => ({ "driftline:url": url, "driftline:apiKey": key }),
      },
    ],
    [
      "the stack, if those of the environment are empty",
      {
        env: { DRIFTLINE_URL: "", DRIFTLINE_API_KEY: " " },
        config: ({ url, key }) => ({ "driftline:url": url, "driftline:apiKey": key }),
      },
    ],
  ];
  it.each(settings)("service and key are those of %s", async (_name, setting) => {
    const { provider } = await world(setting);
    expect((await provider.create(domain)).id).not.toBe("");
  });

  it("without a key nothing is sent, and the error says how to set one", async () => {
    const { emulator, provider } = await world({ without: ["DRIFTLINE_API_KEY"] });
    await expect(provider.create(domain)).rejects.toThrow("pulumi config set --secret driftline:apiKey");
    expect(emulator.requests).toEqual([]);
  });

  it.each<readonly [string, Setting]>([
    ["the environment", { env: { DRIFTLINE_PROFILE: "document" }, config: () => ({ "driftline:profile": "posthog" }) }],
    ["the stack", { config: () => ({ "driftline:profile": "document" }) }],
  ])("the profile is that of %s", async (_name, setting) => {
    const { emulator, provider } = await world(setting);
    await provider.as("insight").create(insight);
    const lists = emulator.requests.filter(({ method, path }) => method === "GET" && path.includes("/insights"));
    expect(lists.length).toBeGreaterThan(0);
    expect(lists.filter(({ path }) => path.includes("order="))).toEqual([]);
  });

  it.each<readonly [string, Setting]>([
    ["the environment", { env: { DRIFTLINE_SELF: "owner@example.com" } }],
    ["the stack", { config: () => ({ "driftline:self": "owner@example.com" }) }],
  ])("the key's user is that of %s", async (_name, setting) => {
    const eve = { email: "eve@acme.com", level: 15 };
    const inputs = { organizationId, email: eve.email, level: 1 };
    const { emulator, provider } = await world(setting);
    emulator.insert("member", { organization: organizationId }, eve);
    expect((await provider.as("member").create(inputs)).id).not.toBe("");
    // Without the setting she may be the key's user, who is an owner as well.
    const other = await world();
    other.emulator.insert("member", { organization: organizationId }, eve);
    await expect(other.provider.as("member").create(inputs)).rejects.toThrow("own_user");
  });

  it.each([
    { DRIFTLINE_PROFILE: "postdog" },
    { DRIFTLINE_MAX_REQUESTS_PER_MINUTE: "many" },
    { DRIFTLINE_SETTLE_AFTER: "-1" },
  ])("%o is refused before anything is sent", (env) => {
    const given = { DRIFTLINE_URL: "http://127.0.0.1:9", DRIFTLINE_API_KEY: JSON.stringify(env), ...env };
    expect(() => sessionOf(undefined, given)).toThrowErrorMatchingSnapshot();
  });
});

describeDialects("reading", () => {
  it.each([403, 404] as const)("does not take an object that a %i hides for a deleted one", async (status) => {
    const { emulator, provider } = await world();
    emulator.faults.add({ method: "GET", fault: { type: "status", status } });
    const id = "0190aa11-0000-4000-8000-0000000000ff";
    await expect(provider.read(id, domain)).rejects.toThrow(/domains/);
    emulator.faults.clear();
    expect((await provider.read(id, domain)).id).toBe("");
  });

  it("finds, changes and removes an object that no list shows yet", async () => {
    const { emulator, provider, later } = await world();
    const made = await provider.as("insight").create(insight);
    hideLists(emulator, /\/insights\/$/);
    const next = (await later()).as("insight");
    expect(await next.read(made.id, made.outs)).toEqual({ id: made.id, props: made.outs, inputs: insight });
    const renamed = await next.update(made.id, made.outs, { ...insight, name: "Sign-ups" });
    expect(emulator.find("insight", () => true)).toMatchObject([{ name: "Sign-ups", deleted: false }]);
    await (await later()).as("insight").remove(made.id, renamed);
    expect(emulator.find("insight", () => true)).toMatchObject([{ deleted: true }]);
  });

  it("reads an object by its id alone, with all fields that the service shows", async () => {
    const { provider } = await world();
    const made = await provider.create({ ...domain, samlEntityId: "urn:acme" });
    const got = await provider.read(made.id, { organizationId });
    expect(got).toMatchObject({ id: made.id, inputs: { organizationId } });
    expect(got.props).toMatchObject({ ...domain, samlEntityId: "urn:acme", isVerified: false });
    const asMember = await provider.as("membership").read("bob@acme.com", { organizationId });
    expect(asMember.props).toMatchObject({ email: "bob@acme.com", level: 1 });
  });

  it("reports the error of a list once to each call that waits for it", async () => {
    const { provider } = await world({ env: { DRIFTLINE_API_KEY: "nobody" } });
    const emails = ["ada@acme.com", "bob@acme.com"];
    const reads = emails.map((email) => provider.as("membership").read(email, { organizationId, email, level: 1 }));
    for (const end of await Promise.allSettled(reads)) {
      const message = String(end.status === "rejected" ? end.reason : "");
      expect(message.match(/does not accept this key/g)).toHaveLength(1);
    }
  });

  it("says what is missing if an object is read by its id alone", async () => {
    const { provider } = await world();
    await expect(provider.read("1", {})).rejects.toThrow("organizationId");
  });

  it("keeps fields that the service does not return, and leaves out fields that change by themselves", async () => {
    const { emulator, provider } = await world({ options: { dialect: "deployed" } });
    const exported = provider.as("batchExport");
    const inputs = {
      projectId: 2,
      name: "Events",
      interval: "hour",
      hogqlQuery: "select 1",
      destination: {
        type: "S3",
        config: { bucket_name: "b", region: "eu", prefix: "e/", max_file_size_mb: 7, aws_secret_access_key: "hush" },
      },
    };
    const made = await exported.create((await exported.check({}, inputs)).inputs);
    const read = await exported.read(made.id, made.outs);
    expect(read.props).toEqual(made.outs);
    expect(read.props).toMatchObject(inputs);
    emulator.clearRequests();
    expect(await exported.update(made.id, read.props, { ...read.inputs })).toEqual(read.props);
    expect(writes(emulator)).toEqual([]);
  });
});

describeDialects("many creates at once", () => {
  it("share one read of the list before they write", async () => {
    const { emulator, provider } = await world({ options: { latencyMs: 50 } });
    const names = Array.from({ length: 20 }, (_, index) => `insight ${String(index)}`);
    await Promise.all(names.map((name) => provider.as("insight").create({ projectId: 2, name })));
    expect(emulator.find("insight", () => true)).toHaveLength(names.length);
    const lists = emulator.requests.filter(({ method, path }) => method === "GET" && path.includes("/insights"));
    expect(lists.length).toBeLessThan(names.length / 2);
  });
});

describeDialects("an object to adopt", () => {
  it("belongs to another resource if the state has it, and to this one if a crash kept it out of the state", async () => {
    const { provider, later } = await world();
    const made = await provider.as("insight").create(insight);
    const next = (await later()).as("insight");
    await next.diff(made.id, made.outs, insight);
    await expect(next.create(insight)).rejects.toThrowErrorMatchingSnapshot();
    expect((await (await later()).as("insight").create(insight)).id).toBe(made.id);
  });

  it("is left alone if it turns up only at the create, and is not recorded in the state", async () => {
    const { emulator, provider, later } = await world();
    const made = await provider.as("insight").create(insight);
    hideLists(emulator, /\/insights\/$/);
    const error: unknown = await (
      await later()
    )
      .as("insight")
      .create(insight)
      .catch((problem: unknown) => problem);
    expect(normalized(String(error))).toMatchSnapshot();
    expect(recordedIn(error)).toBeUndefined();
    emulator.faults.clear();
    expect((await (await later()).as("insight").create(insight)).id).toBe(made.id);
    expect(emulator.find("insight", () => true)).toHaveLength(1);
  });

  it("is not recorded in the state if no object has its id", async () => {
    const { provider } = await world();
    const error: unknown = await provider
      .as("insight")
      .create({ ...insight, adopt: 999 })
      .catch((problem: unknown) => problem);
    expect(String(error)).toMatch(/999.*404 not_found/);
    expect(normalized(String(error))).toMatchSnapshot("an insight");
    expect(recordedIn(error)).toBeUndefined();
    const id = "0190aa11-0000-4000-8000-0000000000ff";
    await expect(provider.create({ ...domain, adopt: id })).rejects.toThrow(id);
  });

  it("asks for a refresh if it is gone", async () => {
    const { provider, later } = await world();
    const made = await provider.create(domain);
    await provider.remove(made.id, made.outs);
    const change = { ...domain, jitProvisioningEnabled: true };
    await expect((await later()).update(made.id, made.outs, change)).rejects.toThrow("pulumi refresh");
  });
});

describeDialects("a membership", () => {
  it("stays the same when its invite is accepted", async () => {
    const { emulator, provider, later } = await world();
    const inputs = { organizationId, email: "eve@acme.com", level: 1 };
    const made = await provider.as("membership").create(inputs);
    expect([made.id, emulator.find("invite", () => true).length]).toEqual(["eve@acme.com", 1]);
    const [invite] = emulator.find("invite", () => true);
    emulator.acceptInvite(String(invite?.["id"]));

    const next = (await later()).as("membership");
    expect(await next.read(made.id, made.outs)).toEqual({ id: made.id, props: made.outs, inputs });
    const promoted = await next.update(made.id, made.outs, { ...inputs, level: 8 });
    expect(emulator.find("member", isEve)).toMatchObject([{ level: 8 }]);
    await next.remove(made.id, promoted);
    expect(emulator.find("member", isEve)).toEqual([]);
    expect(emulator.find("invite", () => true)).toEqual([]);
  });
});

function isEve(object: object): boolean {
  return JSON.stringify(object).includes("eve@acme.com");
}

describeDialects("deleting", (dialect) => {
  it("of an object that is gone already succeeds", async () => {
    const { emulator, provider } = await world();
    const made = await provider.create(domain);
    await provider.remove(made.id, made.outs);
    await provider.remove(made.id, made.outs);
    expect(writes(emulator).filter((one) => one.startsWith("DELETE"))).toHaveLength(1);
  });

  it("of an organization needs its name", async () => {
    const { emulator, provider } = await world();
    const made = await provider.as("organization").create({ name: "Beta" });
    for (const confirmDelete of [undefined, "Bet", "Acme Inc"])
      await expect(
        provider
          .as("organization")
          .remove(made.id, { name: "Beta", ...(confirmDelete === undefined ? {} : { confirmDelete }) }),
      ).rejects.toThrow("confirmDelete");
    expect(emulator.find("organization", ({ name }) => name === "Beta")).toHaveLength(1);
  });

  // Deployed servers let no admin remove an owner, and an owner's own key leaves that owner.
  it.runIf(dialect === "document")("leaves one owner, even if all are removed at once", async () => {
    const emails = ["one@acme.com", "two@acme.com", "three@acme.com"];
    const self = "ada@acme.com";
    const members = [...emails.map((email) => ({ email, level: 15 })), { email: self, level: 8 }];
    const { emulator, provider } = await world({
      env: { DRIFTLINE_SELF: self },
      options: {
        keys: [{ key: "emulator-key", user: self }],
        seed: { organizations: [{ id: organizationId, name: "Acme Inc", members }] },
      },
    });
    const before = emulator.find("member", ({ level }) => level === 15).length;
    const removals = emulator
      .find("member", ({ level }) => level === 15)
      .map((one) => (one["user"] as { email: string }).email)
      .map((email) => provider.as("membership").remove(email, { organizationId, email, level: 15 }));
    const ends = await Promise.allSettled(removals);
    expect(ends.filter(({ status }) => status === "rejected")).toHaveLength(1);
    expect([before, emulator.find("member", ({ level }) => level === 15).length]).toEqual([removals.length, 1]);
  });
});
