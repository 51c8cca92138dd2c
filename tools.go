//go:build tools

// Package tools pins the generators and checkers that the Makefile runs.
package tools

import (
	_ "github.com/evanw/esbuild/cmd/esbuild"
	_ "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen"
	_ "golang.org/x/vuln/cmd/govulncheck"
	_ "honnef.co/go/tools/cmd/staticcheck"
)
