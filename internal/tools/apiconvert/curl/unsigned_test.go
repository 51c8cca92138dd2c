package curl

import (
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/tools/apiconvert/curl/syntax"
	"github.com/convertd/convertd/internal/tools/apiconvert/curl/writer"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/extract"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// TestUnsigned checks that authentication that curl cannot sign becomes a comment above the command, and that reading
// it again adds nothing to the request.
func TestUnsigned(t *testing.T) {
	for kind, name := range map[request.AuthKind]string{request.Hawk: "Hawk", request.OAuth1: "OAuth 1.0"} {
		api := &request.API{Servers: []*request.Server{{URL: "https://a.test"}}}
		api.Requests = []*request.Request{{Method: "GET", Server: api.Servers[0], Path: "/b",
			Security: &request.Security{Alternatives: [][]*request.Auth{{{Kind: kind}}}}}}
		w := &warning.List{}
		out := check.Value(writer.Write(nil, api, output(), nil, w))(t)
		if !strings.Contains(string(out), "# "+name+syntax.Unsigned+"\ncurl ") || len(w.Strings()) != 1 {
			t.Errorf("%s\n%q", out, w.Strings())
		}
		back := check.Value(Read(&extract.Script{Text: string(out)}, false, nil, nil))(t)
		if r := back.Requests[0]; r.Name != "" || r.Description != "" {
			t.Errorf("read as %q, %q", r.Name, r.Description)
		}
	}
}
