// Pulumi's Node host requires this folder.
require("./pulumi-resource-driftline");
