// Package places checks that all front doors of the tools return the same results: the Go package, REST, MCP, the
// command line and, through test/browser, the engine in a page.
package places

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/contract/contracttest"
	"github.com/convertd/convertd/internal/convert/converttest"
)

// Call is a request that is sent to each front door.
type Call struct {
	Name      string `json:"name"`
	Operation string `json:"operation"`
	Path      string `json:"path"`
	Body      any    `json:"body"`
}

// Calls returns the examples of the OpenAPI document, all cases of all tools, some pipelines of them, and the texts of
// the corpus, if available. root is the repository's.
func Calls(t testing.TB, root string) (calls []Call) {
	t.Helper()
	c := check.Value(contract.Load())(t)
	for _, example := range contracttest.Examples(t) {
		calls = append(calls, Call{"example " + example.Operation + " " + example.Name, example.Operation, example.Path, example.Request})
	}
	for _, described := range c.Tools() {
		tool, path := described.Name, described.Path
		folder := strings.ReplaceAll(tool, "_", "")
		for i, one := range converttest.Load(t, filepath.Join(root, "internal/tools", folder, "testdata/cases.yaml")) {
			if one.MediaType == "" {
				one.MediaType = described.Accepts[0]
			}
			input := map[string]any{"mediaType": one.MediaType, "value": one.Input}
			options := one.Options
			if options == nil {
				options = map[string]any{}
			}
			calls = append(calls, Call{folder + " " + one.Name, tool, path, map[string]any{"input": input, "options": options}})
			if i%5 == 0 {
				calls = append(calls, Call{folder + " in a pipeline: " + one.Name, contract.Pipeline, c.PathOf(contract.Pipeline), map[string]any{
					"version": 1, "input": input, "returnStepIds": []string{"a"},
					"steps": []any{
						map[string]any{"id": "a", "tool": tool, "options": options},
						map[string]any{"id": "b", "tool": "json_format", "options": map[string]any{"indent": i % 10}},
					},
				}})
			}
		}
	}
	calls = append(calls, corpus(t, c, root)...)
	// Over HTTP a request has a separate limit.
	return slices.DeleteFunc(calls, func(call Call) bool {
		text, err := json.Marshal(call.Body)
		return err != nil || len(text) > c.Limits().RequestBytes-256
	})
}

// corpus returns the calls for the texts of the corpus. The folder and extension of each text determine its type.
func corpus(t testing.TB, c *contract.Contract, root string) (calls []Call) {
	t.Helper()
	shared := filepath.Join(root, "../shared/corpus")
	add := func(file, tool, mediaType string, options map[string]any) {
		text := check.Value(os.ReadFile(file))(t)
		if utf8.Valid(text) {
			calls = append(calls, Call{filepath.ToSlash(file[len(shared):]) + " " + tool, tool, c.PathOf(tool), map[string]any{
				"input": map[string]any{"mediaType": mediaType, "value": string(text)}, "options": options,
			}})
		}
	}
	_ = filepath.WalkDir(shared, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return nil // without the corpus, the cases have to do
		}
		switch folder := filepath.Base(filepath.Dir(path)); folder {
		case "jwt":
			add(path, "jwt_decode", "application/jwt", map[string]any{})
		case "timestamp":
			add(path, "timestamp_to_iso", "text/plain", map[string]any{})
		case "openapi", "postman", "curl", "schemas", "suite-text":
			mediaType := map[string]string{".json": "application/json", ".txt": "text/plain", ".sh": "text/plain"}[filepath.Ext(path)]
			if mediaType == "" {
				mediaType = "application/yaml"
			}
			for _, target := range []string{"openapi-3.1-yaml", "postman-2.1", "curl"} {
				add(path, "api_convert", mediaType, map[string]any{"target": target})
			}
		default:
			add(path, "json_format", "application/json", map[string]any{"indent": 1})
			add(path, "json_to_yaml", "application/json", map[string]any{})
		}
		return nil
	})
	return calls
}

// Write writes the calls as JSON into a file.
func Write(t testing.TB, calls []Call, file string) {
	t.Helper()
	text, err := json.Marshal(calls)
	if err == nil {
		err = os.WriteFile(file, text, 0o644)
	}
	check.OK(t, err)
}
