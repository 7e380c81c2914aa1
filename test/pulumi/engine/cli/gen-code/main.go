// Gen-code writes the SDK of the schema on stdin in a language into a folder, as `pulumi package gen-sdk` does with a language
// host of its own version. Such a host has no tagged module. Under the name of a host it writes the programs of imports.
package main

import (
	"encoding/json"
	"log"
	"os"
	"path/filepath"
	"strings"

	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const HOST = "pulumi-language-"

func main() {
	if name := filepath.Base(os.Args[0]); strings.HasPrefix(name, HOST) {
		serve(strings.TrimPrefix(name, HOST))
		return
	}
	language, folder := os.Args[1], os.Args[2]
	var spec schema.PackageSpec
	check(json.NewDecoder(os.Stdin).Decode(&spec))
	pkg, diagnostics, err := schema.BindSpec(spec, schema.NewNullLoader(), schema.ValidationOptions{})
	check(err)
	if len(diagnostics) > 0 {
		log.Fatal(diagnostics)
	}
	// As the command sets it for every SDK: each has the version and the files of a package of its own.
	pkg.SupportPack = true
	files, err := generate(language, pkg)
	check(err)
	for name, content := range files {
		path := filepath.Join(folder, name)
		check(os.MkdirAll(filepath.Dir(path), 0o755))
		check(os.WriteFile(path, content, 0o644))
	}
}

func generate(language string, pkg *schema.Package) (map[string][]byte, error) {
	switch language {
	case "go":
		return gogen.GeneratePackage("driftline", pkg, nil)
	case "nodejs":
		return nodejs.GeneratePackage("driftline", pkg, nil, nil, false, nil)
	case "python":
		return python.GeneratePackage("driftline", pkg, nil, nil)
	}
	log.Fatalf("there is no generator for %s", language)
	return nil, nil
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
