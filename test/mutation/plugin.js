// Stryker imports its plugins without a compiler, so this file is JavaScript.
import { createJiti } from "jiti";

const jiti = createJiti(import.meta.url);
const modules = await Promise.all(["./in-process.ts", "./survivors.ts"].map((path) => jiti.import(path)));
export const strykerPlugins = modules.flatMap((module) => module.strykerPlugins);
