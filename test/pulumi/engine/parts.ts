import { fileURLToPath } from "node:url";

/** The engine that the tests run against. */
export const VERSION = "3.259.0";
/** The oldest usable engine on PATH. Before it, `import --file` reads first, and fails. */
export const OLDEST = "3.254.0";

/** One program of the engine: an ordinary Go package, built in a module of our own that fixes every version. */
export interface Part {
  readonly name: string;
  readonly package: string;
  readonly folder: string;
  readonly flags: readonly string[];
  /** Whether the package has tests, which are to be built, and no program. */
  readonly isTest?: boolean;
}

/**
 * How all programs are built. Their modules have the same versions of what they share, so that Go compiles it once. It would compile
 * again what depends on a package that has other files without these tags.
 */
export const FLAGS = ["-tags", "osusergo,grpcnotrace", "-ldflags", "-s -w"];

const folder = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export const PARTS: readonly Part[] = [
  {
    name: "pulumi-language-nodejs",
    package: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
    folder: folder("nodejs"),
    flags: FLAGS,
  },
  {
    name: "pulumi-language-yaml",
    package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
    folder: folder("yaml"),
    flags: FLAGS,
  },
  {
    name: "pulumi",
    package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
    folder: folder("cli"),
    flags: [...FLAGS.slice(0, -1), `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${VERSION}`],
  },
];

/** Python's language host, and the generator of SDKs and programs. */
export const PYTHON_PARTS: readonly Part[] = [
  {
    name: "pulumi-language-python",
    package: "github.com/pulumi/pulumi/sdk/v3/python/cmd/pulumi-language-python",
    folder: folder("nodejs"),
    flags: FLAGS,
  },
  { name: "gen-code", package: "./gen-code", folder: folder("cli"), flags: FLAGS },
];

/** The generator of the SDK for .NET, in the newest module that still holds it. Its name has the version, by which it is cached. */
export const DOTNET_PART: Part = { name: "gen-dotnet-v3.225.1", package: ".", folder: folder("dotnet"), flags: FLAGS };

/** The generator of the SDK for Java, in a tagged module. Its name has the version, by which it is cached. */
export const JAVA_PART: Part = { name: "gen-java-v1.12.0", package: ".", folder: folder("java"), flags: FLAGS };
