package web

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert"
	"github.com/convertd/convertd/internal/tools/apiconvert/source"
	"github.com/convertd/convertd/internal/tools/jsonformat"
	"github.com/convertd/convertd/internal/tools/jsontoyaml"
	"github.com/convertd/convertd/internal/tools/jwtdecode"
	"github.com/convertd/convertd/internal/tools/timestamptoiso"
)

var update = flag.Bool("update", false, "write warnings.json, what the pages of warnings show, from the cases of the tools")

// shownLines is how many lines of an input or output a page shows.
const shownLines = 30

// large are the warnings of inputs that are too large for a page.
var large = []string{"more_warnings", "lost.complexity", "lost.copies"}

// TestRaised converts the inputs of the tools' cases and compares the conversions that raise each warning, and the
// example of each, with warnings.json.
func TestRaised(t *testing.T) {
	found := finder{raised: map[string]*raised{}, cost: map[string]int{}}
	for _, tool := range []convert.Tool{jwtdecode.Tool, timestamptoiso.Tool} {
		for _, c := range converttest.Load(t, filepath.Join("../tools", strings.ReplaceAll(tool.Name, "_", ""), "testdata/cases.yaml")) {
			if len(c.Repeat) == 0 {
				in := c.Call(nil)
				in.Limit = budget()
				found.add(tool, in, tool.Name, "")
			}
		}
	}
	c := check.Value(contract.Load())(t)
	options := c.Tool(apiconvert.Tool.Name).Options
	targets := options[slices.IndexFunc(options, func(o contract.Option) bool { return o.Name == "target" })].Enum
	inputs := apiInputs(t)
	for _, text := range slices.Sorted(maps.Keys(inputs)) {
		for _, target := range targets {
			if !strings.HasSuffix(target, "-json") { // its warnings are those of YAML
				found.convert(text, inputs[text], target)
			}
		}
	}
	for _, w := range c.Warnings() {
		if found.raised[w.Code] == nil && !slices.Contains(large, w.Code) {
			t.Errorf("no case raises %s", w.Code)
		}
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "")
	check.OK(t, e.Encode(found.raised))
	if *update {
		check.OK(t, os.WriteFile("warnings.json", text.Bytes(), 0o644))
	}
	if text.String() != check.File(t, "warnings.json") {
		t.Error("warnings.json is stale: run go test ./internal/web -run TestRaised -update")
	}
}

// apiInputs returns the inputs of the cases of api_convert with their media types.
func apiInputs(t *testing.T) map[string]string {
	t.Helper()
	inputs := map[string]string{}
	check.OK(t, filepath.WalkDir("../tools/apiconvert", func(path string, _ fs.DirEntry, err error) error {
		if filepath.Ext(path) != ".yaml" {
			return err
		}
		var list []map[string]any
		if yaml.Unmarshal([]byte(check.File(t, path)), &list) != nil {
			return nil // not a list of cases
		}
		for _, c := range list {
			for _, name := range []string{"text", "input"} {
				text, _ := c[name].(string)
				mediaType, _ := c["mediaType"].(string)
				switch {
				case c["repeat"] != nil:
				case mediaType != "":
					inputs[text] = mediaType
				case strings.HasPrefix(text, "{"):
					inputs[text] = "application/json"
				case strings.Contains(text, "curl"):
					inputs[text] = "text/plain"
				}
			}
		}
		return nil
	}))
	return inputs
}

// finder collects what warnings.json says of each code.
type finder struct {
	raised map[string]*raised
	cost   map[string]int // of the example; the cheapest one is shown
}

// convert converts an input of api_convert as the page shows it: JSON on several lines, an OpenAPI document as YAML.
func (f *finder) convert(text, mediaType, target string) {
	from, err := source.Detect(mediaType, text, nil)
	if err != nil {
		return
	}
	label := map[source.Format]string{source.Postman: "Postman", source.OpenAPI: "OpenAPI", source.Shell: "cURL", source.HAR: "HAR"}[from.Format]
	if label == "OpenAPI" {
		label = map[bool]string{true: "Swagger 2.0", false: "OpenAPI 3"}[from.Doc.Root.Get("swagger") != nil]
	}
	to := strings.TrimSuffix(strings.TrimSuffix(target, "-json"), "-yaml")
	f.add(apiconvert.Tool, apiCall(text, mediaType, target), label, to)
	if mediaType != "application/json" {
		return
	}
	pretty, mediaType := jsonformat.Tool, "application/json"
	if from.Format == source.OpenAPI {
		pretty, mediaType = jsontoyaml.Tool, "application/yaml"
	}
	if result, err := pretty.Convert(context.Background(), convert.Input{
		Artifact: convert.Artifact{MediaType: "application/json", Value: text}, Options: convert.Options{"indent": 2},
		Limit: budget(),
	}); err == nil {
		f.add(apiconvert.Tool, apiCall(result.Value, mediaType, target), label, to)
	}
}

func apiCall(text, mediaType, target string) convert.Input {
	return convert.Input{
		Artifact: convert.Artifact{MediaType: mediaType, Value: text}, Options: convert.Options{"target": target},
		Limit: budget(),
	}
}

func budget() *convert.OutputLimit {
	return convert.NewOutputLimit(convert.MaxOutputCharacters, 4*convert.MaxOutputCharacters)
}

// add records the warnings of a conversion. The best example is short and has few other warnings.
func (f *finder) add(tool convert.Tool, in convert.Input, from, to string) {
	result, err := tool.Convert(context.Background(), in)
	if err != nil {
		return
	}
	lines := strings.Count(in.Value, "\n") + strings.Count(result.Value, "\n")
	cost := 100*lines + len(in.Value) + len(result.Value) + 500*len(result.Warnings) + 50*longest(in.Value)
	if strings.HasPrefix(to, "openapi-3.1") {
		cost -= 150 // the target that most people choose
	}
	for _, line := range result.Warnings {
		code, _, _ := strings.Cut(line, ": ")
		r := f.raised[code]
		if r == nil {
			r = &raised{Conversions: map[string][]string{}}
			f.raised[code] = r
		}
		if !slices.Contains(r.Conversions[from], to) {
			r.Conversions[from] = append(r.Conversions[from], to)
			slices.Sort(r.Conversions[from])
		}
		if f.cost[code] == 0 || cost < f.cost[code] {
			f.cost[code] = cost
			r.Input, r.Output, r.Line, r.From, r.To = cut(in.Value), cut(result.Value), line, from, in.Options.Text("target")
		}
	}
}

// longest returns the length of the longest line, which a page has to wrap.
func longest(text string) (most int) {
	for line := range strings.Lines(text) {
		most = max(most, len(line))
	}
	return most
}

// cut returns the lines of a text that a page shows.
func cut(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(lines) > shownLines {
		lines = append(lines[:shownLines-1], "…")
	}
	return strings.Join(lines, "\n")
}
