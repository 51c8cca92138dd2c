package reader

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/writer"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// outline describes what a request sends, one line per fact.
func outline(api *request.API, r *request.Request) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	add("%s %s", r.Method, r.Path)
	parameters := func(place string, list []*request.Parameter) {
		var lines []string
		for _, p := range list {
			lines = append(lines, fmt.Sprintf("%s %s=%s %v", place, p.Name, p.Value, !p.Sent()))
		}
		slices.Sort(lines)
		out = append(out, slices.Compact(lines)...)
	}
	parameters("path", r.PathParameters)
	parameters("query", r.Query)
	parameters("cookie", r.Cookies)
	var headers []*request.Parameter
	for _, h := range r.Headers {
		if name := strings.ToLower(h.Name); name != "accept" && name != "authorization" {
			headers = append(headers, h)
		}
	}
	parameters("header", headers)
	for _, b := range r.Bodies {
		text := b.Text
		if doc, err := tree.ReadJSON(text, nil); err == nil {
			compact, _ := doc.Root.AppendJSON(nil, 1<<20)
			text = string(compact)
		}
		add("body %s %d %s", b.MediaType, b.Kind, text)
		for _, f := range b.Fields {
			add("field %s=%s %v %v", f.Name, f.Value, f.IsFile, !f.Sent())
		}
	}
	for _, auth := range api.Effective(r).First() {
		add("auth %d %s %s", auth.Kind, auth.Key, auth.In)
	}
	for _, response := range r.Responses {
		add("response %s", response.Status)
	}
	return out
}

// TestReadWriteRead reads a document, writes the result and reads that. The requests must be the same.
func TestReadWriteRead(t *testing.T) {
	excepted := map[string]string{
		"fundServicey-b7b061.yaml":      "its examples have placeholders such as YOUR_REFERENCE_ID, which the writer leaves out",
		"parameters-common-9c5c07.yaml": "a path names one parameter twice, which a description must not",
		"parameters-style-c37bde.json":  "paths that differ in their fragment only become one",
	}
	for name, doc := range corpus(t, "openapi") {
		if excepted[name] != "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			from, _ := versions.Of(doc.Root)
			first := check.Value(Read(doc, from, nil, nil))(t)
			root := writer.Write(first, versions.Newest, nil, nil)
			second := check.Value(Read(&tree.Document{Root: root}, versions.Newest, nil, nil))(t)
			compare(t, first, second)
		})
	}
}

func compare(t *testing.T, first, second *request.API) {
	t.Helper()
	if len(first.Requests) != len(second.Requests) {
		t.Fatalf("%d requests became %d", len(first.Requests), len(second.Requests))
	}
	for i, r := range first.Requests {
		want, got := outline(first, r), outline(second, second.Requests[i])
		if len(r.Responses) == 0 {
			want = append(want, "response default") // one response is required
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s %s changed (-first +second):\n%s", r.Method, r.Path, diff)
		}
	}
}

// TestHTTPSchemesReturn checks that a written security scheme is read back as the same kind.
func TestHTTPSchemesReturn(t *testing.T) {
	for _, kind := range []request.AuthKind{request.Basic, request.Bearer, request.Digest, request.APIKey, request.AWSSignature4, request.Hawk, request.NTLM, request.OAuth1} {
		api := &request.API{Requests: []*request.Request{{Method: "GET", Path: "/a",
			Security: &request.Security{Alternatives: [][]*request.Auth{{{Kind: kind}}}}}}}
		root := writer.Write(api, versions.Newest, nil, nil)
		back := check.Value(Read(&tree.Document{Root: root}, versions.Newest, nil, nil))(t)
		auth := back.Effective(back.Requests[0]).First()
		if len(auth) != 1 || auth[0].Kind != kind {
			t.Errorf("%d became %s", kind, cmp.Diff(nil, auth))
		}
	}
}
