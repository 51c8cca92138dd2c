package tree

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
)

type readCase struct {
	Name   string
	Input  string
	Repeat []struct {
		Text  string
		Times int
	}
	JSON         string
	Code         convert.Code
	Line, Column int
}

func load(tb testing.TB, file string) []readCase {
	tb.Helper()
	var cases []readCase
	converttest.Data(tb, file, &cases)
	for i := range cases {
		for _, r := range cases[i].Repeat {
			cases[i].Input += strings.Repeat(r.Text, r.Times)
		}
	}
	return cases
}

func TestRead(t *testing.T) {
	for file, read := range map[string]func(string, *budget.Budget) (*Document, error){
		"testdata/json.yaml": ReadJSON,
		"testdata/yaml.yaml": ReadYAML,
	} {
		for _, c := range load(t, file) {
			t.Run(c.Name, func(t *testing.T) {
				doc, err := read(c.Input, nil)
				if c.Code == "" {
					check.OK(t, err)
					if got := text(t, doc.Root); c.JSON != "" && c.JSON != got {
						t.Errorf("want %s, got %s", c.JSON, got)
					}
					return
				}
				var f *convert.Failure
				if !errors.As(err, &f) {
					t.Fatalf("accepted, want %s", c.Code)
				}
				if f.Code != c.Code || c.Line != 0 && c.Line != f.Line || c.Column != 0 && c.Column != f.Column {
					t.Errorf("want %s at line %d, column %d, got %v", c.Code, c.Line, c.Column, f)
				}
			})
		}
	}
}

func text(tb testing.TB, v *Value) string {
	tb.Helper()
	out := check.Value(v.AppendJSON(nil, 8<<20))(tb)
	return string(out)
}

// hostile builds documents of about size bytes that have hurt YAML readers.
func hostile(size int) map[string]string {
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	count := func(format string, head, tail string) string {
		var b strings.Builder
		b.WriteString(head)
		for i := 0; b.Len() < size-64; i++ {
			b.WriteString(strings.ReplaceAll(format, "%d", fmt.Sprint(i)))
		}
		return b.String() + tail
	}
	bomb := func(format, first string) string {
		var b strings.Builder
		b.WriteString(first)
		for i := 1; i < 20; i++ {
			fmt.Fprintf(&b, format, i, i-1)
		}
		return b.String()
	}
	var stairs strings.Builder
	for i := 0; stairs.Len() < size-2000; i++ {
		stairs.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return map[string]string{
		"flow sequences":     fill("["),
		"flow mappings":      fill("{a: "),
		"block sequences":    fill("- "),
		"explicit keys":      fill("? "),
		"stairs":             stairs.String(),
		"block keys":         count("k%d: 1\n", "", ""),
		"flow keys":          count("k%d: 1, ", "{", "}"),
		"anchors":            count("- &a%d x\n- *a%d\n", "", ""),
		"scalars":            "[" + strings.Repeat("1,", size/8) + "]",
		"more scalars":       "[" + strings.Repeat("1,", size/2-2) + "]",
		"empty sequences":    "[" + strings.Repeat("[],", size/3-2) + "]",
		"one number":         fill("1"),
		"one fraction":       "1." + fill("1")[2:],
		"one exponent":       "1e" + fill("9")[2:],
		"one hex number":     "0x" + fill("f")[2:],
		"one string":         fill("a"),
		"one quoted":         `"` + fill(`\n`)[2:] + `"`,
		"one tag":            "!" + fill("a")[8:] + " x",
		"documents":          fill("---\n"),
		"dates":              fill("- 2001-01-01\n"),
		"comments":           fill("a:\n#x\n"),
		"trailing comments":  fill("- a #b\n"),
		"comments, half":     strings.Repeat("?\n#\n", size/8),
		"dashes, half":       strings.Repeat("- #\n", size/8),
		"explicit, half":     strings.Repeat("?\n", size/4),
		"flow names":         "{" + strings.Repeat("a,", size/4) + "}",
		"merges of nothing":  "a: &a {}\nb:\n" + fill("  <<: *a\n")[64:],
		"wide merged often":  "a: &a {" + count("k%d: 1, ", "", "")[:size/2] + "}\nb:\n" + fill("  <<: *a\n")[:size/4],
		"alias bomb":         bomb("a%[1]d: &a%[1]d [*a%[2]d,*a%[2]d,*a%[2]d,*a%[2]d,*a%[2]d,*a%[2]d,*a%[2]d,*a%[2]d,*a%[2]d]\n", "a0: &a0 [lol]\n"),
		"merge bomb":         bomb("a%[1]d: &a%[1]d {<<: [*a%[2]d,*a%[2]d,*a%[2]d,*a%[2]d,*a%[2]d,*a%[2]d,*a%[2]d,*a%[2]d]}\n", "a0: &a0 {b: 1}\n"),
		"long string, often": "- &a " + fill("x")[:size/2] + "\n" + fill("- *a\n")[:size/3],
		"long name, often":   "- &a {" + fill("x")[:size/2] + ": 1}\n" + fill("- *a\n")[:size/3],
		"one line of names":  "{" + strings.Repeat("é", 1000) + ": [" + strings.Repeat("é,", size/5) + "]}",
	}
}

// A hostile document of 1 MiB allocates at most 256 MiB in total.
func TestYAMLHostile(t *testing.T) {
	size := 1 << 20
	if testing.Short() {
		size /= 8
	}
	for name, input := range hostile(size) {
		var err error
		cost := converttest.Measure(func() int { _, err = ReadYAML(input, nil); return 0 })
		if cost.Bytes > 256*size {
			t.Errorf("%s: %d MiB (%v)", name, cost.Bytes>>20, err)
		}
	}
}

func FuzzJSON(f *testing.F) {
	for _, c := range load(f, "testdata/json.yaml") {
		if len(c.Input) < 1000 {
			f.Add(c.Input)
		}
	}
	f.Fuzz(func(t *testing.T, input string) {
		input = strings.ToValidUTF8(input, "?")
		doc, err := ReadJSON(input, nil)
		if err != nil {
			return
		}
		// encoding/json is the oracle: the same value before and after.
		var want, got any
		check.OK(t, decode(doc.Text, &want))
		check.OK(t, decode(text(t, doc.Root), &got))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

func decode(text string, into *any) error {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	return d.Decode(into)
}

func FuzzYAML(f *testing.F) {
	for _, c := range load(f, "testdata/yaml.yaml") {
		if len(c.Input) < 1000 {
			f.Add(c.Input)
		}
	}
	f.Fuzz(func(t *testing.T, input string) {
		input = strings.ToValidUTF8(input, "+")
		sameAsLibrary(t, input)
		doc, err := ReadYAML(input, nil)
		if err != nil {
			var failure *convert.Failure
			if !errors.As(err, &failure) {
				t.Fatalf("not a Failure: %v", err)
			}
			return
		}
		// What was read is JSON that reads back as the same value, and every offset lies within the document.
		written := text(t, doc.Root)
		again, err := ReadJSON(written, nil)
		if err != nil {
			t.Fatalf("%s: %v", written, err)
		}
		if !doc.Root.Equal(again.Root) || text(t, again.Root) != written {
			t.Errorf("%s read back differs", written)
		}
		if at := doc.Offset(doc.Root); at < 0 || at > len(doc.Text) {
			t.Errorf("offset %d", at)
		}
	})
}

func TestCorpus(t *testing.T) {
	for name, input := range converttest.CorpusTexts(t, "apiconvert/*/*.json") {
		doc, err := ReadJSON(input, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		// JSON is valid YAML too, but the parser doesn't support surrogate pairs.
		if strings.Contains(input, `\ud`) {
			continue
		}
		same, err := ReadYAML(input, nil)
		if err != nil {
			t.Errorf("%s as YAML: %v", name, err)
		} else if !doc.Root.Equal(same.Root) {
			t.Errorf("%s differs as YAML", name)
		}
	}
	for name, input := range converttest.CorpusTexts(t, "apiconvert/openapi/*.y*ml") {
		if _, err := ReadYAML(input, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
