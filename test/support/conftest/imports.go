//go:build tools

// Package imports keeps conftest's command line in go.mod: nothing is compiled from here.
package imports

import (
	_ "github.com/open-policy-agent/conftest"
)
