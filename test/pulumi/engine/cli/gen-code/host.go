package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
)

// As much of a language host as `pulumi import --out` asks for.
type host struct {
	pulumirpc.UnimplementedLanguageRuntimeServer
	generate func(*pcl.Program) (map[string][]byte, hcl.Diagnostics, error)
}

func (host) GetPluginInfo(context.Context, *emptypb.Empty) (*pulumirpc.PluginInfo, error) {
	return &pulumirpc.PluginInfo{}, nil
}

func (host) GetRequiredPackages(
	context.Context, *pulumirpc.GetRequiredPackagesRequest,
) (*pulumirpc.GetRequiredPackagesResponse, error) {
	return &pulumirpc.GetRequiredPackagesResponse{}, nil
}

func (h host) GenerateProgram(
	_ context.Context, req *pulumirpc.GenerateProgramRequest,
) (*pulumirpc.GenerateProgramResponse, error) {
	loader, err := schema.NewLoaderClient(req.LoaderTarget)
	if err != nil {
		return nil, err
	}
	parser := syntax.NewParser()
	for path, text := range req.Source {
		if err := parser.ParseFile(strings.NewReader(text), path); err != nil {
			return nil, err
		}
	}
	bindings := pcl.NonStrictBindOptions()
	program, diagnostics, err := pcl.BindProgram(parser.Files, schema.NewCachedLoader(loader), bindings...)
	if err != nil || diagnostics.HasErrors() {
		return nil, fmt.Errorf("%w %v", err, diagnostics)
	}
	files, _, err := h.generate(program)
	return &pulumirpc.GenerateProgramResponse{Source: files}, err
}

// Serves the language that the name of the program ends with.
func serve(language string) {
	generate := nodejs.GenerateProgram
	if language == "python" {
		generate = python.GenerateProgram
	}
	server, err := rpcutil.ServeWithOptions(rpcutil.ServeOptions{Init: func(server *grpc.Server) error {
		pulumirpc.RegisterLanguageRuntimeServer(server, host{generate: generate})
		return nil
	}})
	check(err)
	fmt.Println(server.Port)
	check(<-server.Done)
}
