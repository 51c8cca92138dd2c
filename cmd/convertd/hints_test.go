package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert/converttest"
)

// TestEveryHint gets each problem code that can occur without a server from the document's wrong example, checks that
// the message says what to change, and then runs the right example. The table is that of internal/server.
func TestEveryHint(t *testing.T) {
	var hints map[string]struct{ REST, MCP, Shell string }
	converttest.Data(t, "../../internal/server/testdata/hints.yaml", &hints)
	c := check.Value(contract.Load())(t)
	for _, p := range c.Problems() {
		want := hints[p.Code]
		if want.Shell == "" {
			want.Shell = want.REST
		}
		if want.Shell == "server" {
			continue
		}
		t.Run(p.Code, func(t *testing.T) {
			got := example(t, p.Wrong)
			if got.code != exitRejected && got.code != exitBadUsage || !strings.Contains(got.err, want.Shell) {
				t.Errorf("exit code %d, the message does not say %q:\n%s", got.code, want.Shell, got.err)
			}
			if got := example(t, p.Right); got.code != 0 {
				t.Errorf("what follows the hint: exit code %d:\n%s", got.code, got.err)
			}
		})
	}
}

// example runs a request of the document as a command.
func example(t *testing.T, request string) result {
	t.Helper()
	head, body, _ := strings.Cut(request, "\n\n")
	var call struct {
		Input   struct{ MediaType, Value string }
		Options map[string]any
	}
	check.JSON(t, body, &call)
	path := strings.Fields(head)[1]
	tool, isTool := strings.CutPrefix(path, "/v1/tools/")
	if !isTool {
		file := filepath.Join(t.TempDir(), "request.json")
		check.OK(t, os.WriteFile(file, []byte(body), 0o600))
		return command("", "pipeline", file)
	}
	args := []string{"run", tool}
	if tool == "api_convert" { // the others accept one media type
		args = append(args, "--media-type", call.Input.MediaType)
	}
	for name, value := range call.Options {
		text, _ := json.Marshal(value)
		args = append(args, "--"+name, strings.Trim(string(text), `"`))
	}
	return command(call.Input.Value, args...)
}
