import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import net from "node:net";
import { join } from "node:path";
import tls from "node:tls";
import { promisify } from "node:util";
import { listen, relay, type Listening } from "./listening.ts";

/** A certificate of 127.0.0.1 that signs itself: who trusts its file trusts the service. */
export interface Certificate {
  readonly file: string;
  readonly key: Buffer;
  readonly cert: Buffer;
}

/** @param folder where its files are written */
export async function makeCertificate(folder: string): Promise<Certificate> {
  const [key, file] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const how = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=driftline-test";
  const names = ["-addext", "subjectAltName=IP:127.0.0.1"];
  await promisify(execFile)("openssl", [...how.split(" "), ...names, "-keyout", key, "-out", file]);
  return { file, key: await readFile(key), cert: await readFile(file) };
}

/** TLS in front of a service that has none. */
export interface TlsFront extends Listening {
  /** What was negotiated for each connection. */
  readonly protocols: readonly (string | false | null)[];
}

/** Offers HTTP/2 first, which the service behind it does not speak. */
export async function startTls({ key, cert }: Certificate, service: string): Promise<TlsFront> {
  const protocols: (string | false | null)[] = [];
  const server = tls.createServer({ key, cert, ALPNProtocols: ["h2", "http/1.1"] }, (socket) => {
    protocols.push(socket.alpnProtocol);
    relay(socket, net.connect(Number(new URL(service).port), "127.0.0.1"));
  });
  return { ...(await listen(server, "https:")), protocols };
}
