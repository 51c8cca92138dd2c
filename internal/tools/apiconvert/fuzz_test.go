package apiconvert

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/yamldoc"
)

// kinds are the kinds of sources: the formats, and the files and pages in which curl commands are found. mark matches the
// cases of a kind.
var kinds = map[string]struct{ mediaType, mark string }{
	"OpenAPI":     {"application/json", `^\s*\{[^:]*"openapi"`},
	"OpenAPIYAML": {"application/yaml", `(?m)^openapi:|^\s*\{[^:]*"openapi"`},
	"Swagger":     {"application/json", `^\s*\{[^:]*"swagger"`},
	"Postman":     {"application/json", `^\s*\{[^:]*"(info|item)"`},
	"HAR":         {"application/json", `^\s*\{[^:]*"log"`},
	"POSIX":       {"text/plain", `^[^{<]*curl`},
	"Cmd":         {"text/plain", `(?mi)curl.*\^|^@?echo off|^(rem|set|C:\\)\b.*`},
	"PowerShell":  {"text/plain", "(?m)Invoke-|[ \t]ir?[wr]m |`$|^\\$\\w+ *=|^PS "},
	"Config":      {"text/plain", `(?s)curl.* (-K|--config)`},
	"Markdown":    {"text/plain", "(?m)^ *(```|~~~)"},
	"AsciiDoc":    {"text/plain", `(?m)^----$|^\[source`},
	"ReST":        {"text/plain", `(?m)::$`},
	"GitHub":      {"text/plain", `(?m)^ *steps:`},
	"GitLab":      {"text/plain", `(?m)^ *(before_)?script:`},
	"Dockerfile":  {"text/plain", `(?m)^(FROM|RUN|ENV|HEALTHCHECK) `},
	"Compose":     {"text/plain", `(?m)^services:`},
	"Kubernetes":  {"text/plain", `(?m)^(kind|apiVersion):`},
	"Makefile":    {"text/plain", `(?m)^[\w%.-]+:.*\n\t`},
}

func FuzzOpenAPI(f *testing.F)     { fuzz(f) }
func FuzzOpenAPIYAML(f *testing.F) { fuzz(f) }
func FuzzSwagger(f *testing.F)     { fuzz(f) }
func FuzzPostman(f *testing.F)     { fuzz(f) }
func FuzzHAR(f *testing.F)         { fuzz(f) }
func FuzzPOSIX(f *testing.F)       { fuzz(f) }
func FuzzCmd(f *testing.F)         { fuzz(f) }
func FuzzPowerShell(f *testing.F)  { fuzz(f) }
func FuzzConfig(f *testing.F)      { fuzz(f) }
func FuzzMarkdown(f *testing.F)    { fuzz(f) }
func FuzzAsciiDoc(f *testing.F)    { fuzz(f) }
func FuzzReST(f *testing.F)        { fuzz(f) }
func FuzzGitHub(f *testing.F)      { fuzz(f) }
func FuzzGitLab(f *testing.F)      { fuzz(f) }
func FuzzDockerfile(f *testing.F)  { fuzz(f) }
func FuzzCompose(f *testing.F)     { fuzz(f) }
func FuzzKubernetes(f *testing.F)  { fuzz(f) }
func FuzzMakefile(f *testing.F)    { fuzz(f) }

// fuzz checks conversions of a kind of source. The bytes of choices select the target and edit the source, because a fuzzer
// that only changes bytes rarely produces another document or script.
func fuzz(f *testing.F) {
	kind := strings.TrimPrefix(f.Name(), "Fuzz")
	seeds := cases(f, kind)
	for i, text := range seeds {
		if !testing.Short() || i%8 == 0 {
			f.Add(text, []byte{byte(i)})
		}
	}
	f.Fuzz(func(t *testing.T, text string, choices []byte) {
		checkConversion(t, kind, text, seeds, choices)
	})
}

// TestMutants converts the cases of each kind after random edits, the same in each run, so that no change fails because of
// another one. make fuzz searches for more.
func TestMutants(t *testing.T) {
	t.Parallel()
	n := check.Sample(50, 400, 1200)
	for kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			seeds, random := cases(t, kind), rand.New(rand.NewPCG(1, 2))
			for i := range n {
				choices := make([]byte, 4+random.IntN(28))
				for i := range choices {
					choices[i] = byte(random.Uint32())
				}
				text := seeds[random.IntN(len(seeds))]
				t.Run(fmt.Sprint(i), func(t *testing.T) { checkConversion(t, kind, text, seeds, choices) })
			}
		})
	}
}

// cases returns the strings of the test data that are sources of a kind.
func cases(tb testing.TB, kind string) (texts []string) {
	tb.Helper()
	mark := regexp.MustCompile(kinds[kind].mark)
	seen := map[string]bool{}
	add := func(text string) {
		if mark.MatchString(text) && len(text) < 4_000 && !seen[text] {
			seen[text] = true
			texts = append(texts, text)
		}
	}
	for _, file := range slices.Concat(check.Glob(tb, "testdata/*.yaml"), check.Glob(tb, "*/testdata/*.yaml"),
		check.Glob(tb, "*/*/testdata/*.yaml"), check.Glob(tb, "*/*/testdata/*.json")) {
		read := tree.ReadYAML
		if strings.HasSuffix(file, ".json") {
			read = tree.ReadJSON
		}
		for _, v := range values(check.Value(read(check.File(tb, file), nil))(tb).Root) {
			add(v.Text())
			if v.Has("paths") || v.Has("item") || v.Has("log") {
				if !v.Has("swagger") && !v.Has("openapi") && v.Has("paths") {
					v.Insert(0, "openapi", tree.NewString("3.1.0"))
				}
				add(string(check.Value(v.AppendJSON(nil, 1<<20))(tb)))
			}
		}
	}
	if len(texts) == 0 {
		tb.Fatalf("no case of %s", kind)
	}
	return texts
}

// values returns a value and every value in it.
func values(v *tree.Value) []*tree.Value {
	all := []*tree.Value{v}
	for _, inner := range v.Values() {
		all = append(all, values(inner)...)
	}
	return all
}

// checkConversion edits a source of a kind and checks its conversion against the guarantees of every tool. The tool reads
// what it has written. That does not hold for a rewritten script: it may contain whatever the source contains.
func checkConversion(t *testing.T, kind, text string, seeds []string, choices []byte) {
	c := &chooser{choices}
	target := slices.Sorted(maps.Keys(targets))[c.next(len(targets))]
	mediaType := kinds[kind].mediaType
	in := convert.Input{
		Artifact: convert.Artifact{MediaType: c.pick(mediaType, mediaType, mediaType, mediaType, mediaType, "application/yaml", "text/plain")},
		Options:  convert.Options{"target": target, "paths": c.pick("", "literal"), "ids": c.pick("", "stable")},
	}
	if mediaType == "text/plain" {
		in.Value = c.editText(text, seeds)
	} else {
		in.Value = c.editDocument(t, text, seeds, mediaType)
	}
	if !utf8.ValidString(in.Value) || len(in.Value) > 50_000 {
		return
	}
	panics := true
	defer func() {
		if panics || t.Failed() {
			t.Logf("%v\n%s", in.Options, in.Value)
		}
	}()
	converttest.Check(t, Tool, in)
	result, failure := converttest.Do(t, Tool, in)
	panics = false
	if failure != nil || target == "curl" && (in.MediaType == "text/plain" || !strings.Contains(result.Value, "curl")) {
		return
	}
	again := in
	again.Artifact = convert.Artifact{MediaType: mediaTypeOf(target), Value: result.Value}
	if _, failure := converttest.Do(t, Tool, again); failure != nil && failure.Code != convert.TooComplex && failure.Code != convert.OutputTooLarge {
		t.Errorf("refuses what it wrote: %v\n%s", failure, result.Value)
	}
}

// chooser turns bytes into choices. Without bytes, it chooses the first.
type chooser struct{ bytes []byte }

func (c *chooser) next(n int) (i int) {
	for most := 1; most < n && len(c.bytes) > 0; most <<= 8 {
		i, c.bytes = i<<8|int(c.bytes[0]), c.bytes[1:]
	}
	return i % max(n, 1)
}

func (c *chooser) pick(list ...string) string { return list[c.next(len(list))] }

// pieces match what is exchanged between texts, and odd are pieces that begin or end something.
var (
	pieces = []*regexp.Regexp{
		regexp.MustCompile(`\s+`), regexp.MustCompile(`\S+`), regexp.MustCompile(`\w+`), regexp.MustCompile(`[^\w\s]`),
		regexp.MustCompile(`"[^"]*"|'[^']*'`), regexp.MustCompile(`(?m)^.*\n?`), regexp.MustCompile(`(?m)^(?:.*\n){1,4}`),
	}
	odd = []string{
		"", " ", "\n", "\n    ", "\t", "\r\n", "\x00", "'", `"`, "`", `\`, "\\\n", "^", "^\n", "$", "$(", "${", "{{", "}}", "{", "}", "[", "]", "(", ")",
		"<<EOF\n", "EOF\n", "<", "|", ">-\n", "&", ";", "#", "%", "@", ":", "- ", "-", "*", "!", ",", "=", "é", "\u2028", "curl ", "-d", "-K-", "0", "null",
	}
)

// editText replaces, inserts, removes and repeats pieces of a text.
func (c *chooser) editText(text string, seeds []string) string {
	for range c.next(5) {
		piece := pieces[c.next(len(pieces))]
		all := piece.FindAllStringIndex(text, -1)
		if len(all) == 0 {
			continue
		}
		at := all[c.next(len(all))]
		with := text[at[0]:at[1]]
		switch c.next(4) {
		case 0:
			with = c.pick(odd...)
		case 1:
			with = c.pick(append(piece.FindAllString(text, -1), "")...)
		case 2:
			with = c.pick(append(piece.FindAllString(c.pick(seeds...), -1), "")...)
		}
		if c.next(2) == 0 {
			at[1] = at[0]
		}
		text = text[:at[0]] + with + text[at[1]:]
	}
	return text
}

// editDocument replaces, adds and removes values in a document. It edits some documents as text, and those that cannot be
// parsed.
func (c *chooser) editDocument(t *testing.T, text string, seeds []string, mediaType string) string {
	read := func(text string) *tree.Value {
		doc, err := tree.ReadJSON(text, nil)
		if err != nil {
			doc, err = tree.ReadYAML(text, nil)
		}
		if err != nil {
			return tree.NewNull()
		}
		return doc.Root
	}
	root := read(text)
	if root.Len() == 0 || c.next(4) == 0 {
		return c.editText(text, seeds)
	}
	scalars := []*tree.Value{
		tree.NewNull(), tree.NewBool(true), tree.NewInt(-1), tree.NewString(""), tree.NewString("#/components/schemas/S"), tree.NewString("{{a}}/:b"),
		tree.NewNumber("1e999"), tree.NewArray(), tree.NewObject(), tree.NewArray(tree.NewString("null"), tree.NewObject()),
	}
	for range c.next(6) {
		all, others := values(root), values(root)
		switch c.next(3) {
		case 0:
			others = scalars
		case 1:
			others = values(read(c.pick(seeds...)))
		}
		from := others[c.next(len(others))]
		with := from.Clone(tree.NewQuota(1<<12, nil))
		if with == nil || root.Len() == 0 {
			continue
		}
		to := all[c.next(len(all))]
		switch names := append(to.Names(), append(from.Names(), "$ref", "", "x")...); {
		case to.Kind() == tree.Object && c.next(2) == 0:
			to.Set(c.pick(names...), with)
		case to.Kind() == tree.Object && c.next(2) == 0:
			to.Delete(c.pick(names...))
		case to.Kind() == tree.Array && c.next(2) == 0:
			to.Append(with)
		case to != root:
			to.Become(with)
		}
	}
	text = string(check.Value(root.AppendJSON(nil, 1<<20))(t))
	if mediaType == "application/json" {
		return text
	}
	scanner := jsondoc.NewScanner(text)
	defer scanner.Release()
	yaml := check.Value(yamldoc.FromJSON(t.Context(), nil, scanner, 2, convert.NewOutputLimit(1<<20, 1<<20)))(t)
	return c.editText(string(yaml), seeds)
}
