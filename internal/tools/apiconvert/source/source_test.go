package source

import (
	"errors"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions"
)

type sourceCase struct {
	Name         string
	YAML, Plain  bool
	Input        string
	Format       Format
	Version      versions.Version
	Members      int
	Code         convert.Code
	Says         string // a part of the detail
	Line, Column int
}

func TestDetect(t *testing.T) {
	var cases []sourceCase
	converttest.Data(t, "testdata/sources.yaml", &cases)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			mediaType := "application/json"
			if c.YAML {
				mediaType = "application/yaml"
			} else if c.Plain {
				mediaType = "text/plain"
			}
			got, err := Detect(mediaType, c.Input, nil)
			if c.Code == "" {
				check.OK(t, err)
				if got.Format != c.Format || got.Version != c.Version || c.Members > 0 && got.Doc.Root.Len() != c.Members {
					t.Errorf("got %+v", got)
				}
				return
			}
			var f *convert.Failure
			if !errors.As(err, &f) {
				t.Fatalf("recognised as %+v, want %s", got, c.Code)
			}
			if !strings.Contains(f.Detail, c.Says) {
				t.Errorf("want one that says %q, got %v", c.Says, f)
			}
			if f.Code != c.Code || c.Line != 0 && c.Line != f.Line || c.Column != 0 && c.Column != f.Column {
				t.Errorf("want %s at line %d, column %d, got %v", c.Code, c.Line, c.Column, f)
			}
		})
	}
}

func TestCorpus(t *testing.T) {
	for folder, want := range map[string]Format{"openapi": OpenAPI, "postman": Postman, "curl": Shell} {
		for name, text := range converttest.CorpusTexts(t, "apiconvert/"+folder+"/*") {
			mediaType := "application/yaml"
			if folder == "curl" {
				mediaType = "text/plain"
			} else if strings.HasSuffix(name, ".json") {
				mediaType = "application/json"
			}
			got, err := Detect(mediaType, text, nil)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			} else if got.Format != want {
				t.Errorf("%s: format %d, want %d", name, got.Format, want)
			}
		}
	}
}
