package versions

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi2"
	"github.com/getkin/kin-openapi/openapi2conv"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/check"
)

// requests lists the requests that a document describes. It only uses encoding/json, so it shares no code with what
// it checks.
func requests(tb testing.TB, text string) []string {
	tb.Helper()
	var root map[string]any
	check.OK(tb, json.Unmarshal([]byte(text), &root))
	x := extractor{root}
	var out []string
	for path, item := range object(root["paths"]) {
		item := x.follow(item)
		for _, method := range []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"} {
			op := object(item[method])
			if op == nil {
				continue
			}
			if !strings.HasPrefix(path, "/") {
				path = "/" + path
			}
			out = append(out, method+" "+path+" "+x.operation(item, op))
		}
	}
	slices.Sort(out)
	return out
}

type extractor struct{ root map[string]any }

func object(v any) map[string]any { o, _ := v.(map[string]any); return o }
func array(v any) []any           { a, _ := v.([]any); return a }

func (x extractor) follow(v any) map[string]any {
	for range 10 {
		ref, ok := object(v)["$ref"].(string)
		if !ok || !strings.HasPrefix(ref, "#/") {
			break
		}
		v = any(x.root)
		for token := range strings.SplitSeq(ref[2:], "/") {
			token = strings.NewReplacer("~1", "/", "~0", "~", "%7B", "{", "%7D", "}").Replace(token)
			if list, ok := v.([]any); ok {
				var i int
				fmt.Sscan(token, &i)
				v = list[i]
				continue
			}
			v = object(v)[token]
		}
	}
	return object(v)
}

func (x extractor) operation(item, op map[string]any) string {
	parts := map[string]bool{}
	form, file := false, false
	consumes := array(x.root["consumes"])
	if own, ok := op["consumes"]; ok {
		consumes = array(own)
	}
	for _, p := range append(slices.Clone(array(item["parameters"])), array(op["parameters"])...) {
		p := x.follow(p)
		in, name := p["in"], p["name"]
		switch in {
		case "body":
			for _, mediaType := range consumes {
				parts[fmt.Sprint("body ", mediaType)] = true
			}
			if len(consumes) == 0 {
				parts["body application/json"] = true
			}
		case "formData":
			form, file = true, file || p["type"] == "file"
			parts[fmt.Sprint("field ", name)] = true
		default:
			parts[fmt.Sprint(in, " ", name, " ", p["required"] == true)] = true
		}
	}
	if form {
		known := false
		for _, mediaType := range consumes {
			if mediaType == "multipart/form-data" || mediaType == "application/x-www-form-urlencoded" && !file {
				parts[fmt.Sprint("body ", mediaType)] = true
				known = true
			}
		}
		if !known && file {
			parts["body multipart/form-data"] = true
		} else if !known {
			parts["body application/x-www-form-urlencoded"] = true
		}
	}
	for mediaType, content := range object(x.follow(op["requestBody"])["content"]) {
		parts["body "+mediaType] = true
		if _, v20 := x.root["paths"]; v20 && strings.Contains(mediaType, "form") {
			for name := range object(x.follow(object(content)["schema"])["properties"]) {
				parts["field "+name] = true
			}
		}
	}
	for code, response := range object(op["responses"]) {
		parts["response "+code] = true
		for mediaType := range object(x.follow(response)["content"]) {
			parts["response "+code+" "+mediaType] = true
		}
	}
	parts[fmt.Sprint("security ", op["security"], " ", op["operationId"], " ", op["tags"], " ", op["deprecated"] == true)] = true
	return strings.Join(slices.Sorted(maps.Keys(parts)), ", ")
}

// defects lists files of the corpus with invalid parts, which force a rewrite to change requests.
var defects = map[string]bool{
	"securityAuthUnresolvedInPathItem-90b55e.yaml": true,
	"user-example-input-5cb51f.json":               true,
	"openapi-duplicate-operation-name-a610c4.yaml": true,
	"non-oauth-scopes-339d4e.json":                 true,
}

// TestSameRequests checks that the same requests can be sent in every version. Responses of Swagger 2.0, whose media
// types are elsewhere, are compared with kin-openapi below.
func TestSameRequests(t *testing.T) {
	for name, text := range corpus(t) {
		source := read(t, text)
		from, _ := Of(source.Root)
		want := requests(t, output(t, source.Root))
		for _, to := range all {
			doc, warnings := rewritten(t, text, to)
			got := requests(t, output(t, doc.Root))
			want := want
			if from == V20 || to == V20 {
				got, want = withoutResponseTypes(got), withoutResponseTypes(want)
			}
			reported := to == V20 && from > to && len(warnings) > 0 // Swagger 2.0 lacks something
			if diff := cmp.Diff(want, got); diff != "" && !defects[name] && !reported {
				t.Errorf("%s from %s to %s:\n%s\n%q", name, from.Text(), to.Text(), diff, warnings)
			}
			// A default for a required value that was missing is not a loss.
			warnings = slices.DeleteFunc(warnings, func(w string) bool { return strings.HasPrefix(w, "added.") })
			if len(warnings) > 0 && from <= to && !defects[name] {
				t.Errorf("%s from %s to %s: a plain description has warnings: %q", name, from.Text(), to.Text(), warnings)
			}
		}
	}
}

func withoutResponseTypes(requests []string) []string {
	requests = slices.Clone(requests)
	for i, r := range requests {
		parts := strings.Split(r, ", ")
		parts = slices.DeleteFunc(parts, func(p string) bool {
			return strings.HasPrefix(p, "response ") && strings.Count(p, " ") > 1
		})
		requests[i] = strings.Join(parts, ", ")
	}
	return requests
}

// TestSwaggerOracle compares converted Swagger 2.0 documents with the results of kin-openapi.
func TestSwaggerOracle(t *testing.T) {
	for name, text := range corpus(t) {
		source := read(t, text)
		if from, _ := Of(source.Root); from != V20 {
			continue
		}
		var v2 openapi2.T
		if err := json.Unmarshal([]byte(output(t, source.Root)), &v2); err != nil {
			t.Logf("%s: kin-openapi does not read it: %v", name, err)
			continue
		}
		v3, err := openapi2conv.ToV3(&v2)
		if err != nil {
			t.Logf("%s: kin-openapi does not convert it: %v", name, err)
			continue
		}
		theirs := check.Value(v3.MarshalJSON())(t)
		// If no media type is declared, kin-openapi uses */* and we use JSON.
		theirs = bytes.ReplaceAll(theirs, []byte(`"*/*"`), []byte(`"application/json"`))
		doc, _ := rewritten(t, text, V30)
		if diff := cmp.Diff(requests(t, string(theirs)), requests(t, output(t, doc.Root))); diff != "" && !defects[name] {
			t.Errorf("%s (-kin-openapi +ours):\n%s", name, diff)
		}
		ours := check.Value(openapi3.NewLoader().LoadFromData([]byte(output(t, doc.Root))))(t)
		for schema := range v3.Components.Schemas {
			if ours.Components.Schemas[schema] == nil {
				t.Errorf("%s: a schema is missing", name)
			}
		}
		for scheme, want := range v3.Components.SecuritySchemes {
			if got := ours.Components.SecuritySchemes[scheme]; got == nil || got.Value.Type != want.Value.Type || got.Value.Scheme != want.Value.Scheme {
				t.Errorf("%s: a security scheme differs: %+v", name, got)
			}
		}
	}
}
