import type { AddressInfo, Server, Socket } from "node:net";

/** A server on a port of its own. */
export interface Listening {
  readonly url: string;
  /** Ends its connections as well. */
  readonly close: () => Promise<void>;
}

/** Has a server listen, and keeps track of its connections. */
export async function listen(server: Server, protocol = "http:"): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => void sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { url: `${protocol}//127.0.0.1:${String(port)}`, close };
}

/** Passes on what either end sends. If one end breaks, so does the other. */
export function relay(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const)
    from
      .on("error", () => to.destroy())
      .on("close", () => to.destroy())
      .pipe(to);
}
