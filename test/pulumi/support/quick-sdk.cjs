/**
 * Is loaded before Pulumi's SDK, which starts twice as fast then: what only serializes functions or traces is loaded when it is first used, which is
 * never. The language host of the tests asks for TypeScript in each program, as it does not know the options of a project. The tests of
 * the other SDKs, and of the example, start without this file.
 */
const Module = require("node:module");

delete process.env["PULUMI_NODEJS_TYPESCRIPT"];

const RARE =
  /typescript-shim$|^source-map-support\/register$|\/v8Hooks$|^(@npmcli\/arborist|execa|js-yaml|normalize-package-data)$|^@opentelemetry\/(exporter|instrumentation|resources|sdk)/;

/** A module that is loaded with its first property. */
function lazily(load) {
  const known = {
    __esModule: true,
    // The program waits for it. It watches which scripts V8 compiles, to find the code of functions.
    isInitializedAsync: async () => undefined,
  };
  let module;
  const property = (name) => {
    module ??= load();
    // A package that is no ES module is its own default.
    return name === "default" && !("__esModule" in module) ? module : module[name];
  };
  return new Proxy(known, { get: (_known, name) => known[name] ?? property(name) });
}

// oxlint-disable no-underscore-dangle -- Node has no other place for it in CommonJS
const load = Module._load;
Module._load = function (request, ...rest) {
  const loaded = () => load.call(this, request, ...rest);
  return RARE.test(request) ? lazily(loaded) : loaded();
};
