package verify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	builtin "github.com/convertd/convertd/gen/document"
)

// descriptionStem and descriptionPath are where a deployment serves its OpenAPI document.
const (
	descriptionStem = "/v1/openapi."
	descriptionPath = descriptionStem + "json"
)

// prose lists the keywords that mean nothing to a program, or that differ between deployments.
var prose = []string{"description", "summary", "example", "examples", "externalDocs", "x-codeSamples", "x-internal", "x-service-inputs", "x-service-preferred", "x-problem-examples", "meaning", "remedy", "contact", "license", "termsOfService", "tags"}

// named lists the objects whose members are names, not keywords.
var named = []string{"properties", "schemas", "responses", "headers", "paths", "mapping", "content", "x-service-produces", "parameters"}

// wider lists the numbers that a later minor version may raise, narrower those that it may lower (VER-4).
var (
	wider = []string{"maximum", "maxLength", "maxItems", "maxProperties", "requestBytes", "outputCharacters", "pipelineBytes", "pipelineSeconds", "requestsPerMinute"}
	lower = []string{"minimum", "minLength", "minItems", "minProperties"}
)

// compareDocument compares the part of the served OpenAPI document that the case is about with the built-in one. A
// later minor version may have more, which is a warning.
func (r *runner) compareDocument(ctx context.Context, c Case) (wrong []string) {
	want, err := decodeJSON(builtin.JSON)
	if err != nil {
		return []string{"the built-in OpenAPI document: " + err.Error()}
	}
	got, err := decodeJSON(r.document.body)
	if err != nil {
		return []string{"the served OpenAPI document: " + err.Error()}
	}
	d := documents{later: r.laterMinor(), runner: r}
	if c.Response.Document.YAML {
		return r.compareSource(ctx, got)
	}
	for _, at := range c.Response.Document.At {
		d.compare(at, valueAt(want, at), valueAt(got, at), false)
	}
	for _, found := range d.found {
		mine := true
		for _, other := range c.Response.Document.But {
			mine = mine && found.at != other && !strings.HasPrefix(found.at, other+"/")
		}
		if mine {
			wrong = append(wrong, found.text)
		}
	}
	if d.later && slices.Contains(c.Response.Document.At, "/info/version") {
		r.warned = append(r.warned, fmt.Sprintf("the served OpenAPI document has version %s, and this program knows %s: what is new is not verified", r.description.version, valueAt(want, "/info/version")))
	}
	return wrong
}

// laterMinor reports whether the served OpenAPI document has the built-in one's
// major version and a later minor version.
func (r *runner) laterMinor() bool {
	var own struct{ Info struct{ Version string } }
	if json.Unmarshal(builtin.JSON, &own) != nil || !version().MatchString(r.description.version) {
		return false
	}
	part := func(text string, i int) int {
		n, _ := strconv.Atoi(strings.Split(text, ".")[i])
		return n
	}
	served := r.description.version
	return part(served, 0) == part(own.Info.Version, 0) && part(served, 1) > part(own.Info.Version, 1)
}

// compareSource compares the OpenAPI document's YAML source with its JSON.
func (r *runner) compareSource(ctx context.Context, want any) (wrong faults) {
	document, err := r.send(ctx, Request{Method: http.MethodGet, Path: descriptionStem + "yaml"})
	if err != nil || document.status != http.StatusOK {
		return []string{fmt.Sprintf("the YAML source cannot be compared: status %d", document.status)}
	}
	got, err := decodeYAML(document.body)
	if err != nil {
		return []string{descriptionStem + "yaml cannot be read: " + err.Error()}
	}
	d := documents{runner: r}
	d.compare("", want, got, false)
	for _, found := range d.found {
		wrong.add("%syaml is not the same document as %s: %s", descriptionStem, descriptionPath, found.text)
	}
	return wrong
}

// Compatible returns the differences between two OpenAPI documents, as YAML, that a later minor version must not have
// (VER-4).
func Compatible(before, after []byte) (broken []string, err error) {
	want, err := decodeYAML(before)
	if err != nil {
		return nil, err
	}
	got, err := decodeYAML(after)
	d := documents{later: true, runner: newRunner(Options{})}
	d.compare("", want, got, false)
	for _, found := range d.found {
		broken = append(broken, found.text)
	}
	return broken, err
}

// difference is a JSON Pointer into the OpenAPI document and what differs there.
type difference struct{ at, text string }

// documents compares two OpenAPI documents, as encoding/json decodes them.
type documents struct {
	later  bool // the served one may have more
	runner *runner
	found  []difference
}

func (d *documents) report(at, format string, args ...any) {
	d.found = append(d.found, difference{at, "the OpenAPI document, " + at + ": " + fmt.Sprintf(format, args...)})
}

// compare compares two values at a JSON Pointer. names says that the members of an
// object there are names, not keywords.
func (d *documents) compare(at string, want, got any, names bool) {
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok {
			d.report(at, "want an object, got %s", brief(got))
			return
		}
		d.compareObjects(at, want, object, names)
	case []any:
		list, ok := got.([]any)
		switch {
		case !ok:
			d.report(at, "want a list, got %s", brief(got))
		case strings.HasSuffix(at, "/servers"):
			d.compareServers(at, list)
		default:
			d.compareLists(at, want, list)
		}
	default:
		if fmt.Sprint(want) != fmt.Sprint(got) && !d.allowsChange(at, want, got) {
			d.report(at, "want %s, got %s", brief(want), brief(got))
		}
	}
}

func (d *documents) compareObjects(at string, want, got map[string]any, names bool) {
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if !names && slices.Contains(prose, name) || at == "/info" && name == "title" {
			continue
		}
		member, has := got[name]
		place := at + "/" + escape(name)
		if !has {
			d.report(place, "it is missing")
			continue
		}
		d.compare(place, want[name], member, !names && slices.Contains(named, name))
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if _, has := want[name]; has || !names && slices.Contains(prose, name) || d.later && (names || strings.Contains(at+"/"+name, "/x-")) {
			continue
		}
		d.report(at+"/"+escape(name), "it is unexpected")
	}
}

// compareLists compares lists as sets of what identity tells apart.
func (d *documents) compareLists(at string, want, got []any) {
	find := func(list []any, v any, i int) int {
		for j, other := range list {
			if identity(other, j) == identity(v, i) {
				return j
			}
		}
		return -1
	}
	for i, v := range want {
		if j := find(got, v, i); j < 0 {
			d.report(at, "%s is missing", brief(v))
		} else if _, isObject := v.(map[string]any); isObject {
			d.compare(fmt.Sprintf("%s/%d", at, i), v, got[j], false)
		}
	}
	more := d.later && !strings.HasSuffix(at, "/required") && !strings.HasPrefix(at, "/components/schemas/ProblemCode")
	for i, v := range got {
		if find(want, v, i) < 0 && !more {
			d.report(at, "%s is unexpected", brief(v))
		}
	}
}

// identity returns what tells an item of a list from the others: its value or, of an object, its code, its reference or
// its index.
func identity(item any, index int) string {
	object, isObject := item.(map[string]any)
	if !isObject {
		return fmt.Sprint(item)
	}
	for _, name := range []string{"code", "$ref"} {
		if id, ok := object[name].(string); ok {
			return id
		}
	}
	return strconv.Itoa(index)
}

// compareServers checks that the only server is the deployment itself.
func (d *documents) compareServers(at string, servers []any) {
	own, err := url.Parse(d.runner.Public + descriptionPath)
	if err != nil || len(servers) != 1 {
		d.report(at, "want one server, got %d", len(servers))
		return
	}
	server, _ := servers[0].(map[string]any)
	serverURL, _ := server["url"].(string)
	u, err := own.Parse(serverURL)
	public, _ := url.Parse(d.runner.Public)
	if err != nil || !sameAddress(own, u) || strings.TrimSuffix(u.Path, "/") != public.Path {
		d.report(at, "want the deployment's own URL %s, got %q", d.runner.Public, serverURL)
	}
}

// allowsChange reports whether a later minor version may have a different value.
func (d *documents) allowsChange(at string, want, got any) bool {
	if !d.later {
		return false
	}
	keyword := at[strings.LastIndexByte(at, '/')+1:]
	x, errX := strconv.ParseFloat(fmt.Sprint(want), 64)
	y, errY := strconv.ParseFloat(fmt.Sprint(got), 64)
	numbers := errX == nil && errY == nil
	return at == "/info/version" || numbers && (slices.Contains(wider, keyword) && y > x || slices.Contains(lower, keyword) && y < x)
}

// valueAt returns the value at a JSON Pointer (RFC 6901), nil if there is none.
func valueAt(value any, pointer string) any {
	for _, name := range strings.Split(pointer, "/")[1:] {
		object, _ := value.(map[string]any)
		value = object[strings.NewReplacer("~1", "/", "~0", "~").Replace(name)]
	}
	return value
}

func escape(name string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(name) }

// brief returns enough of a value to recognize it.
func brief(value any) string {
	text, _ := json.Marshal(value)
	return beginning(text)
}

// decodeJSON decodes one JSON value.
func decodeJSON(text []byte) (value any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err = decoder.Decode(&value); err != nil {
		return nil, err
	}
	if _, err = decoder.Token(); err != io.EOF {
		return nil, errors.New("there is something after the value")
	}
	return value, nil
}

func decodeYAML(text []byte) (any, error) {
	var source any
	if err := yaml.Unmarshal(text, &source); err != nil {
		return nil, err
	}
	text, err := json.Marshal(source)
	if err != nil {
		return nil, err
	}
	return decodeJSON(text)
}
