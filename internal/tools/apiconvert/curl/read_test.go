package curl

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/extract"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// readCase is a script and either the requests it sends or the failure.
type readCase struct {
	Name      string        `yaml:"name"`
	Input     string        `yaml:"input"`
	Requests  []testRequest `yaml:"requests"`
	Variables []string      `yaml:"variables"` // NAME, or NAME=default
	Warnings  []string      `yaml:"warnings"`
	Differs   string        `yaml:"differs"` // why the written form sends something else, if it does

	Code   convert.Code `yaml:"code"`
	Line   int          `yaml:"line"`
	Column int          `yaml:"column"`
}

// testRequest is a request in a form that is easy to write.
type testRequest struct {
	Request  string   `yaml:"request"` // the method and the URL
	Comment  string   `yaml:"comment"` // name and description
	Headers  []string `yaml:"headers"` // "Name: value"
	Cookies  []string `yaml:"cookies"`
	Auth     string   `yaml:"auth"`     // "basic user:password", "bearer token"
	Type     string   `yaml:"type"`     // the body's media type, with ? if it was guessed
	Text     string   `yaml:"text"`     // the body as text
	File     string   `yaml:"file"`     // the file that is the body
	Fields   []string `yaml:"fields"`   // form fields
	Settings []string `yaml:"settings"` // "option" or "option=value"
}

var authKinds = map[request.AuthKind]string{
	request.Basic: "basic", request.Bearer: "bearer", request.Digest: "digest", request.NTLM: "ntlm",
	request.AWSSignature4: "aws", request.OtherScheme: "other", request.APIKey: "key",
}

func showRequest(r *request.Request) testRequest {
	t := testRequest{Request: r.Method + " " + r.Server.URL + r.Path, Comment: strings.Trim(r.Name+"\n"+r.Description, "\n")}
	for i, p := range r.Query {
		t.Request += map[bool]string{true: "?", false: "&"}[i == 0] + p.Name
		if !p.Bare {
			t.Request += "=" + p.Value
		}
	}
	for _, h := range r.Headers {
		t.Headers = append(t.Headers, h.Name+": "+h.Value)
	}
	for _, c := range r.Cookies {
		t.Cookies = append(t.Cookies, c.Name+"="+c.Value)
	}
	if r.Security != nil {
		a := r.Security.Alternatives[0][0]
		t.Auth = strings.TrimSpace(authKinds[a.Kind] + " " + a.Key + a.Username + ":" + a.Password + " " + a.Token)
		for _, s := range a.Settings {
			t.Auth += " " + s.Name + "=" + s.Value
		}
	}
	for _, b := range r.Bodies {
		t.Type, t.Text, t.File = b.MediaType, b.Text, b.Path
		if b.TypeGuessed {
			t.Type += "?"
		}
		for _, f := range b.Fields {
			t.Fields = append(t.Fields, showField(f))
		}
	}
	for _, o := range r.Transport {
		text := o.Name
		if !o.Bare {
			text += "=" + o.Value
		}
		t.Settings = append(t.Settings, text)
	}
	return t
}

func showField(f *request.Field) string {
	text := f.Name + "=" + f.Value
	if f.IsFile {
		text += "@" + strings.Join(f.Files, ",")
	}
	if f.ValueFile != "" {
		text += "<" + f.ValueFile
	}
	if f.ContentType != "" {
		text += ";type=" + f.ContentType
	}
	if f.FileName != "" {
		text += ";filename=" + f.FileName
	}
	return text
}

func readCases(tb testing.TB) []readCase {
	tb.Helper()
	var all []readCase
	converttest.Data(tb, "testdata/read.yaml", &all)
	return all
}

func readCaseOf(text string) (c readCase) {
	warnings := &warning.List{}
	api, err := Read(&extract.Script{Text: text}, false, nil, warnings)
	var failure *convert.Failure
	if errors.As(err, &failure) {
		return readCase{Code: failure.Code, Line: failure.Line, Column: failure.Column}
	}
	for _, r := range api.Requests {
		c.Requests = append(c.Requests, showRequest(r))
	}
	for _, v := range api.Variables {
		c.Variables = append(c.Variables, strings.TrimSuffix(v.Name+"="+v.Value, "="))
	}
	c.Warnings = warnings.Strings()
	return c
}

func TestRead(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range readCases(t) {
		if c.Name == "" || seen[c.Name] {
			t.Fatalf("name %q is empty or duplicate", c.Name)
		}
		seen[c.Name] = true
		t.Run(c.Name, func(t *testing.T) {
			got := readCaseOf(c.Input)
			if c.Code == "" && c.Differs == "" {
				readAgain(t, c.Input)
			}
			got.Differs, got.Name, got.Input = c.Differs, c.Name, c.Input
			if diff := cmp.Diff(c, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestShellWarnings checks that a case covers each warning from a note of the shell reader, and each feature that
// reading curl's options can lose or change.
func TestShellWarnings(t *testing.T) {
	var reported strings.Builder
	for _, c := range readCases(t) {
		for _, w := range c.Warnings {
			reported.WriteString(w + "\n")
		}
	}
	for _, n := range shellWarnings {
		line := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(n.feature.Code()) + `: (?:.*[,;] )?` + regexp.QuoteMeta(n.about) + `(?:,|;|\. | \()`)
		if !line.MatchString(reported.String()) {
			t.Errorf("%s: %s is in no case", n.feature.Code(), n.about)
		}
	}
	for _, f := range []warning.Feature{
		warning.ChangedAddress, warning.LostConfigFile, warning.ChangedOptions, warning.LostCookieFile, warning.LostEncoding, warning.LostGlobbing,
		warning.LostLocalFiles, warning.LostMalformed, warning.LostOtherCommands, warning.LostPipes, warning.LostProtocol, warning.ChangedProtocol,
		warning.ChangedSeveralUrls, warning.LostStandardInput, warning.LostCURLOption, warning.LostURL,
	} {
		if !strings.Contains(reported.String(), f.Code()+": ") {
			t.Errorf("%s is in no case", f.Code())
		}
	}
}
