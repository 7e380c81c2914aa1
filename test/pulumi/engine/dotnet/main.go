// Gen-dotnet writes the SDK for .NET of the schema on stdin into a folder. The generator left the engine's module for one that is
// not tagged, so this program has a module of its own, with the newest version that still holds it.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	"github.com/blang/semver"
	"github.com/pulumi/pulumi/pkg/v3/codegen/dotnet"
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

// The generator downloads the logo of the package. Here it gets an empty one, without a network.
type emptyLogo struct{}

func (emptyLogo) RoundTrip(*http.Request) (*http.Response, error) {
	return httptest.NewRecorder().Result(), nil
}

func main() {
	http.DefaultTransport = emptyLogo{}
	folder := os.Args[1]
	var spec schema.PackageSpec
	check(json.NewDecoder(os.Stdin).Decode(&spec))
	pkg, diagnostics, err := schema.BindSpec(spec, noPackages{}, schema.ValidationOptions{})
	check(err)
	if len(diagnostics) > 0 {
		log.Fatal(diagnostics)
	}
	files, err := dotnet.GeneratePackage("driftline", pkg, nil, nil)
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
