import http from "node:http";
import https from "node:https";
import net, { type Socket } from "node:net";
import { listen, relay, type Listening } from "./listening.ts";
import type { Certificate } from "./tls.ts";

export interface ProxyOptions {
  /** The user and the password that it wants, as in a URL. */
  readonly credentials?: string;
  /** What it does in place of a tunnel. */
  readonly fault?: "resets" | "hangs";
  /** Set if it is itself reached by TLS. */
  readonly certificate?: Certificate;
}

export interface TestProxy extends Listening {
  /** The hosts to which it was asked for a tunnel. */
  readonly asked: readonly string[];
  /** Its address with credentials. */
  readonly as: (credentials: string) => string;
}

/** A proxy that tunnels to any host of this machine. */
export async function startProxy({ credentials, fault, certificate }: ProxyOptions = {}): Promise<TestProxy> {
  const asked: string[] = [];
  const wanted = credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString("base64")}`;
  const server = certificate === undefined ? http.createServer() : https.createServer(certificate);
  server.on("connect", ({ url = "", headers }: http.IncomingMessage, socket: Socket) => {
    asked.push(url);
    if (fault === "hangs") return;
    if (fault === "resets") return void socket.resetAndDestroy();
    if (headers["proxy-authorization"] !== wanted)
      return void socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    const [host, port] = url.split(":");
    const service = net.connect(Number(port), host, () => socket.write("HTTP/1.1 200 OK\r\n\r\n"));
    relay(socket, service);
  });
  const { url, close } = await listen(server, certificate === undefined ? "http:" : "https:");
  return { url, close, asked, as: (user) => url.replace("//", `//${user}@`) };
}
