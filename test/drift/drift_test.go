// Package drift checks that the OpenAPI document and the Go package stay compatible with their committed baselines of
// version 1.0.0: oasdiff compares the schemas, apidiff the exported declarations. It breaks the document on purpose, to
// check that oasdiff, spectral or verify.Compatible reports it.
package drift

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/verify"
	"github.com/convertd/convertd/openapi"
)

// tool runs a command that make setup-all installs, and returns its output and whether it succeeded.
func tool(t testing.TB, path string, args ...string) (string, bool) {
	t.Helper()
	path = check.Value(filepath.Abs(path))(t)
	check.Installed(t, path, "test/drift/setup.sh and test/lint/setup.sh")
	command := exec.Command(path, args...)
	command.Dir = "../.."
	out, err := command.CombinedOutput()
	return string(out), err == nil
}

func oasdiff(t testing.TB, baseline, current string) (string, bool) {
	return tool(t, "bin/oasdiff", "breaking", baseline, current, "--fail-on", "WARN", "--allow-external-refs=false")
}

func spectral(t testing.TB, file string) (string, bool) {
	return tool(t, "../lint/node_modules/.bin/spectral", "lint", "--quiet", "--fail-severity", "hint", "--ruleset", ".spectral.yaml", file)
}

// TestNoBreakingChange compares the schemas of the OpenAPI document with the baseline. The tests of internal/contract
// compare the rest.
// Rules: VER-1, VER-4.
func TestNoBreakingChange(t *testing.T) {
	if output, content := oasdiff(t, "openapi/baseline-1.0.0.yaml", "openapi/openapi.yaml"); !content {
		t.Error(output)
	}
}

// The gates.
const (
	byOasdiff  = "oasdiff"
	byOurs     = "Compatible"
	bySpectral = "spectral"
	byOwasp    = "spectral with OWASP's rules"
)

// changes are changes of the document, each with the gate that must reject it.
var changes = []struct {
	name, from, to string
	gate           string // "" if the change is allowed
}{
	{"a removed path", "  /v1/tools/json_format:", "  /v1/tools/json_layout:", byOasdiff},
	{"a required member added", "required: [version, input, steps]", "required: [version, input, steps, returnStepIds]", byOasdiff},
	{"a narrower range", "minimum: 0\n          maximum: 8", "minimum: 0\n          maximum: 4", byOasdiff},
	{"a value taken away", "enum: [seconds, milliseconds, microseconds, nanoseconds]", "enum: [seconds, milliseconds]", byOasdiff},
	{"an answer's member no longer promised", "required: [output, warnings, provenance]", "required: [output, provenance]", byOasdiff},
	{"fewer steps", "maxItems: 20\n          items: {$ref: '#/components/schemas/PipelineStep'}", "maxItems: 10\n          items: {$ref: '#/components/schemas/PipelineStep'}", byOasdiff},
	{"a header that is no longer sent", "        Retry-After: {$ref: '#/components/headers/Retry-After'}\n", "", byOasdiff},
	{"an operation renamed", "operationId: json_format", "operationId: format_json", byOurs},
	{"a status dropped", "        '408': {$ref: '#/components/responses/BodyTimeout'}\n", "", byOurs},
	{"a media type no longer accepted", "accepts: [application/jwt]", "accepts: [text/plain]", byOurs},
	{"another media type produced", "produces: [application/yaml]", "produces: [text/yaml]", byOurs},
	{"a problem code's status", "{code: duplicate_key, status: 422", "{code: duplicate_key, status: 400", byOurs},
	{"a problem code's title", "title: Duplicate key,", "title: Double key,", byOurs},
	{"a problem code renamed", "{code: too_deep,", "{code: very_deep,", byOurs},
	{"another default", "default: 2", "default: 4", byOurs},
	{"a lower limit", "requestsPerMinute: 60", "requestsPerMinute: 30", byOurs},
	{"an operation without a name", "      operationId: json_format\n", "", bySpectral},
	{"an operation named otherwise", "operationId: json_format", "operationId: jsonFormat", bySpectral},
	{"an open object", "      description: A JWT.\n      additionalProperties: false\n", "      description: A JWT.\n", bySpectral},
	{"an object without properties", "      allOf: # without it, generators read an object without properties as an object with any\n        - type: object\n          additionalProperties: false\n", "", bySpectral},
	{"a tool without media types", "      x-service-media-types:\n        accepts: [application/jwt]\n        produces: [application/json]\n", "", bySpectral},
	{"a status not described", "        '503': {$ref: '#/components/responses/TemporaryLimit'}\n", "", bySpectral},
	{"a body without an example", "            example:\n              input: {mediaType: text/plain, value: '1700000000.5'}\n              options: {unit: seconds}\n", "", bySpectral},
	{"a wait without a time", "      headers:\n        Retry-After: {$ref: '#/components/headers/Retry-After'}\n", "      headers:\n", bySpectral},
	{"a schema without a name", "schema: {$ref: '#/components/schemas/JsonFormatRequest'}", "schema: {type: object, additionalProperties: false}", bySpectral},
	{"a list of values without a name", "        unit: {$ref: '#/components/schemas/TimestampUnit'}\n", "        unit: {type: string, description: A unit., enum: [seconds, hours]}\n", bySpectral},
	{"a number without a range", "minimum: 0\n          maximum: 8", "minimum: 0", bySpectral},
	{"an answer without its id", "            X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}\n", "", bySpectral},
	{"a text without a length", "          description: The value, as a string.\n          maxLength: 2097152\n", "          description: The value, as a string.\n", byOwasp},
	{"a wider range", "minimum: 0\n          maximum: 8", "minimum: 0\n          maximum: 10", ""},
	{"a new optional member", "        unit: {$ref: '#/components/schemas/TimestampUnit'}\n", "        unit: {$ref: '#/components/schemas/TimestampUnit'}\n        precise:\n          type: integer\n          format: int32\n          description: A new option.\n          minimum: 0\n          maximum: 1\n", ""},
	{"a new warning", "        - {code: alg_none,", "        - {code: alg_new, meaning: 'A new warning.'}\n        - {code: alg_none,", ""},
	{"other words", "Formats one JSON value", "Lays out one JSON value", ""},
	{"a higher limit", "pipelineSeconds: 5", "pipelineSeconds: 9", ""},
}

// TestGatesRejectBreakingChanges makes incompatible changes to the document. The named gate
// must reject each of them, and no gate may reject an allowed one.
func TestGatesRejectBreakingChanges(t *testing.T) {
	folder := t.TempDir()
	before := filepath.Join(folder, "before.yaml")
	write(t, before, string(openapi.YAML))
	for _, change := range changes {
		t.Run(change.name, func(t *testing.T) {
			t.Parallel()
			source := string(openapi.YAML)
			changed := strings.Replace(source, change.from, change.to, 1)
			if changed == source {
				t.Fatalf("the OpenAPI document does not contain %q", change.from)
			}
			after := filepath.Join(folder, strings.ReplaceAll(change.name, " ", "-")+".yaml")
			write(t, after, changed)
			ours := check.Value(verify.Compatible([]byte(source), []byte(changed)))(t)
			if (change.gate == byOurs || change.gate == "") && (len(ours) > 0) != (change.gate == byOurs) {
				t.Errorf("Compatible: %q", ours)
			}
			if change.gate == byOasdiff || change.gate == "" {
				if output, content := oasdiff(t, before, after); content != (change.gate == "") {
					t.Errorf("oasdiff: content %v\n%s", content, output)
				}
			}
			if rules := map[string]string{bySpectral: "convertd-", byOwasp: "owasp:"}[change.gate]; rules != "" || change.gate == "" {
				if output, content := spectral(t, after); content != (change.gate == "") || !content && !strings.Contains(output, rules) {
					t.Errorf("spectral: content %v\n%s", content, output)
				}
			}
		})
	}
}

func write(t testing.TB, path, text string) {
	t.Helper()
	check.OK(t, os.WriteFile(path, []byte(text), 0o600))
}
