//go:build tools

// Package imports keeps the engine's Node.js language host in go.mod: nothing is compiled from here.
package imports

import (
	_ "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs"
)
