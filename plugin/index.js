// Pulumi's Node host requires this folder, so the file is CommonJS. The provider prints its port and serves.
const path = require("node:path");
const { pathToFileURL } = require("node:url");

const root = path.dirname(require.resolve("driftline/package.json"));
void import(pathToFileURL(path.join(root, "dist/pulumi/plugin/main.js")).href);
