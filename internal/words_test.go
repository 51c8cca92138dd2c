package internal

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
)

// giveaways maps words that sound translated to better ones; see docs/glossary.md for the terms.
var giveaways = map[string]string{
	`told`:                 "reported, warned about",
	`mend(s|ed|ing)?`:      "fix, fixed",
	`stands?`:              "is, appears",
	`beside`:               "next to, in addition to, compared with",
	`(is|are) none`:        "is not one, has no",
	`made up`:              "generated, default",
	`whoever`:              "callers that",
	`one of ours`:          "internal",
	`without doubt`:        "unambiguous",
	`cannot be (had|been)`: "is not supported",
}

// misnomers maps words that name something else than what a text for users means to
// the right ones. In comments they are common, and sometimes right.
var misnomers = map[string]string{
	`answer(s|ed)?`:     "response, returns: people answer, servers respond",
	`API descriptions?`: "OpenAPI document: a description is one of its properties",
	`spelt`:             "spelled: the spelling is American",
	`in no form`:        "not in a supported format",
	`behind (the|it)`:   "after: only a server is behind something, a proxy",
}

// deliberate are parts of texts in which such a word is correct.
var deliberate = []string{
	"alg is none",      // the algorithm's name
	`\"answer\"`,       // a name in an example of JSON
	`"answer"`,         //
	"`answer`",         //
	"answer: ",         // the same in YAML
	"answer = ",        // a variable in a program
	"local answer",     //
	"behind the proxy", // is where the server is
}

// thereIsNone is idiomatic; "what is none" is not.
var thereIsNone = regexp.MustCompile(`(?i)\bthere (is|are) none\b`)

// mostInComments is the maximum number of giveaways in Go comments. Lower it when
// comments are rewritten; never raise it.
const mostInComments = 5

// anyOf returns an expression that matches each of these words.
func anyOf(words ...map[string]string) *regexp.Regexp {
	var all []string
	for _, list := range words {
		all = slices.AppendSeq(all, maps.Keys(list))
	}
	return regexp.MustCompile(`(?i)\b(` + strings.Join(all, "|") + `)\b`)
}

// without removes what is correct although it contains one of the words.
func without(text string) string {
	for _, right := range deliberate {
		text = strings.ReplaceAll(text, right, "")
	}
	return thereIsNone.ReplaceAllString(text, "")
}

// TestWords looks for giveaways in documents and in Go comments, and for these and
// misnomers in the texts that users see.
func TestWords(t *testing.T) {
	words := anyOf(giveaways)
	for _, page := range documents(t) {
		text := check.File(t, page)
		if strings.HasPrefix(text, "# Performance") { // make bench writes it
			continue
		}
		for line := range strings.Lines(text) {
			if found := words.FindString(without(line)); found != "" {
				t.Errorf("%s: %q sounds translated: %s", page, found, line)
			}
		}
	}
	count := 0
	everyFile(t, func(name string, file *ast.File) {
		for _, comment := range file.Comments {
			count += len(words.FindAllString(without(comment.Text()), -1))
		}
	})
	if count > mostInComments {
		t.Errorf("Go comments have %d words that sound translated, at most %d are allowed:\n%v", count, mostInComments, giveaways)
	}
	t.Logf("%d words in Go comments", count)
}

// TestWordsOfMessages looks for giveaways and misnomers in the texts that users see: the OpenAPI document without its
// samples of code, the strings of Go and of the pages' scripts, and the pages' templates.
func TestWordsOfMessages(t *testing.T) {
	words := anyOf(giveaways, misnomers)
	search := func(name, text string) {
		for line := range strings.Lines(text) {
			if found := words.FindString(without(line)); found != "" {
				t.Errorf("%s: %q: %s\nbetter: %v %v", name, found, line, giveaways, misnomers)
			}
		}
	}
	samples := regexp.MustCompile(`(?m)^ {6}x-codeSamples:\n(?: {8}.*\n|\n)*`)
	search("openapi.yaml", samples.ReplaceAllString(check.File(t, "../openapi/openapi.yaml"), ""))
	for _, page := range check.Glob(t, "web/templates/*.html") {
		search(page, check.File(t, page))
	}
	code := regexp.MustCompile(`(?m)^\s*//.*|\\?\$\{[^}]*\}`)
	quoted := regexp.MustCompile("\"[^\"\n]* [^\"\n]*\"|`[^`\n]* [^`\n]*`")
	for _, script := range append(check.Glob(t, "web/editor/*.js"), check.Glob(t, "web/assets/*.js")...) {
		search(script, strings.Join(quoted.FindAllString(code.ReplaceAllString(check.File(t, script), ""), -1), "\n"))
	}
	everyFile(t, func(name string, file *ast.File) {
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "test/") {
			return
		}
		ast.Inspect(file, func(node ast.Node) bool {
			if literal, ok := node.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				if text, err := strconv.Unquote(literal.Value); err == nil && strings.Count(text, " ") > 2 {
					search(name, text)
				}
			}
			return true
		})
	})
}

// everyFile calls f for each Go file of the repository that is not generated.
func everyFile(t *testing.T, f func(name string, file *ast.File)) {
	t.Helper()
	out, err := exec.Command("git", "-C", "..", "ls-files", "*.go").Output()
	if err != nil {
		t.Skip("not a Git working tree")
	}
	files := token.NewFileSet()
	for name := range strings.FieldsSeq(string(out)) {
		file, err := parser.ParseFile(files, filepath.Join("..", name), nil, parser.ParseComments|parser.SkipObjectResolution)
		check.OK(t, err)
		if !ast.IsGenerated(file) {
			f(name, file)
		}
	}
}

// TestReadmeIsShort limits the length of the README: reference material belongs below docs/.
func TestReadmeIsShort(t *testing.T) {
	if lines := strings.Count(check.File(t, "../README.md"), "\n"); lines > 200 {
		t.Errorf("README.md has %d lines; 200 are allowed", lines)
	}
}
