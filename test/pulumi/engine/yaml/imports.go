//go:build tools

// Package imports keeps the engine's YAML language host in go.mod: nothing is compiled from here.
package imports

import (
	_ "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"
)
