package curlcmd

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
)

// testCase is a shell text and the requests it sends, or the failure.
type testCase struct {
	Name      string        `yaml:"name"`
	Input     string        `yaml:"input"`
	Requests  []testRequest `yaml:"requests"`
	Variables []string      `yaml:"variables"` // NAME, or NAME=default
	Notes     []string      `yaml:"notes"`

	Code   convert.Code `yaml:"code"`
	Line   int          `yaml:"line"`
	Column int          `yaml:"column"`
}

// testRequest is a request in a form that is easily written.
type testRequest struct {
	Request  string   `yaml:"request"` // the method and the URL
	Comment  string   `yaml:"comment"`
	Headers  []string `yaml:"headers"` // "Name: value", "-Name" for a removed one
	Auth     string   `yaml:"auth"`    // "basic user:password", "bearer token"
	Data     string   `yaml:"data"`
	JSON     bool     `yaml:"json"`
	File     string   `yaml:"file"`
	Form     []string `yaml:"form"`     // as -F would have it
	Type     string   `yaml:"type"`     // the content type unless it is curl's own doing
	Parts    []string `yaml:"parts"`    // of data with files in it: "option text" or "option @file"
	Settings []string `yaml:"settings"` // "option", "no-option" or "option=value"; a secret's value is ***
	Notes    []string `yaml:"notes"`    // "code option"
}

func showRequest(r Request) testRequest {
	t := testRequest{Request: r.Method + " " + r.URL, Comment: r.Comment, JSON: r.Body.JSON}
	t.Headers = showHeaders(r.Headers)
	switch a := r.Auth; {
	case a.Scheme == Bearer:
		t.Auth = "bearer " + a.Token
	case a.Scheme != NoAuth:
		t.Auth = string(a.Scheme) + " " + a.User
		if a.HasPassword {
			t.Auth += ":" + a.Password
		}
		t.Auth = strings.TrimSpace(t.Auth + " " + a.Signature)
	}
	t.Data, t.File = r.Body.Text, r.Body.Path
	for _, f := range r.Body.Fields {
		t.Form = append(t.Form, showField(f))
	}
	if !r.Body.Implied {
		t.Type = r.Body.ContentType
	}
	for _, p := range r.Body.Parts {
		if p.File != "" {
			t.Parts = append(t.Parts, p.Option+" "+p.Text+"@"+p.File)
		} else if len(r.Body.Parts) > 1 {
			t.Parts = append(t.Parts, p.Option+" "+p.Text)
		}
	}
	for _, s := range r.Settings {
		text := s.Option
		if s.Off {
			text = "no-" + text
		}
		if s.Secret {
			s.Value = "***"
		}
		if s.Value != "" {
			text += "=" + s.Value
		}
		t.Settings = append(t.Settings, text)
	}
	for _, n := range r.Notes {
		t.Notes = append(t.Notes, strings.TrimSpace(n.Code()+" "+n.Option))
	}
	return t
}

func showHeaders(headers []Header) []string {
	var all []string
	for _, h := range headers {
		text := h.Name + ": " + h.Value
		if h.Removed {
			text = "-" + h.Name
		}
		all = append(all, text)
	}
	return all
}

func showField(f FormField) string {
	text := f.Name + "=" + f.Value
	if f.Reference != "" {
		text += "<" + f.Reference
	}
	text += showPart(f.ContentType, f.FileName, f.Headers)
	for i, file := range f.Files {
		if i > 0 {
			text += ","
		}
		text += "@" + file.Path
		if file.HasText {
			text += " (" + file.Text + ")"
		}
		text += showPart(file.ContentType, file.FileName, file.Headers)
	}
	return text
}

func showPart(contentType, fileName string, headers []Header) string {
	text := ""
	if contentType != "" {
		text += ";type=" + contentType
	}
	if fileName != "" {
		text += ";filename=" + fileName
	}
	for _, h := range showHeaders(headers) {
		text += ";headers=" + h
	}
	return text
}

func loadCases(tb testing.TB) []testCase {
	tb.Helper()
	var cases []testCase
	converttest.Data(tb, "testdata/cases.yaml", &cases)
	return cases
}

func TestCases(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range loadCases(t) {
		if c.Name == "" || seen[c.Name] {
			t.Fatalf("name %q is empty or stands twice", c.Name)
		}
		seen[c.Name] = true
		t.Run(c.Name, func(t *testing.T) {
			result, err := Read(c.Input, false, nil)
			if c.Code != "" {
				var failure *convert.Failure
				if !errors.As(err, &failure) {
					t.Fatalf("want %s, got %v", c.Code, err)
				}
				if failure.Code != c.Code || failure.Line != c.Line || failure.Column != c.Column {
					t.Fatalf("want %s at line %d, column %d, got %v", c.Code, c.Line, c.Column, failure)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got := showResult(result)
			got.Name, got.Input = c.Name, c.Input
			if diff := cmp.Diff(c, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func showResult(result *Result) testCase {
	var c testCase
	for _, r := range result.Requests {
		c.Requests = append(c.Requests, showRequest(r))
	}
	for _, v := range result.Variables {
		text := v.Name
		if v.HasDefault {
			text += "=" + v.Default
		}
		c.Variables = append(c.Variables, text)
	}
	for _, n := range result.Notes {
		c.Notes = append(c.Notes, n.Code())
	}
	return c
}

func TestPlaces(t *testing.T) {
	const text = "true; curl http://x/{a,b} --next http://y/\n curl --version; curl http://z/"
	result, err := Read(text, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range result.Requests {
		got = append(got, fmt.Sprint(r.Place.Command, r.Place.Operation, r.Place.URL, r.Place.Offset))
	}
	want := []string{"1 1 1 6", "1 1 2 6", "1 2 1 6", "3 1 1 60"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
