// Gen-python writes the Python SDK of the schema on stdin into a folder, as `pulumi package add` does with a language host of
// its own version. Such a host has no tagged module.
package main

import (
	"encoding/json"
	"log"
	"os"
	"path/filepath"

	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

func main() {
	var spec schema.PackageSpec
	check(json.NewDecoder(os.Stdin).Decode(&spec))
	pkg, diagnostics, err := schema.BindSpec(spec, schema.NewNullLoader(), schema.ValidationOptions{})
	check(err)
	if len(diagnostics) > 0 {
		log.Fatal(diagnostics)
	}
	files, err := python.GeneratePackage("driftline", pkg, nil, nil)
	check(err)
	for name, content := range files {
		path := filepath.Join(os.Args[1], name)
		check(os.MkdirAll(filepath.Dir(path), 0o755))
		check(os.WriteFile(path, content, 0o644))
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
