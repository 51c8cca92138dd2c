package source

import (
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/convert/converttest"
)

func TestMediaType(t *testing.T) {
	for text, want := range map[string]string{
		`{"openapi":"3.0.3"}`:     "application/json",
		"\ufeff\n { }":            "application/json",
		"{":                       "application/json",
		`[{"a":1}]`:               "application/json",
		"{openapi: 3.0.3}":        "application/yaml",
		"openapi: 3.0.3\n":        "application/yaml",
		"# curl is good\r\ninfo:": "application/yaml",
		`"swagger" : "2.0"`:       "application/yaml",
		"swagger: '2.0'\npaths:\n  /x:\n    get:\n      description: |\n        curl https://example.com\n": "application/yaml",
		"":                         "application/yaml",
		"curl https://example.com": "text/plain",
		"jobs:\n  a:\n    steps:\n      - run: curl https://example.com\n":                 "text/plain",
		"#!/bin/sh\n\ncurl -X POST https://example.com -d '{\"info\": 1}'":                 "text/plain",
		"Invoke-RestMethod https://example.com":                                            "text/plain",
		"# Pets\n\n```sh\ncurl https://example.com\n```\n\n```yaml\nopenapi: 3.0.3\n```\n": "text/plain",
	} {
		if got := MediaType(text); got != want {
			t.Errorf("%q: want %s, got %s", text, want, got)
		}
	}
}

// TestMediaTypeCorpus checks that MediaType recognizes the documents and scripts of the corpus without their names.
func TestMediaTypeCorpus(t *testing.T) {
	for _, folder := range []string{"openapi", "postman", "curl"} {
		for name, text := range converttest.CorpusTexts(t, "apiconvert/"+folder+"/*") {
			want := "application/yaml"
			if folder == "curl" {
				want = "text/plain"
			} else if strings.HasPrefix(text, "{") { // some have the wrong extension
				want = "application/json"
			}
			if got := MediaType(text); got != want {
				t.Errorf("%s: want %s, got %s", name, want, got)
			}
		}
	}
}
