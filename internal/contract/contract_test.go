package contract

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/gen/document"
	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract/contracttest"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/openapi"
)

func loaded(t testing.TB) *Contract {
	t.Helper()
	return check.Value(Load())(t)
}

func TestDocumentFormsAgree(t *testing.T) {
	var source, served any
	check.OK(t, yaml.Unmarshal(openapi.YAML, &source))
	check.JSON(t, document.JSON, &served)
	// Convert both through JSON, so that numbers have the same type.
	text := check.Value(json.Marshal(source))(t)
	check.JSON(t, text, &source)
	check.Equal(t, source, served, "run make generate")
}

// TestCodesMatchDocument compares the constants in convert with the closed list of the document.
// Rule: ERR-2.
func TestCodesMatchDocument(t *testing.T) {
	source := check.File(t, "../convert/failure.go")
	var constants []string
	for _, match := range regexp.MustCompile(`Code\s+= "([a-z0-9_]+)"`).FindAllStringSubmatch(source, -1) {
		constants = append(constants, match[1])
	}
	c := loaded(t)
	var listed, enum []string
	for _, p := range c.Problems() {
		listed = append(listed, p.Code)
		if p.Status < 400 || p.Status > 599 || p.Title == "" || p.Meaning == "" || p.Remedy == "" || !slices.Contains([]string{"never", "after-delay", "once"}, p.Retry) || (p.Retry == "after-delay") != (p.Code == string(convert.RateLimited) || p.Code == string(convert.Overloaded)) {
			t.Errorf("%s: incomplete: %+v", p.Code, p)
		}
	}
	for _, value := range contracttest.Document(t).Components.Schemas["ProblemCode"].Value.Enum {
		enum = append(enum, value.(string))
	}
	check.Equal(t, listed, constants, "x-problems and internal/convert differ")
	check.Equal(t, listed, enum, "x-problems and the enum differ")
}

// TestUnknownRoute checks rule REQ-9.
func TestUnknownRoute(t *testing.T) {
	c := loaded(t)
	for path, want := range map[string]string{
		"/v1/tools/json-format":  "Use the route /v1/tools/json_format exactly.",
		"/v1/tools/json_format/": "Use the route /v1/tools/json_format exactly.",
		"/v1/tools/jsonToYaml":   "Use the route /v1/tools/json_to_yaml exactly.",
		"/v1/Pipeline":           "Use the route /v1/pipeline exactly.",
		"/v1/tools":              "NAME is one of api_convert, jwt_decode, ",
		"/v1/tools/yaml":         "NAME is one of api_convert, jwt_decode, ",
		"":                       "NAME is one of api_convert, jwt_decode, ",
	} {
		if got := c.UnknownRoute(path); !strings.Contains(got.Hint, want) {
			t.Errorf("%s: %s", path, got.Hint)
		}
	}
}

// TestHintsSayWhetherToRetry checks that a hint ends with DoNotRetry exactly if the status says that the request itself
// is at fault (RFC 9110, section 15.5), and that /problems agrees.
// Rule: ERR-5.
func TestHintsSayWhetherToRetry(t *testing.T) {
	c := loaded(t)
	for _, p := range c.Problems() {
		document := string(c.AppendProblem(nil, "", convert.Reject(convert.Code(p.Code), "Wrong.", "Fix it.")))
		final := p.Status < 500 && p.Status != 408 && p.Status != 429
		if says := strings.Contains(document, `"hint":"Fix it.`+DoNotRetry+`"`); says != final || final != (p.Retry == "never") {
			t.Errorf("%s: retry is %s, but the problem is %s", p.Code, p.Retry, document)
		}
	}
}

// TestWarningCodes checks that the document describes each warning in a sentence of its own.
// Rule: ANS-3.
func TestWarningCodes(t *testing.T) {
	code := regexp.MustCompile(`^((lost|changed|added)\.)?[a-z0-9_]+$`)
	seen := map[string]bool{}
	for _, w := range loaded(t).Warnings() {
		if !code.MatchString(w.Code) || !strings.HasSuffix(w.Meaning, ".") || seen[w.Meaning] {
			t.Errorf("%s: %q", w.Code, w.Meaning)
		}
		seen[w.Meaning] = true
	}
}

// TestWarningsAreRaised checks that api_convert uses each warning that is generated from the document.
func TestWarningsAreRaised(t *testing.T) {
	var source strings.Builder
	check.OK(t, filepath.WalkDir("../tools/apiconvert", func(path string, _ os.DirEntry, err error) error {
		if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(path, ".gen.go") {
			source.WriteString(check.File(t, path))
		}
		return err
	}))
	names := regexp.MustCompile(`(?m)^\t(\w+) += Feature`).FindAllStringSubmatch(check.File(t, "../tools/apiconvert/warning/warning.gen.go"), -1)
	if len(names) < 100 {
		t.Errorf("only %d features", len(names))
	}
	for _, name := range names {
		if !regexp.MustCompile(`\b` + name[1] + `\b`).MatchString(source.String()) {
			t.Errorf("nothing raises %s", name[1])
		}
	}
}

// TestEveryFailureInTheSourceIsConstant keeps details and hints free of input: outside of convert, only this
// package, which uses names from the document, builds a failure's text from variables.
// Rule: ERR-5.
func TestEveryFailureInTheSourceIsConstant(t *testing.T) {
	free := regexp.MustCompile(`convert\.Failure\{[A-Za-z]|\.(Detail|Hint) \+?= `)
	err := filepath.WalkDir("..", func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		path = filepath.ToSlash(path)
		if strings.HasPrefix(path, "../contract/") || strings.HasPrefix(path, "../convert/") {
			return nil
		}
		text, err := os.ReadFile(path)
		if at := free.FindIndex(text); at != nil {
			t.Errorf("%s builds a failure's text itself: %s", path, text[at[0]:at[1]])
		}
		return err
	})
	check.OK(t, err)
}

// TestTools: rule VER-3.
func TestTools(t *testing.T) {
	c := loaded(t)
	var names []string
	for _, tool := range c.Tools() {
		names = append(names, tool.Name)
		if tool.Path != "/v1/tools/"+tool.Name || tool.Title == "" || tool.Description == "" {
			t.Errorf("%+v", tool)
		}
	}
	// The tools of 1.0.0 remain, in this order; others may be added anywhere.
	first := []string{"api_convert", "jwt_decode", "json_format", "json_to_yaml", "timestamp_to_iso"}
	if known := slices.DeleteFunc(names, func(name string) bool { return !slices.Contains(first, name) }); !cmp.Equal(first, known) {
		t.Errorf("tools: %v", known)
	}
	format := c.Tool("json_format")
	for name, test := range map[string]struct{ given, want convert.Options }{
		"defaults are filled in": {nil, convert.Options{"indent": 2}},
		"given values stay":      {convert.Options{"indent": 0}, convert.Options{"indent": 0}},
	} {
		check.Equal(t, test.want, format.Complete(test.given), name)
	}
	for target, want := range map[string]string{"openapi-3.0-yaml": "application/yaml", "postman-2.1": "application/json", "curl": "text/plain"} {
		if got := c.Tool("api_convert").Output(convert.Options{"target": target}); got != want {
			t.Errorf("output of api_convert to %s: %s", target, got)
		}
	}
	if got := c.Tool("json_to_yaml").Output(nil); got != "application/yaml" {
		t.Errorf("output of json_to_yaml: %s", got)
	}
}

func TestIntegersInAnySpelling(t *testing.T) {
	c := loaded(t)
	for _, spelling := range []string{"3", "3.0", "3e0", "30e-1", "0.3e1", "0.0030e+3", "3000000E-6"} {
		call, failure := c.Decode("json_format", `{"input":{"mediaType":"application/json","value":"1"},"options":{"indent":`+spelling+`}}`)
		if failure != nil || call.Steps[0].Options["indent"] != 3 {
			t.Errorf("%s: %v %v", spelling, call, failure)
		}
	}
	// A number whose double is an integer may not be one.
	for _, spelling := range []string{"3.5", "1e-400", "3.00000000000000000001", "30e-2", "1e400", "1e-99999999999999999999"} {
		_, failure := c.Decode("json_format", `{"input":{"mediaType":"application/json","value":"1"},"options":{"indent":`+spelling+`}}`)
		if failure == nil || failure.Code != convert.SchemaViolation || failure.Path == nil || *failure.Path != "/options/indent" {
			t.Errorf("%s: %v", spelling, failure)
		}
	}
	if _, failure := c.Decode("json_format", `{"input":{"mediaType":"application/json","value":"1"},"options":{"indent":0e-99999999999999999999}}`); failure != nil {
		t.Errorf("zero: %v", failure)
	}
}

// TestLengthOfTheMediaType: a media type that no tool accepts fails for that reason, one that is too long for
// an artifact for its length.
// Rules: REQ-5, REQ-8, REQ-11.
func TestLengthOfTheMediaType(t *testing.T) {
	c := loaded(t)
	for length, want := range map[int]convert.Code{100: convert.UnsupportedMediaType, 101: convert.SchemaViolation} {
		_, failure := c.Decode("json_format", `{"input":{"mediaType":"`+strings.Repeat("é", length)+`","value":"1"}}`)
		if failure == nil || failure.Code != want || failure.Path == nil || *failure.Path != "/input/mediaType" {
			t.Errorf("%d characters: %v", length, failure)
		}
	}
}

// TestUnknownPropertiesAreCounted removes the properties at the positions that a failure names, and nothing else: the
// request is valid then, whatever the unknown properties are and wherever they stand.
func TestUnknownPropertiesAreCounted(t *testing.T) {
	c := loaded(t)
	random := rand.New(rand.NewPCG(1, 2))
	position := regexp.MustCompile(`at positions? ([\d, ]+) (?:is|are) unknown`)
	unknown := []string{`"Target":"curl"`, `"title":{"target":[1,{"ids":2}]}`, `"\u0074itle\"":"\\"`, `"options":{}`, `"x":[]`, `"0":"a,b"`, `"indent":4`}
	for range 500 {
		known := []string{`"target":"curl"`, `"ids":"none"`}
		all := slices.Concat(known, unknown[:1+random.IntN(len(unknown))])
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		body := func(options []string) string {
			return `{"version":1,"steps":[{"id":"a","tool":"api_convert","options":{` + strings.Join(known, ",") + `}},{"id":"b", "tool":"api_convert","options": {` +
				strings.Join(options, " ,\n") + `}}],"input":{"mediaType":"text/plain","value":"curl http://h"}}`
		}
		_, failure := c.Decode(Pipeline, body(all))
		if failure == nil || !position.MatchString(failure.Detail) {
			t.Fatalf("%s: %v", body(all), failure)
		}
		for i, at := range strings.Split(position.FindStringSubmatch(failure.Detail)[1], ", ") {
			n := check.Value(strconv.Atoi(at))(t)
			all = slices.Delete(all, n-1-i, n-i)
		}
		if _, failure := c.Decode(Pipeline, body(all)); failure != nil {
			t.Fatalf("%s: %v", body(all), failure)
		}
		check.Equal(t, slices.Sorted(slices.Values(known)), slices.Sorted(slices.Values(all)))
	}
}

// TestViolations checks the failure for every kind of schema violation.
func TestViolations(t *testing.T) {
	c := loaded(t)
	var cases []struct {
		Name, Operation, Body string
		Code                  convert.Code
		Path, Detail, Hint    string
	}
	converttest.Data(t, "testdata/violations.yaml", &cases)
	var tools []string
	for _, tool := range c.Tools() {
		tools = append(tools, tool.Name)
	}
	for _, test := range cases {
		t.Run(test.Name, func(t *testing.T) {
			_, got := c.Decode(test.Operation, test.Body)
			detail := strings.ReplaceAll(test.Detail, "{tools}", strings.Join(tools, ", "))
			want := (&convert.Failure{Code: test.Code, Detail: detail, Hint: test.Hint}).InBody(test.Path)
			want.Line, want.Column = got.Line, got.Column // the detail has them
			check.Equal(t, want, got)
		})
	}
}

// An input as long as a whole request can only come from the command line; it is rejected by the document's own
// limit, which counts characters.
// Rule: REQ-5.
func TestLengthOfTheInput(t *testing.T) {
	c := loaded(t)
	bind := func(value string) *convert.Failure {
		_, failure := c.Bind("json_format", map[string]any{"input": map[string]any{"mediaType": "application/json", "value": value}})
		return failure
	}
	limit := c.Limits().RequestBytes
	unlimited := c.Limits()
	unlimited.RequestBytes = 4 * jsondoc.MaxText
	huge := unsafe.String(unsafe.SliceData(make([]byte, jsondoc.MaxText+1)), jsondoc.MaxText+1) // no byte of it is read
	body := map[string]any{"input": map[string]any{"mediaType": "application/json", "value": huge}}
	if _, failure := c.WithLimits(unlimited).Bind("json_format", body); failure == nil || failure.Code != convert.SchemaViolation {
		t.Errorf("more than a text can have: %v", failure)
	}
	for name, value := range map[string]string{"bytes": strings.Repeat("a", limit), "characters": strings.Repeat("é", limit)} {
		if failure := bind(value); failure != nil {
			t.Errorf("as many %s as are allowed: %v", name, failure)
		}
		want := (&convert.Failure{
			Code:   convert.SchemaViolation,
			Detail: "The input is longer than 1048576 characters.",
			Hint:   "Send a smaller input. This service cannot convert a larger one.",
		}).InBody("/input/value")
		check.Equal(t, want, bind(value+"a"), "one more than", limit, name)
	}
}

// The one limit that is repeated in Go, for the tools' own tests.
func TestOutputLimit(t *testing.T) {
	if got := loaded(t).Limits().OutputCharacters; got != convert.MaxOutputCharacters {
		t.Errorf("the document allows %d characters, convert %d", got, convert.MaxOutputCharacters)
	}
}

func TestPaths(t *testing.T) {
	c := loaded(t)
	for operation := range c.operations {
		if got := c.OperationOf(c.PathOf(operation)); got != operation {
			t.Errorf("%s is at %q, which is %q", operation, c.PathOf(operation), got)
		}
	}
	if got := c.PathOf("unknown"); got != "" {
		t.Errorf("an unknown operation is at %q", got)
	}
}

// TestExamplesAreAccepted decodes the example of every request body; the server tests the responses.
func TestExamplesAreAccepted(t *testing.T) {
	c := loaded(t)
	examples := contracttest.Examples(t)
	if len(examples) < len(c.operations) {
		t.Fatalf("only %d examples", len(examples))
	}
	seen := map[string]bool{}
	for _, example := range examples {
		seen[example.Operation] = true
		text, err := json.Marshal(example.Request)
		if err != nil || example.Request == nil || example.Response == nil {
			t.Fatalf("%s %s: incomplete: %v", example.Path, example.Name, err)
		}
		if _, failure := c.Decode(example.Operation, string(text)); failure != nil {
			t.Errorf("%s %s: the example is refused: %v", example.Path, example.Name, failure)
		}
	}
	if len(seen) != len(c.operations) {
		t.Errorf("only %d operations have an example", len(seen))
	}
}

// TestOperationsAreComplete checks the document against the project's rules: closed objects, every
// status, an example for every body.
func TestOperationsAreComplete(t *testing.T) {
	doc := contracttest.Document(t)
	statuses := []string{"200", "400", "403", "404", "405", "408", "413", "415", "422", "429", "500", "503"}
	for path, item := range doc.Paths.Map() {
		var got []string
		for status, response := range item.Post.Responses.Map() {
			got = append(got, status)
			for mediaType, content := range response.Value.Content {
				if content.Example == nil && len(content.Examples) == 0 {
					t.Errorf("%s %s %s: no example", path, status, mediaType)
				}
			}
		}
		slices.Sort(got)
		check.Equal(t, statuses, got, path, "statuses")
	}
	for name, schema := range doc.Components.Schemas {
		closed := schema.Value.AdditionalProperties
		if schema.Value.Type.Is("object") && closed.Schema == nil && (closed.Has == nil || *closed.Has) {
			t.Errorf("%s is not closed", name)
		}
		if schema.Value.Description == "" {
			t.Errorf("%s has no description", name)
		}
		for property, p := range schema.Value.Properties {
			if p.Value.Description == "" {
				t.Errorf("%s.%s has no description", name, property)
			}
			if property == "mediaType" && p.Value.Enum == nil && (p.Value.MaxLength == nil || *p.Value.MaxLength != 100) {
				t.Errorf("%s.mediaType is neither an enum nor limited to 100 characters", name)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	c := loaded(f)
	for _, example := range contracttest.Examples(f) {
		text, _ := json.Marshal(example.Request)
		f.Add(example.Operation, string(text))
	}
	f.Add("json_format", `{"input":{"mediaType":"application/json","value":"\u0031","x":[1e999,null]}}`)
	f.Fuzz(func(t *testing.T, operation, body string) {
		if c.operations[operation] == nil {
			return
		}
		call, failure := c.Decode(operation, body)
		again, failureAgain := c.Decode(operation, body)
		if diff := cmp.Diff(failure, failureAgain); diff != "" || !cmp.Equal(call.Input, again.Input) {
			t.Fatalf("not deterministic: %s", diff)
		}
		if failure == nil {
			if !json.Valid([]byte(body)) {
				t.Fatalf("accepted what is not JSON: %q", body)
			}
			return
		}
		if failure.Detail == "" || failure.Hint == "" {
			t.Fatalf("no detail or hint: %+v", failure)
		}
		checkPath(t, c, failure)
	})
}

// checkPath fails when the path contains anything but members defined by the document and indexes.
func checkPath(t *testing.T, c *Contract, failure *convert.Failure) {
	t.Helper()
	if failure.Path == nil || *failure.Path == "" {
		return
	}
	known := regexp.MustCompile(`^(/(input|options|mediaType|value|version|steps|returnStepIds|id|tool|indent|unit|target|\d+))+$`)
	if !known.MatchString(*failure.Path) {
		t.Fatalf("the path %q holds a member that the document does not define", *failure.Path)
	}
}
