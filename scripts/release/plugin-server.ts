/**
 * A release before it is published, on the loopback: the files that Pulumi downloads, and an npm registry that knows the packed
 * driftline. For every other package it refers npm to the registry that this machine uses.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { packageName } from "./plugin-files.ts";

/** A server that runs. */
export interface ReleaseServer {
  /** Without a slash at its end. */
  readonly url: string;
  readonly close: () => void;
}

/** @param folder the release, whose files are complete @throws if the package cannot be read */
export async function serveRelease(folder: string, version: string): Promise<ReleaseServer> {
  const registry = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim().replace(/\/$/u, "");
  const published = readPackage(join(folder, packageName(version)));
  const server = createServer(({ url: path = "/", headers: { host = "" } }, response) => {
    const file = join(folder, path.slice(1));
    if (path === "/driftline") response.end(descriptionOf(published, version, `http://${host}`));
    else if (!/^\/(?:pulumi-resource-)?driftline-[^/]+$/u.test(path)) redirect(response, `${registry}${path}`);
    else if (existsSync(file)) response.end(readFileSync(file));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { location }).end();
}

/** What npm needs to know of a packed package. */
interface Published {
  readonly manifest: object;
  readonly integrity: string;
}

function readPackage(path: string): Published {
  const text = execFileSync("tar", ["-xzOf", path, "package/package.json"], { encoding: "utf8" });
  const hash = createHash("sha512").update(readFileSync(path)).digest("base64");
  return { manifest: JSON.parse(text) as object, integrity: `sha512-${hash}` };
}

/** What a registry says of the package. */
function descriptionOf({ manifest, integrity }: Published, version: string, url: string): string {
  const dist = { tarball: `${url}/${packageName(version)}`, integrity };
  return JSON.stringify({
    name: "driftline",
    "dist-tags": { latest: version },
    versions: { [version]: { ...manifest, dist } },
  });
}
