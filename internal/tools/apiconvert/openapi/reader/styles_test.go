package reader

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/oapi-codegen/runtime"
	"github.com/yosida95/uritemplate/v3"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/tools/apiconvert/documenttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions"
	"github.com/convertd/convertd/internal/tools/apiconvert/percent"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// styled is a value in one of OpenAPI's styles. In is the location of a parameter, or "urlencoded" or "multipart" for a
// form field.
type styled struct{ in, style, explode string }

// values are an example of each type: as JSON, with its schema, as a value of a URI template and as a Go value.
var values = []struct {
	kind, json, schema string
	template           uritemplate.Value
	native             any
}{
	{"string", `"blue"`, `{"type":"string"}`, uritemplate.String("blue"), "blue"},
	{"array", `["blue","black"]`, `{"type":"array","items":{"type":"string"}}`, uritemplate.List("blue", "black"), []string{"blue", "black"}},
	{"object", `{"B":"150","R":"100"}`, `{"type":"object","properties":{"B":{"type":"string"},"R":{"type":"string"}}}`,
		uritemplate.KV("B", "150", "R", "100"), map[string]string{"B": "150", "R": "100"}},
}

// TestStylesFollowRFC6570 reads a value of each type in each location and style, with explode true, false and its
// default. The expected strings come from a library for URI templates; those of deepObject, which RFC 6570 doesn't
// have, from the runtime of a code generator.
func TestStylesFollowRFC6570(t *testing.T) {
	form := []string{"", "form", "spaceDelimited", "pipeDelimited", "deepObject"}
	for in, styles := range map[string][]string{
		"path": {"", "simple", "label", "matrix"}, "query": form, "header": {"", "simple"}, "cookie": {"", "form", "cookie"},
		"urlencoded": form, "multipart": form,
	} {
		for _, style := range styles {
			for _, explode := range []string{"", "true", "false"} {
				for i, v := range values {
					if style == "deepObject" && v.kind != "object" {
						continue // undefined
					}
					t.Run(strings.Join([]string{in, style, explode, v.kind}, "/"), func(t *testing.T) {
						s := styled{in, style, explode}
						want := s.expand(t, i)
						if got := s.sent(read(t, s.document(i))); got != want {
							t.Errorf("want %s, got %s", want, got)
						}
						if got, warned := s.through20(t, i); got != want && !warned {
							t.Errorf("through Swagger 2.0 without a warning: want %s, got %s", want, got)
						}
					})
				}
			}
		}
	}
}

// expand returns what is sent according to the libraries.
func (s styled) expand(t *testing.T, of int) string {
	v := values[of]
	isForm := s.in == "urlencoded" || s.in == "multipart"
	if isForm && s.style == "" && s.explode == "" && v.kind == "object" {
		return "color=" + v.json // the default of contentType
	}
	style, exploded := s.style, s.explode == "true"
	if style == "" {
		style = map[string]string{"path": "simple", "header": "simple"}[s.in]
	}
	if style == "" {
		style = "form"
	}
	if s.explode == "" {
		exploded = style == "form" || style == "cookie"
	}
	if style == "deepObject" && v.kind == "object" {
		return decoded(check.Value(runtime.StyleParamWithLocation(style, true, "color", runtime.ParamLocationQuery, v.native))(t))
	}
	operator := map[string]string{"simple": "", "label": ".", "matrix": ";"}
	before, found := operator[style]
	if !found {
		before = "?"
	}
	name := "color"
	if exploded {
		name += "*"
	}
	text := check.Value(uritemplate.MustNew("{" + before + name + "}").Expand(uritemplate.Values{"color": v.template}))(t)
	text = strings.TrimPrefix(text, "?")
	if separator := map[string]string{"spaceDelimited": " ", "pipeDelimited": "|"}[style]; separator != "" && !exploded {
		text = strings.ReplaceAll(text, ",", separator)
	}
	if s.in == "cookie" {
		text = strings.ReplaceAll(text, "&", "; ")
	}
	return text
}

// through20 converts the document to Swagger 2.0 first. It reports whether there was a warning about the value.
func (s styled) through20(t *testing.T, of int) (got string, warned bool) {
	root, w := documenttest.Parse(t, s.document(of)), &warning.List{}
	doc := &tree.Document{Root: root}
	versions.Rewrite(doc, versions.Newest, versions.V20, nil, w)
	got = s.sent(check.Value(Read(doc, versions.V20, nil, nil))(t))
	return got, len(documenttest.Codes(w)) > 0
}

func decoded(query string) string { return percent.Decode(query) }

// document returns an OpenAPI document that sends a value.
func (s styled) document(of int) string {
	v := values[of]
	var members []string
	if s.style != "" {
		members = append(members, fmt.Sprintf(`"style":%q`, s.style))
	}
	if s.explode != "" {
		members = append(members, `"explode":`+s.explode)
	}
	path, parameters, body := "/a", "", ""
	switch s.in {
	case "urlencoded", "multipart":
		mediaType := map[string]string{"urlencoded": request.FormType, "multipart": request.MultipartType}[s.in]
		body = fmt.Sprintf(`"requestBody":{"content":{%q:{"schema":{"type":"object","properties":{"color":%s}},"example":{"color":%s},"encoding":{"color":{%s}}}}},`,
			mediaType, v.schema, v.json, strings.Join(members, ","))
	default:
		if s.in == "path" {
			path = "/{color}"
		}
		members = append(members, fmt.Sprintf(`"name":"color","in":%q,"required":true,"schema":%s,"example":%s`, s.in, v.schema, v.json))
		parameters = fmt.Sprintf(`"parameters":[{%s}],`, strings.Join(members, ","))
	}
	return fmt.Sprintf(`{"openapi":"3.2.0","info":{"title":"T","version":"1"},"paths":{%q:{"post":{%s"responses":{"200":{"description":"OK"}}}}}}`, path, parameters+body)
}

// sent returns what the first request of an API sends.
func (s styled) sent(api *request.API) string {
	r := api.Requests[0]
	var pairs []string
	for _, p := range slices.Concat(r.Query, r.Cookies) {
		pairs = append(pairs, p.Name+"="+p.Value)
	}
	if len(r.Bodies) > 0 {
		for _, f := range r.Bodies[0].Fields {
			pairs = append(pairs, f.Name+"="+f.Value)
		}
	}
	for _, p := range slices.Concat(r.PathParameters, r.Headers) {
		pairs = append(pairs, p.Value)
	}
	if s.in == "cookie" {
		return strings.Join(pairs, "; ")
	}
	return decoded(strings.Join(pairs, "&"))
}
