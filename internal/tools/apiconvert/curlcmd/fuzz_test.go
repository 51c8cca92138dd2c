package curlcmd

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
)

// FuzzRead holds every reading to what the package promises, and each request
// to itself: written out again as a plain command, it is the same request.
func FuzzRead(f *testing.F) {
	for _, c := range loadCases(f) {
		f.Add(c.Input)
	}
	for _, g := range hostile {
		f.Add(g.Text(10 * len(g[1])))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		result, err := Read(text, false, nil)
		if err != nil {
			var failure *convert.Failure
			if !errors.As(err, &failure) || failure.Line < 1 || failure.Column < 1 {
				t.Fatalf("not a failure with a place: %v", err)
			}
			return
		}
		again, err := Read(text, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(result, again); diff != "" {
			t.Fatalf("not deterministic (-first +second):\n%s", diff)
		}
		for i, r := range result.Requests {
			checkRequest(t, text, r)
			if i < 100 {
				checkAgain(t, r)
			}
		}
	})
}

func checkRequest(t *testing.T, text string, r Request) {
	t.Helper()
	if r.Place.Offset < 0 || r.Place.Offset > len(text) || r.Place.Command < 1 || r.Place.Operation < 1 || r.Place.URL < 1 {
		t.Fatalf("place %+v", r.Place)
	}
	if r.Method == "" || !strings.Contains(r.URL, "://") && request.VariableLength(r.URL) == 0 {
		t.Fatalf("request %q %q", r.Method, r.URL)
	}
	shown := showRequest(r)
	for _, s := range append(append(append([]string{shown.Request, shown.Data, shown.File}, shown.Headers...), shown.Form...), shown.Notes...) {
		if !utf8.ValidString(s) {
			t.Fatalf("not UTF-8: %q", s)
		}
	}
}

// checkAgain writes r as one command with everything quoted and reads it back.
func checkAgain(t *testing.T, r Request) {
	t.Helper()
	command, ok := writeAgain(r)
	if !ok {
		return
	}
	result, err := Read(command, false, nil)
	if err != nil || len(result.Requests) != 1 {
		t.Fatalf("%s\n%v %+v", command, err, result)
	}
	want, got := showRequest(r), showRequest(result.Requests[0])
	for _, s := range []*testRequest{&want, &got} {
		s.Comment, s.Parts, s.Settings, s.Notes = "", nil, nil, nil
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%s\n(-want +got):\n%s", command, diff)
	}
}

// writeAgain is the request as a command, if it can be written plainly.
func writeAgain(r Request) (string, bool) {
	words := []string{"--globoff", "--path-as-is", "--request", r.Method, "--url", r.URL}
	for _, h := range r.Headers {
		switch {
		case h.Removed:
			words = append(words, "-H", h.Name+":")
		case h.Value == "":
			words = append(words, "-H", h.Name+";")
		default:
			words = append(words, "-H", h.Name+": "+h.Value)
		}
		if strings.HasPrefix(h.Name, "@") || strings.ContainsAny(h.Name+h.Value, "\r\n") {
			return "", false
		}
	}
	switch r.Auth.Scheme {
	case NoAuth:
	case Bearer:
		words = append(words, "--oauth2-bearer", r.Auth.Token)
	case Basic:
		if !r.Auth.HasPassword || strings.Contains(r.Auth.User, ":") {
			return "", false
		}
		words = append(words, "--user", r.Auth.User+":"+r.Auth.Password)
	default:
		return "", false
	}
	switch r.Body.Kind {
	case NoBody:
	case Data:
		if r.Body.Parts[0].Option == "upload-file" {
			return "", false
		}
		words = append(words, "--data-raw", r.Body.Text)
	default:
		return "", false
	}
	var command strings.Builder
	command.WriteString("curl")
	for _, w := range words {
		if strings.Contains(w, "\r\n") {
			return "", false // a CR LF is a line feed wherever it stands
		}
		command.WriteString(" '" + strings.ReplaceAll(w, "'", `'\''`) + "'")
	}
	return command.String(), true
}
