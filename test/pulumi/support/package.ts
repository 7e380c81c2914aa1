import { fileURLToPath } from "node:url";

/** The folder of the package, where it finds itself by its own name. Every run of the tests begins by building it. */
export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
