package source

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/convertd/convertd/internal/convert"
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
	Line, Column int
}

func TestDetect(t *testing.T) {
	text, err := os.ReadFile("testdata/sources.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var cases []sourceCase
	if err := yaml.UnmarshalWithOptions(text, &cases, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			mediaType := "application/json"
			if c.YAML {
				mediaType = "application/yaml"
			} else if c.Plain {
				mediaType = "text/plain"
			}
			got, err := Detect(mediaType, c.Input)
			if c.Code == "" {
				if err != nil {
					t.Fatal(err)
				}
				if got.Format != c.Format || got.Version != c.Version || c.Members > 0 && got.Doc.Root.Len() != c.Members {
					t.Errorf("got %+v", got)
				}
				return
			}
			var f *convert.Failure
			if !errors.As(err, &f) {
				t.Fatalf("recognised as %+v, want %s", got, c.Code)
			}
			if f.Code != c.Code || c.Line != 0 && c.Line != f.Line || c.Column != 0 && c.Column != f.Column {
				t.Errorf("want %s at line %d, column %d, got %v", c.Code, c.Line, c.Column, f)
			}
		})
	}
}

func TestCorpus(t *testing.T) {
	for folder, want := range map[string]Format{"openapi": Description, "postman": Collection, "curl": Shell} {
		files, err := filepath.Glob("../../../../../shared/corpus/apiconvert/" + folder + "/*")
		if err != nil || len(files) == 0 {
			t.Skip("the corpus is not beside this checkout (../shared)")
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			mediaType := "application/yaml"
			if folder == "curl" {
				mediaType = "text/plain"
			} else if strings.HasSuffix(file, ".json") {
				mediaType = "application/json"
			}
			got, err := Detect(mediaType, string(text))
			if err != nil {
				t.Errorf("%s: %v", filepath.Base(file), err)
			} else if got.Format != want {
				t.Errorf("%s: format %d, want %d", filepath.Base(file), got.Format, want)
			}
		}
	}
}
