// Stryker imports its plugins as they are, so that this one is no TypeScript.
import { createJiti } from "jiti";

export const { strykerPlugins } = await createJiti(import.meta.url).import("./in-process.ts");
