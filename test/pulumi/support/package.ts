import { fileURLToPath } from "node:url";
import { packageFolder } from "../../support/command.ts";

/** This repository. */
export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** The package that is tested. It can import itself by its own name. */
export const PACKAGE = packageFolder();
