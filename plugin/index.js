// Pulumi's Node host requires this folder, so the file is CommonJS. The provider prints its port and serves.
const { dirname, join } = require("node:path");
const { pathToFileURL } = require("node:url");

import(pathToFileURL(join(dirname(require.resolve("driftline/package.json")), "dist/pulumi/plugin/main.js")).href);
