package internal

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/contract/contracttest"
)

// TestToolsAreDescribed checks that every file that lists the tools for people has each of them.
func TestToolsAreDescribed(t *testing.T) {
	names := check.Value(contract.Load())(t).ToolNames()
	for _, list := range []struct{ file, what, pattern string }{
		{"README.md", "a row in the table of tools", "(?m)^\\| \\[`NAME`\\]\\(docs/tools.md#NAME\\) \\|"},
		{"docs/tools.md", "a row in the table of tools", "(?m)^\\| \\[`NAME`\\]\\(#NAME\\) \\|"},
		{"docs/tools.md", "a section", `(?m)^## NAME$`},
	} {
		text := check.File(t, "../"+list.file)
		for _, name := range names {
			if !regexp.MustCompile(strings.ReplaceAll(list.pattern, "NAME", name)).MatchString(text) {
				t.Errorf("%s doesn't list %s: add %s", list.file, name, list.what)
			}
		}
	}
}

// TestToolsListTheirCodes checks that the 422 response of a tool in the OpenAPI document has an example of each problem
// code in the tool's cases.
func TestToolsListTheirCodes(t *testing.T) {
	code := regexp.MustCompile(`\bcode: ([a-z_]+)`)
	paths := contracttest.Document(t).Paths
	for _, name := range check.Value(contract.Load())(t).ToolNames() {
		response := paths.Value("/v1/tools/" + name).Post.Responses.Value("422")
		examples := response.Value.Content["application/problem+json"].Examples
		var missing []string
		for _, match := range code.FindAllStringSubmatch(check.File(t, "tools/"+strings.ReplaceAll(name, "_", "")+"/testdata/cases.yaml"), -1) {
			if examples[match[1]] == nil && !slices.Contains(missing, match[1]) {
				missing = append(missing, match[1])
			}
		}
		if missing != nil {
			t.Errorf("%s returns %q, which its 422 response (%s) doesn't list: add them to its examples in openapi/openapi.yaml, or give the tool a response of its own",
				name, missing, response.Ref)
		}
	}
}
