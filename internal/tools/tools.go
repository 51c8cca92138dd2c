// Package tools lists the service's tools. docs/adding-a-tool.md says how to add one.
package tools

import (
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert"
	"github.com/convertd/convertd/internal/tools/jsonformat"
	"github.com/convertd/convertd/internal/tools/jsontoyaml"
	"github.com/convertd/convertd/internal/tools/jwtdecode"
	"github.com/convertd/convertd/internal/tools/timestamptoiso"
)

// All returns every tool.
func All() []convert.Tool {
	return []convert.Tool{
		apiconvert.Tool,
		jwtdecode.Tool,
		jsonformat.Tool,
		jsontoyaml.Tool,
		timestamptoiso.Tool,
	}
}
