import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { startProxy } from "../../../support/proxy.ts";
import { connect, create, failureOf, json, read, serve } from "../support.ts";

afterEach(() => vi.unstubAllEnvs());

/** A proxy that tunnels, or that gives a fixed answer. */
async function proxy(status = 200): Promise<{ readonly url: string; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const server = http.createServer();
  server.on("connect", (request, socket) => {
    asked.push(request.url ?? "");
    if (status !== 200) return void socket.end(`HTTP/1.1 ${String(status)} No\r\n\r\n`);
    const [host = "", port = ""] = (request.url ?? "").split(":");
    const upstream = net.connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      upstream.pipe(socket).pipe(upstream);
    });
    for (const end of [socket, upstream]) end.on("error", () => undefined);
    onTestFinished(() => void upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, asked };
}

function through(url: string, except = ""): void {
  vi.stubEnv("http_proxy", url);
  vi.stubEnv("no_proxy", except);
}

it("requests use the proxy of the environment", async () => {
  const server = await serve((_seen, response) => json(response, 200, { id: "x" }));
  const between = await proxy();
  through(between.url);
  await expect(read(connect(server.url))).resolves.toMatchObject({ body: { id: "x" } });
  expect(between.asked).toEqual([new URL(server.url).host]);
});

it("hosts in NO_PROXY are reached directly", async () => {
  const server = await serve((_seen, response) => json(response, 200, { id: "x" }));
  const between = await proxy();
  through(between.url, "127.0.0.1");
  await read(connect(server.url));
  expect(between.asked).toEqual([]);
});

it.each([
  ["127.0.0.0/8", true],
  ["10.0.0.0/8, 127.0.0.1/32", true],
  ["a.com 127.0.0.1/0", true],
  ["10.0.0.0/8", false],
  ["127.0.0.0/33", false],
  ["::1/128", false],
])("a host in a range of NO_PROXY is reached directly: %s", async (except, isDirect) => {
  const server = await serve((_seen, response) => json(response, 200, { id: "x" }));
  const between = await proxy();
  through(between.url, except);
  await read(connect(server.url));
  expect(between.asked).toHaveLength(isDirect ? 0 : 1);
});

it("if a proxy refuses, the request had no effect, and the hint names the proxy", async () => {
  const server = await serve((_seen, response) => json(response, 200, {}));
  through((await proxy(407)).url);
  const error = await failureOf(read(connect(server.url)));
  expect(error).toMatchObject({ kind: "network", tookEffect: "no", status: null });
  expect(error.hint).toContain("http_proxy");
  expect(server.seen).toHaveLength(0);
});

it("a proxy that refuses connections is named with its variable, without its password", async () => {
  through("http://user:hunter2@127.0.0.1:1");
  const error = await failureOf(read(connect("http://analytics.example.com")));
  expect(error).toMatchObject({ kind: "network", tookEffect: "no", status: null, code: "ECONNREFUSED" });
  expect(error.message).toContain("the proxy http://127.0.0.1:1 (from http_proxy)");
  expect(error.hint).toContain("NO_PROXY");
  expect(error.message).not.toContain("hunter2");
});

it("a proxy that resets the connection instead of an answer is named, and the service is not", async () => {
  const broken = await startProxy({ fault: "resets" });
  onTestFinished(broken.close);
  through(broken.url);
  const error = await failureOf(read(connect("http://analytics.example.com")));
  expect(error).toMatchObject({ kind: "network", tookEffect: "no", status: null, code: "ECONNRESET" });
  expect(error.message).toContain(`the proxy ${broken.url} (from http_proxy)`);
});

it("a service that refuses connections is not blamed on a proxy that is not used for it", async () => {
  through("http://proxy.example.com:8080", "127.0.0.1");
  const error = await failureOf(read(connect("http://127.0.0.1:1")));
  expect(error.message).toContain("127.0.0.1:1 refused");
  expect(error.message).not.toContain("proxy.example.com");
});

it("a proxy address without a protocol uses http", async () => {
  const server = await serve((_seen, response) => json(response, 200, { id: "x" }));
  const between = await proxy();
  through(new URL(between.url).host);
  await read(connect(server.url));
  expect(between.asked).toEqual([new URL(server.url).host]);
});

it.each([
  ["a space in its host", "http://user:hunter2@bad host"],
  ["another protocol", "ftp://user:hunter2@127.0.0.1:1"],
  ["a % that encodes nothing", "http://user:hunter2%@127.0.0.1:1"],
])("a proxy address with %s fails the request once, without effect", async (_name, url) => {
  const server = await serve((_seen, response) => json(response, 200, {}));
  through(url);
  vi.stubEnv("https_proxy", "http://127.0.0.1:1");
  const error = await failureOf(read(connect(server.url)));
  expect(error).toMatchObject({ kind: "network", tookEffect: "no", status: null, code: "DRIFTLINE_PROXY" });
  expect(error.message).toContain("http_proxy");
  expect(error.message).not.toContain("hunter2");
  expect(server.seen).toHaveLength(0);
});

it.each([
  ["http_proxy", "socks5://user:hunter2@127.0.0.1:1"],
  ["http_proxy", "socks://127.0.0.1:1"],
  ["all_proxy", "socks5h://user:hunter2@127.0.0.1:1"],
  ["ALL_PROXY", "SOCKS4A://127.0.0.1:1"],
])("a SOCKS proxy in %s is refused once, in a sentence with the name of the variable: %s", async (variable, url) => {
  const server = await serve((_seen, response) => json(response, 200, {}));
  vi.stubEnv(variable, url);
  const client = connect(server.url);
  const error = await failureOf(create(client));
  expect(error).toMatchObject({ kind: "network", tookEffect: "no", code: "DRIFTLINE_PROXY" });
  expect(error.message).toMatch(new RegExp(`\\(from ${variable}\\).*SOCKS`));
  expect(error.message).not.toContain("hunter2");
  expect([client.requests(), server.seen.length]).toEqual([1, 0]);
  vi.stubEnv("no_proxy", "127.0.0.1");
  await read(connect(server.url));
  expect(server.seen).toHaveLength(1);
});

it.each(["http://127.0.0.1:1", ""])("an ALL_PROXY that names no SOCKS proxy is not read: %s", async (url) => {
  const server = await serve((_seen, response) => json(response, 200, {}));
  vi.stubEnv("all_proxy", url);
  await read(connect(server.url));
  expect(server.seen).toHaveLength(1);
});

it("a proxy that does not speak HTTP is named, and the request had no effect", async () => {
  const other = net.createServer((socket) => socket.once("data", () => socket.end("SSH-2.0\r\n")));
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void other.close());
  through(`http://127.0.0.1:${String((other.address() as AddressInfo).port)}`);
  const client = connect("http://analytics.example.com");
  const error = await failureOf(create(client));
  expect(error).toMatchObject({ kind: "network", tookEffect: "no", code: "DRIFTLINE_NO_HTTP" });
  expect(error.message).toContain("(from http_proxy)");
  expect(client.requests()).toBe(1);
});
