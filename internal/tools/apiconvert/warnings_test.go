package apiconvert

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/tools/apiconvert/source"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// sentences maps warning codes to their sentences in the OpenAPI document.
func sentences(tb testing.TB) map[string]string {
	tb.Helper()
	c := check.Value(contract.Load())(tb)
	list := map[string]string{}
	for _, w := range c.Warnings() {
		list[w.Code] = w.Meaning
	}
	return list
}

// split splits a warning into its code and what is between the code and its sentence.
func split(tb testing.TB, sentences map[string]string, line string) (code, head string) {
	tb.Helper()
	code, rest, ok := strings.Cut(line, ": ")
	sentence := sentences[code]
	switch {
	case !ok || sentence == "" || strings.ContainsAny(line, "\r\n\t"):
		tb.Errorf("not a code of the document, or no line: %q", line)
	case code == "secrets_replaced" || code == "more_warnings":
	case rest == sentence:
	case strings.HasSuffix(rest, ". "+sentence):
		return code, strings.TrimSuffix(rest, ". "+sentence)
	default:
		tb.Errorf("not the sentence of %s: %q", code, line)
	}
	return code, ""
}

var (
	// inCollection matches a pointer into a collection; the request's name follows it.
	inCollection = regexp.MustCompile(`(?:^|of |, )((?:/item/\d+)+(?:/[^ ,;]+)*|/(?:info|variable|event|auth|protocolProfileBehavior)(?:/[^ ,;]+)*)`)
	more         = regexp.MustCompile(` and \d+ more$`)
	place        = regexp.MustCompile(`^(?:.* of )?((?:/|the whole document).*)$`)
	commands     = regexp.MustCompile(`commands? (\d+)(?: to (\d+))?, lines? (\d+)(?: to (\d+))?`)
)

// pointers returns the JSON Pointers into the source that a warning names.
func pointers(head string) []string {
	match := place.FindStringSubmatch(more.ReplaceAllString(head, ""))
	if match == nil {
		return nil
	}
	var list []string
	for _, p := range regexp.MustCompile(`, /|; (?:[^;]* of )?/?`).Split(match[1], -1) {
		if !strings.HasPrefix(p, "/") {
			p = "/" + p
		}
		if p != "/the whole document" && !strings.HasSuffix(p, " in the output") {
			list = append(list, p)
		}
	}
	return list
}

// follow evaluates a JSON Pointer (RFC 6901, section 4).
func follow(v *tree.Value, pointer string) *tree.Value {
	for token := range strings.SplitSeq(strings.TrimPrefix(strings.TrimSuffix(pointer, "/…"), "/"), "/") {
		if pointer == "/…" {
			return v
		}
		name := strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		if v.Kind() == tree.Array {
			i, err := strconv.Atoi(name)
			if err != nil {
				return nil
			}
			v = v.Element(i)
			continue
		}
		v = v.Get(name)
	}
	return v
}

// rootOf returns the root of a document, which for an archive is parsed as a whole.
func rootOf(tb testing.TB, src *source.Source) *tree.Value {
	tb.Helper()
	if src.Format == source.HAR {
		return check.Value(tree.ReadJSON(src.Doc.Text, nil))(tb).Root
	}
	return src.Doc.Root
}

// checkWarnings checks the warnings of a conversion against the OpenAPI document and the source, and returns
// how many places they name.
func checkWarnings(tb testing.TB, known map[string]string, f file, target string, warnings []string) (places int) {
	tb.Helper()
	src := check.Value(source.Detect(f.mediaType, f.text, nil))(tb)
	lines := strings.Count(f.text, "\n") + 1
	for _, line := range warnings {
		_, head := split(tb, known, line)
		if src.Doc == nil {
			for _, m := range commands.FindAllStringSubmatch(head, -1) {
				places++
				first, _ := strconv.Atoi(m[1])
				last, _ := strconv.Atoi(m[3])
				if first < 1 || last < 1 || last > lines || !strings.Contains(strings.Join(strings.Split(f.text, "\n")[last-1:], "\n"), "curl") {
					tb.Errorf("%s to %s: no command there: %q", f.name, target, line)
				}
			}
			continue
		}
		list := pointers(head)
		if src.Format == source.Postman && !strings.HasSuffix(head, " in the output") {
			list = nil
			for _, m := range inCollection.FindAllStringSubmatch(head, -1) {
				list = append(list, m[1])
			}
		}
		for _, p := range list {
			places++
			if follow(rootOf(tb, src), p) == nil {
				tb.Errorf("%s to %s: %s is not in the source: %q", f.name, target, p, line)
			}
		}
	}
	return places
}

// TestWarningsOfTheCorpus checks that every warning has a code and a sentence of the OpenAPI document, and that
// every place exists in the source.
// Rules: ANS-3, API-6.
func TestWarningsOfTheCorpus(t *testing.T) {
	list := sentences(t)
	places, lines := 0, 0
	files := slices.Concat(corpusFiles(t, "openapi"), corpusFiles(t, "postman"), corpusFiles(t, "curl"))
	for _, l := range losses(t) {
		files = append(files, file{l.Name, l.MediaType, l.Text})
	}
	for _, f := range files {
		for target := range targets {
			result, err := tryCall(f.mediaType, f.text, target)
			if err != nil {
				continue // a failure has no warnings
			}
			lines += len(result.Warnings)
			places += checkWarnings(t, list, f, target, result.Warnings)
		}
	}
	t.Logf("%d warnings with %d places of %d sources", lines, places, len(files))
	if places < 500 {
		t.Errorf("only %d places are reported", places)
	}
}

// TestWarningsHoldNoSecret plants secrets in the names on the path to what is lost.
// Rule: API-7.
func TestWarningsHoldNoSecret(t *testing.T) {
	list := sentences(t)
	const token, key, password = "glpat-2dKq8wZ3nR7vT5xYb4Hj", "Qz81Kd93jfQQx7", "kW7fhunter2Zx9"
	for _, f := range []file{
		{"a path", "application/json", `{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/bot/` + token + `/send":{"post":{"callbacks":{"` + token + `":{}},
			"responses":{"200":{"description":"OK","links":{"` + token + `":{}}}}}}},"webhooks":{"` + token + `":{}},"x-` + token + `":1}`},
		{"a schema", "application/json", `{"openapi":"3.1.0","info":{"title":"t","version":"1"},"components":{"schemas":{"` + token + `":{"patternProperties":{"a":{}},"if":{},"prefixItems":[{}],"` + token + `":1}}},
			"paths":{"/a?api_key=` + key + `":{"query":{},"get":{"parameters":[{"name":"api_key","in":"query","example":"` + key + `"}]}}}}`},
		{"options", "text/plain", "curl https://h.test/a -u ann:" + password + " --proxy-user ann:" + password + " --resolve " + password + ":1:2 --retry " + password +
			" --max-time 12345678901 -H 'X-" + token + ":' --frob-" + token + " -o " + token + " --" + password},
	} {
		for target := range targets {
			warnings := call(t, f.mediaType, f.text, target).Warnings
			for _, s := range []string{token, key, password, "12345678901"} {
				for _, line := range warnings {
					if strings.Contains(line, s) {
						t.Errorf("%s to %s: a secret in %q", f.name, target, line)
					}
				}
			}
			checkWarnings(t, list, f, target, warnings)
		}
	}
}
