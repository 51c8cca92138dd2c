package apiconvert

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi2"
	"github.com/getkin/kin-openapi/openapi2conv"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/curl"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
)

// Every output is valid for its target: kin-openapi accepts OpenAPI documents, Postman's schema collections, sh
// scripts. A source that was invalid before may stay invalid within one format only.
func TestOutputsAreValid(t *testing.T) {
	t.Parallel()
	schema := collectionSchema(t)
	for _, kind := range []string{"openapi", "postman", "curl"} {
		for _, f := range corpusFiles(t, kind) {
			t.Run(f.name, func(t *testing.T) {
				for _, target := range everyTarget() {
					out := call(t, f.mediaType, f.text, target).Value
					switch {
					case target == "curl":
						shell := "sh"
						if kind == "curl" {
							shell = "bash" // some are bash scripts
						}
						checkShell(t, shell, out)
					case target == "postman-2.1":
						checkCollection(t, schema, out)
					default:
						err := checkDescription(out)
						if strings.HasPrefix(target, "swagger") {
							err = checkSwagger(out)
						}
						if err != nil && (kind != "openapi" || validBefore(f)) {
							t.Errorf("%s: %v", target, err)
						}
					}
				}
			})
		}
	}
}

func validBefore(f file) bool { return checkDescription(f.text) == nil }

func checkDescription(text string, options ...openapi3.ValidationOption) error {
	loader := openapi3.NewLoader()
	doc, err := loader.LoadFromData([]byte(text))
	if err != nil {
		return err
	}
	return validate(doc, options...)
}

// validate returns why kin-openapi rejects a document. It ignores one error that is too strict: a schema
// without a type accepts null (OpenAPI 3.0.3, section 4.7.24.1: nullable adds null to a type).
func validate(doc *openapi3.T, options ...openapi3.ValidationOption) error {
	err := doc.Validate(context.Background(), options...)
	if err != nil && strings.Contains(err.Error(), "Value is not nullable\nSchema:\n  {}\n") {
		return doc.Validate(context.Background(), openapi3.DisableExamplesValidation())
	}
	return err
}

// checkSwagger validates Swagger 2.0 as kin-openapi converts it.
func checkSwagger(text string, options ...openapi3.ValidationOption) error {
	var inYAML any
	if err := yaml.Unmarshal([]byte(text), &inYAML); err != nil {
		return err
	}
	inJSON, err := json.Marshal(inYAML)
	if err != nil {
		return err
	}
	var doc openapi2.T
	if err := json.Unmarshal(inJSON, &doc); err != nil {
		return err
	}
	v3, err := openapi2conv.ToV3(&doc)
	if err != nil {
		return err
	}
	if v3.Paths == nil && doc.Paths != nil { // ToV3 drops paths without entries, which are valid
		v3.Paths = openapi3.NewPaths()
	}
	return validate(v3, options...)
}

func collectionSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	files := converttest.Corpus(t, "apiconvert/schemas/*2.1*")
	text := check.Value(os.ReadFile(files[0]))(t)
	doc := check.Value(jsonschema.UnmarshalJSON(bytes.NewReader(text)))(t)
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft4)
	check.OK(t, c.AddResource("collection.json", doc))
	return c.MustCompile("collection.json")
}

func checkCollection(t *testing.T, schema *jsonschema.Schema, text string) {
	t.Helper()
	doc := check.Value(jsonschema.UnmarshalJSON(strings.NewReader(text)))(t)
	if err := schema.Validate(doc); err != nil {
		t.Errorf("postman-2.1: %v", err)
	}
}

func checkShell(t *testing.T, shell, text string) {
	t.Helper()
	cmd := exec.Command(converttest.Program(t, shell), "-n")
	cmd.Stdin = strings.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s -n: %v %s", shell, err, out)
	}
}

// The JSON and YAML targets have the same content.
func TestYAMLIsTheJSON(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"openapi", "postman"} {
		for i, f := range corpusFiles(t, kind) {
			all := []string{"swagger-2.0", "openapi-3.0", "openapi-3.1", "openapi-3.2"}
			if testing.Short() {
				all = all[i%len(all):][:1]
			}
			for _, version := range all {
				var fromYAML, fromJSON any
				inYAML := call(t, f.mediaType, f.text, version+"-yaml")
				inJSON := call(t, f.mediaType, f.text, version+"-json")
				if err := yaml.Unmarshal([]byte(inYAML.Value), &fromYAML); err != nil {
					t.Fatal(f.name, err)
				}
				// A float for every number on both sides.
				text, err := json.Marshal(fromYAML)
				if err != nil {
					t.Fatal(f.name, err)
				}
				fromYAML = nil
				if json.Unmarshal(text, &fromYAML) != nil || json.Unmarshal([]byte(inJSON.Value), &fromJSON) != nil {
					t.Fatal(f.name)
				}
				check.Equal(t, fromJSON, fromYAML, f.name, version)
				check.Equal(t, inJSON.Warnings, inYAML.Warnings, f.name, version)
			}
		}
	}
}

// Every request is an operation of the OpenAPI document, with at least the names, media type and authentication
// that it had, except for headers that the sender sets itself (TestBrowserHeaders).
func TestRequestsAreOperations(t *testing.T) {
	for _, kind := range []string{"openapi", "postman", "curl"} {
		for _, f := range corpusFiles(t, kind) {
			t.Run(f.name, func(t *testing.T) {
				for _, target := range []string{"openapi-3.2-json", "openapi-3.1-json", "openapi-3.0-json", "swagger-2.0-json"} {
					source := model(t, f.mediaType, f.text)
					if kind == "curl" {
						curl.Portable(source, nil)
					}
					output := model(t, "application/json", call(t, f.mediaType, f.text, target).Value)
					checkOperations(t, target, source, output)
				}
			})
		}
	}
}

func checkOperations(t *testing.T, target string, source, output *request.API) {
	v := view{disabled: true, template: true}
	operations := map[string]sent{}
	for _, r := range output.Requests {
		s := v.requestOf(output, r)
		for _, b := range r.Bodies[min(1, len(r.Bodies)):] {
			other := sent{}
			other.content(b, v.used)
			s.mediaType += "," + other.mediaType
			s.body += "," + other.body
		}
		if security := output.Effective(r); security != nil {
			for _, alternative := range security.Alternatives {
				s.auth = ""
				s.credentials(alternative, v)
			}
		}
		key := s.method + " " + pathTemplate(s.path)
		other := operations[key] // with another fragment
		s.query, s.headers = append(s.query, other.query...), append(s.headers, other.headers...)
		s.named = append(s.named, other.named...)
		operations[key] = s
	}
	for _, r := range source.Requests {
		want := v.requestOf(source, r)
		if strings.HasPrefix(target, "swagger") { // which supports no cookies, and one body
			want.named, want.mediaType = nil, ""
		}
		if !standardMethod[want.method] {
			continue
		}
		got, ok := operations[templateOf(want.method+" "+pathTemplate(want.path), maps.Keys(operations))]
		if !ok {
			t.Errorf("%s: lost %v", target, want)
			continue
		}
		for _, pair := range [][2][]string{{want.query, got.query}, {want.headers, got.headers}, {want.named, got.named}} {
			for _, name := range pair[0] {
				if request.SenderOf(name) != request.Author || request.IsMeasuring(name) {
					continue
				}
				if !slices.Contains(pair[1], name) && name != "authorization" && name != "access_token" && !strings.Contains(name, " ") {
					t.Errorf("%s: %s lost of\n - %v\n + %v", target, name, want, got)
				}
			}
		}
		if want.mediaType != "" && !strings.Contains(got.mediaType, want.mediaType) && want.method != "GET" && want.method != "HEAD" && want.method != "DELETE" {
			t.Errorf("%s: media type lost of\n - %v\n + %v", target, want, got)
		}
	}
}

var standardMethod = map[string]bool{
	"GET": true, "PUT": true, "POST": true, "DELETE": true, "OPTIONS": true, "HEAD": true, "PATCH": true, "TRACE": true,
}

// templateOf returns the template, with {} for its parameters, that a path matches: the path itself, or the
// most specific one, or "".
func templateOf(path string, templates iter.Seq[string]) string {
	fit := []string{}
	for template := range templates {
		if template == path {
			return path
		}
		if isOf(path, template) {
			fit = append(fit, template)
		}
	}
	if len(fit) == 0 {
		return ""
	}
	return slices.MinFunc(fit, func(a, b string) int { // the one with the fewest parameters
		return 4*(strings.Count(a, "{}")-strings.Count(b, "{}")) + strings.Compare(a, b)
	})
}

// isOf reports whether a path matches a template.
func isOf(path, template string) bool {
	a, b := strings.Split(path, "/"), strings.Split(template, "/")
	return slices.EqualFunc(a, b, func(segment, of string) bool {
		before, after, open := strings.Cut(of, "{}")
		return segment == of || open && segment != "" && strings.HasPrefix(segment, before) && strings.HasSuffix(segment, after)
	})
}

// pathTemplate normalizes a path for comparison.
func pathTemplate(path string) string { return strings.ToLower(strings.TrimSuffix(path, "/")) }
