package wire

import (
	"context"
	"encoding/base64"
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert"
	"github.com/convertd/convertd/internal/tools/apiconvert/percent"
)

// TestCollectionsSendTheSame converts generated scripts to collections and those to scripts again, and runs both with
// curl. Its variables for credentials match anything. An OpenAPI document has the same methods and
// paths.
func TestCollectionsSendTheSame(t *testing.T) {
	curl := converttest.Program(t, "curl")
	// A collection declares what it uploads as binary data.
	proxy := proxy{converttest.StartProxy(t, `(?i)^(content-length:|expect:|content-type: application/octet-stream$)`)}
	sent := 0
	for seed := range uint64(12) {
		s := construct(seed, plainValues, true)
		collection := converted(t, "text/plain", s.Text, "postman-2.1")
		after := converted(t, "application/json", collection, "curl")
		environment := proxy.environment()
		for _, name := range toSet(after) {
			environment = append(environment, name+"=MARK"+name+"KRAM")
		}
		want, got := proxy.run(t, curl, s.Text, proxy.environment()), proxy.run(t, curl, after, environment)
		if len(want) != len(got) {
			t.Errorf("%s: %d requests, not %d:\n%s\nbecomes\n%s", s.Name, len(got), len(want), s.Text, after)
			continue
		}
		for i := range want {
			want, got := plain(want[i]), plain(got[i])
			if !markedPattern(got).MatchString(want) {
				t.Errorf("%s:\n%s\nbecomes\n%s\n(-script +collection):\n%s", s.Name, s.Text, after, cmp.Diff(want, got))
			}
			sent++
		}
		described := converted(t, "application/yaml", converted(t, "text/plain", s.Text, "openapi-3.1-yaml"), "curl")
		environment = proxy.environment()
		for _, name := range toSet(described) {
			environment = append(environment, name+"=file") // a variable may be the name of one
		}
		if diff := cmp.Diff(requestLines(want), requestLines(proxy.run(t, curl, described, environment))); diff != "" {
			t.Errorf("%s:\n%s\nis described by\n%s\n(-script +document):\n%s", s.Name, s.Text, described, diff)
		}
	}
	if sent < 50 {
		t.Errorf("only %d requests were compared", sent)
	}
}

// requestLines returns the methods and paths of requests, each once.
func requestLines(requests []string) []string {
	var lines []string
	for _, request := range requests {
		lines = append(lines, regexp.MustCompile(`^\S+ [^\s?]+`).FindString(request))
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

func converted(t *testing.T, mediaType, text, target string) string {
	t.Helper()
	result, err := apiconvert.Tool.Convert(context.Background(), convert.Input{
		Artifact: convert.Artifact{MediaType: mediaType, Value: text},
		Options:  convert.Options{"target": target},
		Limit:    convert.NewOutputLimit(convert.MaxOutputCharacters, 4*convert.MaxOutputCharacters),
	})
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	return result.Value
}

var basic = regexp.MustCompile(`(?m)^(Authorization: Basic )(.*)$`)

// plain returns a request without percent-encoding and base64.
func plain(request string) string {
	request = basic.ReplaceAllStringFunc(request, func(line string) string {
		m := basic.FindStringSubmatch(line)
		text, _ := base64.StdEncoding.DecodeString(m[2])
		return fmt.Sprint(m[1], string(text))
	})
	return escapes.ReplaceAllStringFunc(request, percent.DecodeQuery)
}

var escapes = regexp.MustCompile(`(?:%[0-9A-Fa-f]{2})+|\+`)

// variableMarks are variables where credentials are.
var variableMarks = regexp.MustCompile(`((?:Bearer |bob:|sid=|Api-Key: |token=|password": ?"|name="password"\s+))MARK\w+?KRAM`)

// markedPattern returns an expression for a request in which credentials match anything.
func markedPattern(request string) *regexp.Regexp {
	return regexp.MustCompile(`(?s)^` + variableMarks.ReplaceAllString(regexp.QuoteMeta(request), "$1.*?") + `$`)
}
