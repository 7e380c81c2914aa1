import { relative, resolve, sep } from "node:path";

/**
 * The way from a folder below the working directory up to it, such as `../`: editors look for a schema from where the file
 * lies. Of other folders nothing is said: the way from there would name folders of this machine.
 */
export function relativeParentPath(cwd: string, folder = ""): string {
  const steps = relative(resolve(cwd, folder), cwd).split(sep);
  return steps.every((step) => step === "..") ? `${steps.join("/")}/` : "";
}
