package apiconvert

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/check"
)

// formPart is a part of a multipart form as a server receives it.
type formPart struct{ Name, FileName, Type, Value string }

// formServer returns the URL of a server and a function that returns the parts of the last form.
func formServer(t *testing.T) (url string, last func() []formPart) {
	var parts []formPart
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		parts = nil
		form, err := r.MultipartReader()
		if err != nil {
			return
		}
		for {
			p, err := form.NextPart()
			if err != nil {
				return
			}
			value, _ := io.ReadAll(p)
			name := strings.ReplaceAll(p.FormName(), "%22", `"`) // as browsers and curl write it
			parts = append(parts, formPart{name, p.FileName(), p.Header.Get("Content-Type"), string(value)})
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, func() []formPart { return parts }
}

// TestMultipartOnTheWire runs the command for a form with the shell and curl, and compares what a server receives with
// the form. The command converted to Postman and back sends the same.
func TestMultipartOnTheWire(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not installed")
	}
	folder := t.TempDir()
	check.OK(t, os.WriteFile(filepath.Join(folder, "data.csv"), []byte("1,2"), 0o600))
	url, last := formServer(t)
	names := []string{"a", "a b", "a;b", "x[y]", "café", `q"r`, "a,b", "@a", `b\c`, "$HOME"}
	values := []string{"", "x", "@x", "<x", "(a", ";type=x", " lead ", `"q"`, `a\b`, "two\nlines", "$HOME", "a=b;c", "ü"}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			file := formPart{name, "data.csv", "text/csv", "1,2"}
			want := []formPart{file}
			form := []any{map[string]any{"type": "file", "key": name, "src": file.FileName, "contentType": file.Type}}
			for i, value := range values {
				part := formPart{name, "", []string{"", "text/csv"}[i%2], value}
				want = append(want, part)
				form = append(form, map[string]any{"type": "text", "key": name, "value": value, "contentType": part.Type})
			}
			collection := check.Value(json.Marshal(map[string]any{
				"info": map[string]any{"name": "Form", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
				"item": []any{map[string]any{"name": "Send", "request": map[string]any{
					"method": "POST", "url": url, "body": map[string]any{"mode": "formdata", "formdata": form}}}},
			}))(t)
			script := call(t, "application/json", string(collection), "curl").Value
			again := call(t, "application/json", call(t, "text/plain", script, "postman-2.1").Value, "curl").Value
			for _, commands := range []string{script, again} {
				run := exec.Command("sh", "-c", commands)
				run.Dir = folder
				if out, err := run.CombinedOutput(); err != nil {
					t.Fatalf("%v: %s\n%s", err, out, commands)
				}
				if diff := cmp.Diff(want, last()); diff != "" {
					t.Errorf("(-want +sent):\n%s\n%s", diff, commands)
				}
			}
		})
	}
}
