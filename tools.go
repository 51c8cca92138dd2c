//go:build tools

package convertd

// The build tools that the Makefile runs with go run, so that go.mod pins their
// versions.
import (
	_ "github.com/evanw/esbuild/cmd/esbuild"                     // bundles the editor page
	_ "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen" // generates gen/ from openapi/openapi.yaml
	_ "golang.org/x/vuln/cmd/govulncheck"                        // make vulncheck
	_ "honnef.co/go/tools/cmd/staticcheck"                       // make staticcheck
)
