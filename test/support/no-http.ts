/** Bytes that are no valid HTTP, one per character, by what is wrong with them. */
const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const BODY = '{"count":0,"next":null,"previous":null,"results":[]}';
const SIZE = `content-length: ${String(BODY.length)}\r\n`;
const CHUNKED = `${HEAD}transfer-encoding: chunked\r\n\r\n`;

export const NO_HTTP: Readonly<Record<string, string>> = {
  "another protocol": "SSH-2.0-OpenSSH_9.6\r\n",
  "an alert of TLS": "\u0015\u0003\u0001\u0000\u0002\u0002\u0046",
  "a page without a head": "<html><title>Sign in</title>",
  "another version of HTTP": `HTTP/2 200 OK\r\n${SIZE}\r\n${BODY}`,
  "a status below 100": `HTTP/1.1 007 OK\r\n${SIZE}\r\n${BODY}`,
  "a status of five digits": `HTTP/1.1 20000 OK\r\n${SIZE}\r\n${BODY}`,
  "a control character in a header": `${HEAD}x-a: a\u0001b\r\n${SIZE}\r\n${BODY}`,
  "a blank in the name of a header": `${HEAD}x a: b\r\n${SIZE}\r\n${BODY}`,
  "a carriage return in a header": `${HEAD}x-a: a\rb\r\n${SIZE}\r\n${BODY}`,
  "two lengths": `${HEAD}${SIZE}content-length: 7\r\n\r\n${BODY}`,
  "a length and chunks": `${HEAD}${SIZE}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  "a negative length": `${HEAD}content-length: -7\r\n\r\n${BODY}`,
  "a chunk of no size": `${CHUNKED}zz\r\n${BODY}\r\n0\r\n\r\n`,
  "a chunk longer than its size": `${CHUNKED}2\r\n${BODY}\r\n0\r\n\r\n`,
  "a chunk that no number can hold": `${CHUNKED}${"f".repeat(17)}\r\n${BODY}\r\n0\r\n\r\n`,
};

/** Headers above 16 KiB: in one of them, in many, and behind the body. */
export const LARGE_HEADERS: Readonly<Record<string, string>> = {
  "one large header": `${HEAD}x-a: ${"b".repeat(17_000)}\r\n${SIZE}\r\n${BODY}`,
  "many headers": `${HEAD}${"x-a: 0123456789\r\n".repeat(2_000)}${SIZE}\r\n${BODY}`,
  "a large trailer": `${CHUNKED}2\r\n{}\r\n0\r\nx-a: ${"b".repeat(17_000)}\r\n\r\n`,
};
