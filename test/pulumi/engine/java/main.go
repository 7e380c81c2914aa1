// Gen-java writes the SDK for Java of the schema on stdin into a folder, as Pulumi's language host for Java does. The generator was
// never in the engine's module, so this program has a module of its own, which fixes every version.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"os"
	"path/filepath"

	"github.com/blang/semver"
	"github.com/pulumi/pulumi-java/pkg/codegen/java"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// The schema refers to no other package.
type noPackages struct{}

func (noPackages) LoadPackage(name string, _ *semver.Version) (*schema.Package, error) {
	return nil, errors.New("no schema of " + name)
}

func (noPackages) LoadPackageV2(_ context.Context, descriptor *schema.PackageDescriptor) (*schema.Package, error) {
	return nil, errors.New("no schema of " + descriptor.Name)
}

func main() {
	folder := os.Args[1]
	var spec schema.PackageSpec
	check(json.NewDecoder(os.Stdin).Decode(&spec))
	// Two types whose names differ only in case become one, as in the host.
	distinct, diagnostics, err := java.DeduplicateTypes(&spec)
	check(err)
	if len(diagnostics) > 0 {
		log.Fatal(diagnostics)
	}
	pkg, diagnostics, err := schema.BindSpec(*distinct, noPackages{}, schema.ValidationOptions{})
	check(err)
	if len(diagnostics) > 0 {
		log.Fatal(diagnostics)
	}
	// No more files, no local dependencies, and the files of the build that users get.
	files, err := java.GeneratePackage("driftline", pkg, nil, nil, false, false)
	check(err)
	for name, content := range files {
		path := filepath.Join(folder, name)
		check(os.MkdirAll(filepath.Dir(path), 0o755))
		check(os.WriteFile(path, content, 0o644))
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
