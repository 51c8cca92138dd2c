package internal

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// giveaways maps words that sound translated to better ones; see docs/glossary.md
// for the terms.
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

// deliberate are lines of documents in which such a word is correct.
var deliberate = []string{
	"The header's alg is none: the token is not signed", // none is the algorithm's name
}

// thereIsNone is idiomatic; "what is none" is not.
var thereIsNone = regexp.MustCompile(`(?i)\bthere (is|are) none\b`)

// mostInComments is the maximum number of these words in Go comments. Lower it
// when comments are rewritten; never raise it.
const mostInComments = 5

func giveaway(t *testing.T) *regexp.Regexp {
	t.Helper()
	var words []string
	for word := range giveaways {
		words = append(words, word)
	}
	return regexp.MustCompile(`(?i)\b(` + strings.Join(words, "|") + `)\b`)
}

// TestWords looks for giveaway words in documents and in Go comments.
func TestWords(t *testing.T) {
	words := giveaway(t)
	for _, page := range documents(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(string(text), "# Performance") { // make bench writes it
			continue
		}
	lines:
		for line := range strings.Lines(string(text)) {
			for _, right := range deliberate {
				if strings.Contains(line, right) {
					continue lines
				}
			}
			if found := words.FindString(line); found != "" {
				t.Errorf("%s: %q sounds translated: %s", page, found, line)
			}
		}
	}
	out, err := exec.Command("git", "-C", "..", "ls-files", "*.go").Output()
	if err != nil {
		t.Skip("not a Git working tree")
	}
	count, files := 0, token.NewFileSet()
	for _, name := range strings.Fields(string(out)) {
		file, err := parser.ParseFile(files, filepath.Join("..", name), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if ast.IsGenerated(file) {
			continue
		}
		for _, comment := range file.Comments {
			count += len(words.FindAllString(thereIsNone.ReplaceAllString(comment.Text(), ""), -1))
		}
	}
	if count > mostInComments {
		t.Errorf("Go comments have %d words that sound translated, at most %d are allowed:\n%v", count, mostInComments, giveaways)
	}
	t.Logf("%d words in Go comments", count)
}

// TestReadmeIsShort limits the length of the README: reference material belongs
// below docs/.
func TestReadmeIsShort(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(text), "\n"); lines > 200 {
		t.Errorf("README.md has %d lines; 200 are allowed", lines)
	}
}
