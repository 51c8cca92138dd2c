package yamlreaders

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/jsondoc"
)

// corpus is a folder of real and hand-made inputs that is not part of the project.
const corpus = "../../../shared/corpus/text/"

// source is a JSON text to be written as YAML and read back.
type source struct {
	name    string
	json    string
	indents []int
}

// everyIndent lists the indents of most sources.
var everyIndent = []int{1, 2, 4, 8}

// collector gathers the sources that the tool accepts.
type collector []source

func (c *collector) add(name, text string) { c.addWith(name, text, everyIndent...) }

// addWith adds a text if the tool accepts it.
func (c *collector) addWith(name, text string, indents ...int) {
	if !utf8.ValidString(text) {
		return
	}
	s := jsondoc.NewScanner(text)
	s.RejectUnsafe = true
	for {
		token, err := s.Next()
		if err != nil {
			return
		}
		if token.Kind == jsondoc.End {
			*c = append(*c, source{name, text, indents})
			return
		}
	}
}

// addString adds documents that hold text alone and in every position.
func (c *collector) addString(name, text string, indents ...int) {
	c.addWith(name+" alone", string(jsondoc.AppendString(nil, text)), indents...)
	c.addWith(name, everyPosition(text), indents...)
}

// everyPosition returns a JSON text that holds text as a value, a key and an
// entry, both followed by something and at the end.
func everyPosition(text string) string {
	q := jsondoc.AppendString(nil, text)
	return fmt.Sprintf(`{"value":%[1]s,"key":{%[1]s:%[1]s},"list":[%[1]s,[%[1]s,[%[1]s]],{"a":%[1]s}]}`, q)
}

func collect(t *testing.T) []source {
	var c collector
	c.fromCases(t)
	c.fromCorpus(t)
	c.handMade()
	c.generated(rand.New(rand.NewPCG(1, 2)))
	return c
}

// cases is the file of json_to_yaml's cases.
const cases = "../../internal/tools/jsontoyaml/testdata/cases.yaml"

// fromCases adds the inputs of the tool's cases that have an output.
func (c *collector) fromCases(t *testing.T) {
	for _, one := range converttest.Load(t, cases) {
		if one.Code == "" {
			c.add("case "+one.Name, one.Input)
		}
	}
}

// fromCorpus adds the corpus, if it is available.
func (c *collector) fromCorpus(t *testing.T) {
	if _, err := os.Stat(corpus); err != nil {
		t.Logf("no corpus at %s: only the project's own inputs are read back", corpus)
		return
	}
	var list []string
	check.JSON(t, check.File(t, corpus+"yaml/strings.json"), &list)
	for i, one := range list {
		c.addString(fmt.Sprintf("strings.json %d", i), one, everyIndent...)
	}
	for _, pattern := range []string{"yaml/suite-json/*", "json/real/*", "json/suite/*", "json/transform/*", "json/checker/*", "yaml/suite-text/*"} {
		for _, file := range check.Glob(t, corpus+pattern) {
			text := check.File(t, file)
			if strings.HasPrefix(pattern, "yaml/suite-text") {
				c.addString(filepath.Base(file), strings.ToValidUTF8(text, "?"), 1, 4)
			} else {
				c.add(filepath.Base(file), text)
			}
		}
	}
}

// numbers are lexemes that some reader misinterprets, or that are at the edge of the safe range.
var numbers = strings.Fields(`0 -0 1 -1 7 8 10 100 190 9007199254740991 -9007199254740991 0.0 -0.0 0.5 -0.5
	1.0 1.5 -1.5 1.10 0.1 0.001 1e0 1E0 1e1 1E1 1e+1 1e-1 1e01 1E-01 1e+05 -1e5 1.5e3 1.5E+3 -1.5e-3 0e0 0E+1
	0e-1 -0e0 0.0e0 0e999999999 -0E-999999999 1e22 1e23 5e-324 4.9e-324 2.2250738585072014e-308 1.7976931348623157e308
	0.30000000000000004 123456789.125 100000000000000000000.0 12345678901234567e5 0.00000000000000000001 1e15 1e16 1e21 1e-7
	12e1 12e02 120.50e1 685230.15e+03 0.1e1 60 190.20 20.30 1.20 9.007199254740993e1`)

func (c *collector) handMade() {
	c.add("numbers", "["+strings.Join(numbers, ",")+"]")
	for _, n := range numbers {
		c.add("number "+n, n)
		c.add("number "+n+" in an object", `{"a":`+n+`,"b":[`+n+`]}`)
	}
	c.add("a fraction of 2,000 digits", "0.1"+strings.Repeat("0", 2000))
	c.add("an exponent of 2,000 digits", "0e"+strings.Repeat("9", 2000))
	for _, length := range []int{300, 799, 801, 850, 1001, 100_000} {
		zeros := strings.Repeat("0", length)
		c.add(fmt.Sprint("zeros divided away: ", length), fmt.Sprintf("[25%se-%d,-25%[1]s.0E-%[2]d]", zeros, length))
		c.add(fmt.Sprint("zeros multiplied away: ", length), fmt.Sprintf("[0.%s25e%d,-25.%[1]se2]", zeros, length+2))
	}
	c.add("nulls", `[null,true,false,{"null":null,"true":true,"false":false,"":""}]`)
	const deepest = jsondoc.MaxDepth
	for _, depth := range []int{2, 3, 10, 60, 128, deepest} {
		repeat := strings.Repeat
		c.add(fmt.Sprint("arrays, depth ", depth), repeat("[", depth)+repeat("]", depth))
		c.add(fmt.Sprint("objects, depth ", depth), repeat(`{"a":`, depth-1)+"{}"+repeat("}", depth-1))
		c.add(fmt.Sprint("both, depth ", depth), repeat(`[{"a":`, depth/2)+`"x\ny"`+repeat("}]", depth/2))
		c.add(fmt.Sprint("wide, depth ", depth), repeat(`[1,`, depth)+`" x\ny"`+repeat(",2]", depth))
		c.add(fmt.Sprint("members, depth ", depth), repeat(`{"a":1,"b":`, depth)+`" x\ny\n\n"`+repeat(`,"c":[]}`, depth))
	}
	for _, length := range []int{990, 996, 1000, 1024, 2100} {
		for _, unit := range []string{"k", "a b ", "é", "\U0001F600", "\x01", "x\ny\n", ": "} {
			q := string(jsondoc.AppendString(nil, strings.Repeat(unit, length/len(unit)+1)))
			c.add(fmt.Sprintf("keys of %d bytes of %q", length, unit),
				fmt.Sprintf(`[{%[1]s:{%[1]s:"x\ny\n","a":"x\ny"},"b":[[{%[1]s:[[1],{"c":[]}]}]]}]`, q))
		}
	}
}

// pieces are the components of generated strings.
var pieces = []string{
	"a", "b", "x", "Z", "key", "true", "No", "on", "null", "~", "y", "1", "0", "9", "12", "1.5", "e", "e3", "0x1", "0o7", "_", "1_000",
	"12:30:45", "2001-12-14", "T", "<<", "=", ":", ": ", " :", "::", "#", " #", "# ", "-", "- ", " -", "--", "---", "...", "?", "? ",
	"!", "!!", "&", "*", "@", "`", "%", "|", "|+", ">", ">-", "'", "''", `"`, `""`, `\`, `\\`, `\n`, "/", "//", ".", ",", ", ", ";", "(", ")",
	"{", "}", "{}", "[", "]", "[]", "{a: b}", "$", "+", "^", "<", " ", "  ", "   ", "\t", "\t\t", "\n", "\n", "\n\n", " \n", "\n ", "\n  ",
	"\n\t", "\t\n", "\r", "\r\n", "\b", "\f", "\v", "\x00", "\x01", "\x1b", "\x7f", "\u0080", "\u0085", "\u009f", "\u00a0", "\u00ad",
	"é", "ß", "Ω", "и", "א", "ش", "٣", "\u061c", "１", "日本", "\u3000", "\u1680", "\u2003", "\u200b", "\u200d", "\u200e", "\u200f",
	"\u2028", "\u2029", "\u202a", "\u202e", "\u2066", "\u2069", "\u2060", "\ufeff", "\ufdd0", "\ufffd", "\ufffe", "\uffff", "\ue000",
	"\U0001F600", "\U0001FFFE", "\U0010FFFF", "\U000E0001", "e\u0301", "%YAML 1.1", "!!str", "&a", "*a", "http://a.b/c?d=e&f=g#h",
}

func generatedString(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(2+r.IntN(7)) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

// generatedLines generates text that becomes a literal block.
func generatedLines(r *rand.Rand) string {
	lines := []string{"", "", " ", "  ", "\t", "a", "b c", " a", "  a", "   a", "\ta", " \ta", "a ", "a\t", "# a", "- a", "a: b", "---", "...", "|", ">", "%a", "é", "\"a\"", "\\"}
	var b strings.Builder
	for range 1 + r.IntN(5) {
		b.WriteString(lines[r.IntN(len(lines))])
		b.WriteString(strings.Repeat("\n", 1+r.IntN(8)/6))
	}
	return strings.TrimSuffix(b.String(), []string{"", "\n"}[r.IntN(2)])
}

// generatedPlain generates text of the characters that a plain scalar may
// contain.
func generatedPlain(r *rand.Rand) string {
	const characters = "aeEnyXfo019_-./+()=,;@$:'!?&%*  "
	text := make([]byte, 1+r.IntN(9))
	for i := range text {
		text[i] = characters[r.IntN(len(characters))]
	}
	return string(text)
}

func (c *collector) generated(r *rand.Rand) {
	for i, piece := range pieces {
		c.addString(fmt.Sprint("piece ", i), piece, 2, 8)
	}
	for i := range 1000 {
		indent := everyIndent[i%len(everyIndent)]
		c.addString(fmt.Sprint("plain ", i), generatedPlain(r), indent)
		c.addString(fmt.Sprint("string ", i), generatedString(r), indent)
		c.addString(fmt.Sprint("lines ", i), generatedLines(r), indent)
	}
	for i := range 300 {
		c.add(fmt.Sprint("structure ", i), string(appendGenerated(nil, r, 1+r.IntN(6))))
	}
}

func appendGenerated(dst []byte, r *rand.Rand, depth int) []byte {
	kind := r.IntN(10)
	if depth == 0 {
		kind %= 6
	}
	switch kind {
	case 0:
		return append(dst, []string{"null", "true", "false", "{}", "[]"}[r.IntN(5)]...)
	case 1:
		return append(dst, numbers[r.IntN(len(numbers))]...)
	case 2:
		return jsondoc.AppendString(dst, generatedLines(r))
	case 3, 4:
		return jsondoc.AppendString(dst, generatedString(r))
	case 5:
		return jsondoc.AppendString(dst, "plain text")
	case 6, 7:
		dst = append(dst, '[')
		for i := range r.IntN(5) {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendGenerated(dst, r, depth-1)
		}
		return append(dst, ']')
	}
	dst = append(dst, '{')
	names := map[string]bool{}
	for range r.IntN(5) {
		name := generatedString(r)
		if names[name] {
			continue
		}
		if len(names) > 0 {
			dst = append(dst, ',')
		}
		names[name] = true
		dst = append(jsondoc.AppendString(dst, name), ':')
		dst = appendGenerated(dst, r, depth-1)
	}
	return append(dst, '}')
}
