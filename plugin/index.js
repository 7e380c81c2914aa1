// Pulumi's Node host requires this folder.
module.exports = require("./pulumi-resource-driftline");
