package postman_test

import (
	gocmp "cmp"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/documenttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/postman"
	"github.com/convertd/convertd/internal/tools/apiconvert/postman/collection"
	"github.com/convertd/convertd/internal/tools/apiconvert/postman/reader"
	"github.com/convertd/convertd/internal/tools/apiconvert/postman/writer"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/source"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// testCase is a collection and the result of reading or rewriting it. Info, which every collection needs, is
// added if it is missing.
type testCase struct {
	Name     string
	Input    string
	Output   string
	Warnings []string // their codes
	Code     convert.Code
}

func load(tb testing.TB, file string) []testCase {
	tb.Helper()
	var cases []testCase
	converttest.Data(tb, file, &cases)
	return cases
}

func parse(tb testing.TB, text string) *tree.Document {
	tb.Helper()
	doc := check.Value(tree.ReadJSON(text, nil))(tb)
	return doc
}

func checkCode(t *testing.T, want convert.Code, err error) {
	t.Helper()
	var f *convert.Failure
	if !errors.As(err, &f) || f.Code != want {
		t.Errorf("want %s, got %v", want, err)
	}
}

func TestRead(t *testing.T) {
	for _, c := range load(t, "testdata/read.yaml") {
		t.Run(c.Name, func(t *testing.T) {
			var w warning.List
			api, err := reader.Read(parse(t, c.Input), nil, &w)
			if c.Code != "" {
				checkCode(t, c.Code, err)
				return
			}
			check.OK(t, err)
			if diff := cmp.Diff(c.Output, outline(api)); diff != "" {
				t.Errorf("model (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.Warnings, documenttest.Codes(&w)); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRewrite(t *testing.T) {
	for _, c := range load(t, "testdata/rewrite.yaml") {
		t.Run(c.Name, func(t *testing.T) {
			var w warning.List
			doc := parse(t, c.Input)
			if err := postman.Rewrite(doc, nil, &w); err != nil {
				checkCode(t, c.Code, err)
				return
			}
			want := documenttest.Write(t, parse(t, c.Output).Root)
			if diff := cmp.Diff(want, documenttest.Write(t, doc.Root)); diff != "" {
				t.Errorf("output (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.Warnings, documenttest.Codes(&w)); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
			checkRewritten(t, doc.Root)
		})
	}
}

// checkRewritten checks the guarantees for every rewritten collection: the schema accepts it, and rewriting it
// again changes nothing without warnings.
func checkRewritten(t *testing.T, root *tree.Value) {
	t.Helper()
	text := documenttest.Write(t, root)
	checkSchema(t, text)
	var w warning.List
	again := parse(t, text)
	check.OK(t, postman.Rewrite(again, nil, &w))
	if diff := cmp.Diff(text, documenttest.Write(t, again.Root)); diff != "" {
		t.Errorf("rewriting twice changes (-once +twice):\n%s", diff)
	}
	if got := w.Strings(); got != nil {
		t.Errorf("rewriting twice warns: %q", got)
	}
}

const corpusRoot = "../../../../../shared/corpus/apiconvert"

var schema = func() *jsonschema.Schema {
	file, err := os.Open(filepath.Join(corpusRoot, "schemas/postman-collection-v2.1.0.json"))
	if err != nil {
		return nil
	}
	defer file.Close()
	doc, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		panic(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("collection.json", doc); err != nil {
		panic(err)
	}
	return compiler.MustCompile("collection.json")
}()

// unlisted replaces the types that Postman writes although its schema doesn't list them.
var unlisted = strings.NewReplacer(`"type":"secret"`, `"type":"string"`, `"type":"jwt"`, `"type":"bearer"`, `"type":"asap"`, `"type":"bearer"`)

// checkSchema validates a collection with Postman's schema, if available.
func checkSchema(t *testing.T, text string) {
	t.Helper()
	if schema == nil {
		return
	}
	text = unlisted.Replace(text)
	value := check.Value(jsonschema.UnmarshalJSON(strings.NewReader(text)))(t)
	if err := schema.Validate(value); err != nil {
		t.Errorf("the schema refuses: %v", err)
	}
}

// checkCycle checks that reading a written collection returns the same requests, once the collection's
// variables are replaced by their values.
func checkCycle(t *testing.T, api *request.API) {
	t.Helper()
	root := writer.Write(api, nil, nil)
	text := documenttest.Write(t, root)
	checkSchema(t, text)
	checkRewritten(t, root)
	var w warning.List
	again := check.Value(reader.Read(parse(t, text), nil, &w))(t)
	if got := w.Strings(); got != nil {
		t.Errorf("what is written makes warnings: %q", got)
	}
	if diff := cmp.Diff(sentRequests(api), sentRequests(again)); diff != "" {
		t.Errorf("requests (-model +read again):\n%s", diff)
	}
}

// sentRequests outlines only the requests, with the servers' variables replaced, without what is not sent, and
// with the security that applies.
func sentRequests(api *request.API) []string {
	values := map[string]string{}
	for _, v := range api.Variables {
		values[v.Name] = v.Value
	}
	var out []string
	for _, r := range api.Requests {
		sent := *r
		sent.Name = gocmp.Or(r.Name, r.ID, r.Method+" "+gocmp.Or(r.Path, "/"))
		sent.Description, sent.Folder = "", nil
		sent.Security = api.Effective(r)
		if len(sent.Security.First()) == 0 {
			sent.Security = nil
		}
		url := "{{baseUrl}}"
		if r.Server != nil {
			url = r.Server.URL
			for range 4 {
				var b strings.Builder
				for _, part := range request.Split(url) {
					if value := values[part.Text]; part.Kind == request.VariablePart && value != "" {
						b.WriteString(value)
					} else if part.Kind == request.VariablePart {
						b.WriteString("{{" + part.Text + "}}")
					} else {
						b.WriteString(part.Text)
					}
				}
				url = b.String()
			}
		}
		whole := collection.ParseURL(url + "/")
		sent.Path = strings.TrimSuffix("/"+strings.Join(whole.Segments, "/"), "/") + r.Path
		whole.Segments = nil
		sent.Server = &request.Server{URL: whole.Protocol + " " + whole.Host + " " + whole.Port}
		sent.Transport = nil
		sent.Responses = nil
		var b strings.Builder
		writeRequest(&b, &sent, "")
		out = append(out, strings.ReplaceAll(b.String(), " (guessed)", ""))
	}
	return out
}

func TestCorpus(t *testing.T) {
	for name, text := range converttest.CorpusTexts(t, "apiconvert/postman/*.json") {
		t.Run(name, func(t *testing.T) {
			src := check.Value(source.Detect("application/json", text, nil))(t)
			var w warning.List
			api := check.Value(reader.Read(src.Doc, nil, &w))(t)
			checkRewritten(t, src.Doc.Root)
			checkCycle(t, api)
		})
	}
}

func FuzzRead(f *testing.F) {
	for _, file := range []string{"testdata/read.yaml", "testdata/rewrite.yaml"} {
		for _, c := range load(f, file) {
			f.Add(c.Input)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := tree.ReadJSON(text, nil)
		if err != nil {
			return
		}
		api, err := reader.Read(doc, nil, nil)
		if err != nil {
			return
		}
		checkRewritten(t, doc.Root)
		root := writer.Write(api, nil, nil)
		written := documenttest.Write(t, root)
		if !json.Valid([]byte(written)) {
			t.Fatal("no JSON")
		}
		checkSchema(t, written)
		again := check.Value(reader.Read(parse(t, written), nil, nil))(t)
		if len(again.Requests) != len(api.Requests) {
			t.Errorf("%d requests, %d when read again", len(api.Requests), len(again.Requests))
		}
	})
}
