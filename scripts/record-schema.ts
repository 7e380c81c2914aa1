/**
 * Records the schema for Pulumi of a release. The next release is compared with it.
 *
 * @example npx jiti scripts/record-schema.ts
 */
import { readFileSync, writeFileSync } from "node:fs";
import { recordOf, type Schema } from "./release/schema-changes.ts";

const schema = JSON.parse(readFileSync(new URL("../schemas/pulumi.schema.json", import.meta.url), "utf8")) as Schema;
const text = `${JSON.stringify(recordOf(schema), null, 2)}\n`;
writeFileSync(new URL("release/pulumi-schema.json", import.meta.url), text);
