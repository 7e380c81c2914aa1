/** Values that the service itself has converted are no difference, and a warning says what to declare. */
import { describe, expect, it } from "vitest";
import { Secret, type JsonObject, type ValueObject } from "../../../src/model/json/json.ts";
import { changeOf, declare, live, plan } from "./world.ts";

const ADDRESS = "acme/batch_exports/e";
const CONFIG = { bucket_name: "b", region: "eu", prefix: "p" };

function planned(type: string, config: JsonObject, lifecycle = {}, declared: ValueObject = {}) {
  const values = {
    name: "E",
    interval: "hour",
    destination: { type: "S3", config: { ...CONFIG, aws_access_key_id: "K" } },
  };
  const row = { id: "e-1", name: "E", interval: "hour", destination: { type, config, integration: 5 } };
  const made = plan(
    [declare(ADDRESS, { ...values, ...declared }, { lifecycle })],
    live({ "batch_exports.list": [row] }),
  );
  return { change: changeOf(made, ADDRESS), warnings: made.diagnostics };
}

describe("a destination that the service has converted", () => {
  it("is no difference, and the warning says what to declare", () => {
    const { change, warnings } = planned("AwsS3", CONFIG);
    expect(change).toMatchObject({ action: "no_op", fields: [] });
    expect(warnings).toMatchObject([
      {
        severity: "warning",
        code: "converted_by_service",
        address: ADDRESS,
        command: ["driftline", "drift", "--accept", "--only", ADDRESS],
      },
    ]);
    expect(warnings.map(({ message, hint }) => [message, hint])).toMatchSnapshot("sentences");
  });

  it("says what has another value, and everything that is no longer taken", () => {
    const KEYS = { aws_access_key_id: "K", aws_secret_access_key: new Secret("${secret:KEY}") };
    const messages = [CONFIG, { ...CONFIG, ...KEYS }].map((config) =>
      planned("AwsS3", CONFIG, {}, { destination: { type: "S3", config } }).warnings.map(({ message }) => message),
    );
    expect(messages).toMatchSnapshot("sentences");
  });

  it("is still compared in what the service has not converted", () => {
    const { change } = planned("AwsS3", { ...CONFIG, prefix: "other" });
    expect(change.action).not.toBe("no_op");
    expect(change.fields.map(({ path }) => path)).toEqual(["/destination/config/prefix"]);
  });

  it.each(["absent", "forget"])("is not worth a warning if the object is to be %s", (word) => {
    expect(planned("AwsS3", CONFIG, word === "absent" ? { state: "absent" } : { forget: true }).warnings).toEqual([]);
  });

  it("is not meant if nothing was converted", () => {
    expect(planned("S3", { ...CONFIG, aws_access_key_id: "K" }).warnings).toEqual([]);
  });
});
