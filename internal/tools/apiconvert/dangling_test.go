package apiconvert

import (
	"fmt"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/tools/apiconvert/percent"
	"github.com/convertd/convertd/internal/tools/apiconvert/source"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// TestReferencesMove converts documents between versions: no reference to a part of the document, in an extension or
// elsewhere, loses what it referred to.
func TestReferencesMove(t *testing.T) {
	sources := corpusFiles(t, "openapi")
	for _, section := range []string{"schemas", "responses", "parameters", "requestBodies", "securitySchemes"} {
		sources = append(sources, file{"generated " + section, "application/yaml", fmt.Sprintf(`
openapi: 3.0.3
info: {title: t, version: "1", x-it: {$ref: '#/components/%[1]s/it'}}
paths:
  /a:
    get:
      x-them: [{deep: {$ref: '#/components/%[1]s/it'}}]
      security: [{it: []}]
      parameters: [{$ref: '#/components/parameters/it'}]
      requestBody: {$ref: '#/components/requestBodies/it'}
      responses: {"200": {$ref: '#/components/responses/it'}}
components:
  schemas: {it: {type: object, x-expansion: {oneOf: [{$ref: '#/components/%[1]s/it'}]}}}
  responses: {it: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/it'}}}}}
  parameters: {it: {name: q, in: query, schema: {type: string}}}
  requestBodies: {it: {content: {application/json: {schema: {$ref: '#/components/schemas/it'}}}}}
  securitySchemes: {it: {type: http, scheme: basic}}`, section)})
	}
	for _, f := range sources {
		before := dangling(t, f.mediaType, f.text)
		for _, target := range everyTarget() {
			if target == "curl" || target == "postman-2.1" {
				continue
			}
			for ref := range dangling(t, mediaTypeOf(target), call(t, f.mediaType, f.text, target).Value) {
				if !before[ref] {
					t.Errorf("%s → %s: nothing is at %s", f.name, target, ref)
				}
			}
		}
	}
}

// dangling returns the references to a part of the document that the document doesn't have.
func dangling(t *testing.T, mediaType, text string) map[string]bool {
	src := check.Value(source.Detect(mediaType, text, nil))(t)
	found := map[string]bool{}
	var visit func(v *tree.Value)
	visit = func(v *tree.Value) {
		if ref, ok := tree.Ref(v); ok && strings.HasPrefix(ref, "#/") && src.Doc.Root.Pointer(percent.Decode(ref[1:])) == nil {
			found[ref] = true
		}
		for _, inner := range v.Values() {
			visit(inner)
		}
	}
	visit(src.Doc.Root)
	return found
}
