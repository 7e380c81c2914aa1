import { fileURLToPath } from "node:url";

/** The folder of the package, which can import itself by its own name. Each run of the tests builds it first. */
export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
