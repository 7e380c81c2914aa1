import { Hono, type Context } from "hono";
import { asText, type Json } from "../json.ts";
import { readBody, readId, readKind, queryPredicate, expectObject } from "./input.ts";
import { readEvents } from "../resources/event.ts";
import { readFaultRule, renderFaultRule } from "./fault-rules.ts";
import type { Control } from "./control.ts";
import type { EmulatedKind } from "../resources/registry.ts";
import type { FaultBook } from "../faults/book.ts";
import type { RequestLog } from "../http/log.ts";
import type { Seed } from "../seed/seed.ts";

/** The objects that the control interface works on. */
export interface ControlTarget extends Control {
  readonly faults: FaultBook;
  readonly log: RequestLog;
  /** Reports whether a text is the name of a kind of this emulator. */
  readonly isKind: (text: string) => text is EmulatedKind;
}

/** The status and the body of an answer. */
type Reply = readonly [status: 200 | 201, body: unknown] | void;
type Handler = (http: Context, body: Json) => Reply;

/**
 * Offers the calls of the library over HTTP, as JSON. An error of the library becomes 400 `{ "error": "..." }`. A body
 * must have the content type of JSON, because then a page in a browser cannot send one without a preflight request.
 */
export function createControlApp(emulator: ControlTarget): Hono {
  const app = new Hono({ strict: false });
  const on = (method: string, path: string, run: Handler): void => {
    app.on(method, path, async (http) => respond(http, await readBody(http), run));
  };
  addObjects(emulator, on);
  addSwitches(emulator, on);
  addProjects(emulator, on);
  addFaultsAndLog(emulator, on);
  const there = app.routes.map(({ method, path }) => `${method} ${path}`);
  app.notFound((http) => http.json({ error: `There is no ${http.req.method} ${http.req.path}.`, there }, 404));
  return app;
}

type AddRoute = (method: string, path: string, run: Handler) => void;

function addObjects(emulator: ControlTarget, on: AddRoute): void {
  const kind = (http: Context): EmulatedKind => readKind(http, emulator.isKind);
  on("POST", "/seed", (_http, body) => {
    // plant() checks that the value is a seed.
    emulator.plant(body as unknown as Seed);
    return undefined;
  });
  on("GET", "/dump", () => [200, emulator.dump()]);
  on("GET", "/objects/:kind", (http) => [200, emulator.find(kind(http), queryPredicate(http))]);
  on("POST", "/objects/:kind", (http, body) => {
    const { scope = {}, values = {} } = expectObject(body);
    const { organization, project } = expectObject(scope);
    return [
      201,
      emulator.insert(
        kind(http),
        {
          ...(organization === undefined ? {} : { organization: asText(organization) }),
          ...(project === undefined ? {} : { project: asText(project) }),
        },
        expectObject(values),
      ),
    ];
  });
  on("PATCH", "/objects/:kind/:id", (http, body) => [200, emulator.edit(kind(http), readId(http), expectObject(body))]);
  on("DELETE", "/objects/:kind/:id", (http) => {
    emulator.remove(kind(http), readId(http));
    return undefined;
  });
  on("POST", "/invites/:id/accept", (http) => [200, emulator.acceptInvite(http.req.param("id") ?? "")]);
  on("POST", "/invites/:id/expire", (http) => [200, emulator.expireInvite(http.req.param("id") ?? "")]);
  on("POST", "/access/:id", (http, body) => {
    const { user = "", level } = expectObject(body);
    if (level !== "none" && level !== "editor") throw new Error('"level" has to be none or editor.');
    emulator.setAccess(readId(http), asText(user), level);
    return undefined;
  });
}

function addSwitches(emulator: ControlTarget, on: AddRoute): void {
  on("GET", "/switches", () => [200, emulator.switches()]);
  on("PATCH", "/switches", (_http, body) => {
    // setSwitches() checks the names and the types.
    emulator.setSwitches(expectObject(body));
    return [200, emulator.switches()];
  });
}

function addProjects(emulator: ControlTarget, on: AddRoute): void {
  on("POST", "/projects", (_http, body) => {
    const { organization = "", name = "Project", id } = expectObject(body);
    const given = typeof id === "number" ? [id] : [];
    return [201, { id: emulator.addProject(asText(organization), asText(name), ...given) }];
  });
  on("PATCH", "/projects/:id", (http, body) => [
    200,
    emulator.editProject(Number(http.req.param("id")), expectObject(body)),
  ]);
  on("POST", "/projects/:id/events", (http, body) => [
    201,
    { events: emulator.addEvents(Number(http.req.param("id")), readEvents(body)) },
  ]);
}

function addFaultsAndLog(emulator: ControlTarget, on: AddRoute): void {
  const { faults, log } = emulator;
  on("GET", "/requests", (http) => {
    const { method, path } = http.req.query();
    return [
      200,
      log.entries.filter(
        (entry) =>
          (method === undefined || entry.method === method.toUpperCase()) &&
          (path === undefined || entry.path.includes(path)),
      ),
    ];
  });
  on("DELETE", "/requests", () => log.clear());
  on("GET", "/faults", () => [200, faults.list().map(renderFaultRule)]);
  on("POST", "/faults", (_http, body) => [201, renderFaultRule(faults.add(readFaultRule(body)))]);
  on("DELETE", "/faults", () => faults.clear());
  on("DELETE", "/faults/:id", (http) => {
    const found = faults.list().find(({ id }) => String(id) === http.req.param("id"));
    if (found === undefined) throw new Error(`There is no fault "${http.req.param("id")}".`);
    found.remove();
    return undefined;
  });
}

function respond(http: Context, body: Json | Error, run: Handler): Response {
  try {
    if (body instanceof Error) throw body;
    const result = run(http, body);
    return result === undefined ? http.body(null, 204) : Response.json(result[1], { status: result[0] });
  } catch (error) {
    return http.json({ error: error instanceof Error ? error.message : String(error) }, 400);
  }
}
