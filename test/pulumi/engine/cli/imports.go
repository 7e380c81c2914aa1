//go:build tools

// Package imports keeps the engine's command line in go.mod: nothing is compiled from here.
package imports

import (
	_ "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"
)
