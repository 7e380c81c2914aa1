// Stryker imports its plugins without a compiler, so this file is JavaScript.
import { createJiti } from "jiti";

export const { strykerPlugins } = await createJiti(import.meta.url).import("./in-process.ts");
