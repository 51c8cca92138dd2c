// Package yamlreaders reads the YAML that internal/yamldoc writes with readers of three languages, for YAML 1.1 and
// 1.2, and compares the result with the JSON that it was written from. It contains only tests; setup.sh installs the
// readers of the other languages.
package yamlreaders

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/yamldoc"
)

// document is a source written as YAML.
type document struct {
	source
	indent int
	yaml   string
}

// TestEveryReaderSeesTheSameValue checks rules YAML-1 and YAML-7.
func TestEveryReaderSeesTheSameValue(t *testing.T) {
	documents := write(t, collect(t))
	t.Logf("%d documents", len(documents))
	t.Run("Go", func(t *testing.T) {
		t.Parallel()
		for _, r := range goReaders {
			t.Run(r.name, func(t *testing.T) {
				check := checker{t: t, kind: r.kind}
				for _, d := range documents {
					saw, err := r.read(d.yaml)
					if err != nil {
						saw = "! " + err.Error()
					}
					check.saw(d, saw)
				}
				check.report(len(documents))
			})
		}
	})
	t.Run("Node", func(t *testing.T) {
		t.Parallel()
		readWith(t, documents, "node", "read.mjs")
	})
	t.Run("Python", func(t *testing.T) {
		t.Parallel()
		readWith(t, documents, "../.venv/bin/python", "read.py")
	})
}

// write writes every source with its indents and keeps the outputs that differ.
func write(t *testing.T, sources []source) []document {
	var documents []document
	seen := map[string]bool{}
	for _, one := range sources {
		for _, indent := range one.indents {
			text, err := toYAML(one.json, indent)
			if err != nil {
				t.Fatalf("%s: %v", one.name, err)
			}
			if !seen[text] {
				seen[text] = true
				documents = append(documents, document{one, indent, text})
			}
		}
	}
	return documents
}

func toYAML(text string, indent int) (string, error) {
	s := jsondoc.NewScanner(text)
	s.RejectUnsafe = true
	budget := convert.NewOutputLimit(convert.MaxOutputCharacters, 4*convert.MaxOutputCharacters)
	out, err := yamldoc.FromJSON(context.Background(), nil, s, indent, budget)
	return string(out), err
}

// shownMismatches is the maximum number of misread documents to print per reader.
const shownMismatches = 20

// checker counts the documents that one reader misreads.
type checker struct {
	t     *testing.T
	kind  kindOf
	wrong int
}

// saw records the JSON text that the reader produced for a document.
func (c *checker) saw(d document, saw string) {
	c.t.Helper()
	difference := compare(d.json, saw, c.kind)
	if difference == "" {
		return
	}
	if c.wrong++; c.wrong <= shownMismatches {
		c.t.Errorf("%s, indent %d: %.300q\n%s", d.name, d.indent, d.yaml, difference)
	}
}

// compare returns how a reader's result differs from the source, "" if it does not.
func compare(source, saw string, kind kindOf) string {
	want, err := canonical(source, kind)
	if err != nil {
		return fmt.Sprintf("the source: %v", err)
	}
	if kind.Depth > 0 && depth(source) > kind.Depth {
		if !strings.HasPrefix(saw, "!") {
			return "read, though deeper than the reader is known to go"
		}
		return ""
	}
	got, err := canonical(saw, kind)
	if err != nil {
		got = saw
	}
	if got == want {
		return ""
	}
	at := 0
	for at < len(want) && at < len(got) && want[at] == got[at] {
		at++
	}
	at = max(0, at-40)
	return fmt.Sprintf("from byte %d of it want %.200q\n got %.400q", at, want[at:], got[at:])
}

func (c *checker) report(of int) {
	c.t.Helper()
	if c.wrong > 0 {
		c.t.Errorf("%d of %d documents read back to another value", c.wrong, of)
	}
}
