package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/check"
)

// rawServer starts a server that reads one request from each connection, calls
// respond, which writes whatever it likes, and closes the connection.
func rawServer(t *testing.T, respond func(io.Writer) error) (url string) {
	t.Helper()
	listener := check.Value(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer connection.Close()
				request, err := http.ReadRequest(bufio.NewReader(connection))
				if err == nil {
					_, _ = io.Copy(io.Discard, request.Body)
					_ = respond(connection)
				}
			}()
		}
	}()
	return "http://" + listener.Addr().String()
}

// text responds with a text.
func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

// endless responds with a head, and repeats a part until the client leaves.
func endless(head, part string, pause time.Duration) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, head)
		for err == nil {
			_, err = io.WriteString(w, part)
			time.Sleep(pause)
		}
		return err
	}
}

const (
	okHead  = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	result1 = `{"output":{"mediaType":"application/json","value":"[1]"},"warnings":[],"provenance":{"provider":"p","engineVersion":"1.0.0","tool":"json_format","attribution":"a","editorUrl":"u"}}`
	problem = `{"type":"u","title":"T","status":422,"code":"c","detail":"D.","hint":"H."}`
	retry   = "convertd: T (c)\n  detail: D.\n  hint:   H.\n  retry:  in 7 s\n" // how problemOf is printed
)

// problemOf is a response with a problem of this status.
func problemOf(status int) string {
	return fmt.Sprintf("HTTP/1.1 %d No\r\nRetry-After: 7\r\nContent-Type: application/problem+json\r\n\r\n", status) + strings.Replace(problem, "422", fmt.Sprint(status), 1)
}

// bomb is a response that decompresses from 200 KB to 200 MB.
func bomb() string {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	zeros := make([]byte, 1<<20)
	for range 200 {
		_, _ = w.Write(zeros)
	}
	_ = w.Close()
	return okHead + fmt.Sprintf("Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", packed.Len(), packed.Bytes())
}

// TestHostileServer checks that a request to a server that misbehaves ends, with the exit code of an unavailable server
// and the reason, and that temporary problems have that exit code, too.
// Rules: CLI-2, CLI-3.
func TestHostileServer(t *testing.T) {
	megabyte := strings.Repeat("0", 1<<20)
	for _, test := range []struct {
		name  string
		reply func(io.Writer) error
		want  result // err is a part of standard error
	}{
		{"silence", func(io.Writer) error { <-t.Context().Done(); return nil }, result{exitUnavailable, "", "1s in all (--timeout)"}},
		{"a dribble of headers", endless("HTTP/1.1 200 OK\r\n", "a: b\r\n", 50*time.Millisecond), result{exitUnavailable, "", "1s in all (--timeout)"}},
		{"a dribble of a body", endless(okHead+"\r\n", " ", 50*time.Millisecond), result{exitUnavailable, "", "1s in all (--timeout)"}},
		{"a body without end", endless(okHead+"\r\n", megabyte, 0), result{exitUnavailable, "", "longer than 67108864 bytes"}},
		{"a problem without end", endless("HTTP/1.1 422 No\r\nContent-Type: application/problem+json\r\n\r\n", megabyte, 0), result{exitUnavailable, "", "longer than 65536 bytes"}},
		{"headers without end", endless(okHead, "a: "+megabyte[:1000]+"\r\n", 0), result{exitUnavailable, "", "exceeded 65536 bytes"}},
		{"informational responses without end", endless("", "HTTP/1.1 103 Early\r\na: "+megabyte[:1000]+"\r\n\r\n", 0), result{exitUnavailable, "", "exceeded"}},
		{"a bomb of gzip", text(bomb()), result{exitUnavailable, "", "without a body of type application/json"}},
		{"another type", text("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + result1), result{exitUnavailable, "", "status 200 without a body of type application/json"}},
		{"a problem of another type", text("HTTP/1.1 422 No\r\nContent-Type: text/html\r\n\r\n" + problem), result{exitUnavailable, "", "status 422 without a body of type application/problem+json"}},
		{"a problem of another status", text("HTTP/1.1 429 No\r\nContent-Type: application/problem+json\r\n\r\n" + problem), result{exitUnavailable, "", "status 429 without a problem document"}},
		{"a body that breaks off", text(okHead + "Content-Length: 1000\r\n\r\n" + result1), result{exitUnavailable, "", "the response ends early"}},
		{"chunks that break off", text(okHead + "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"out"), result{exitUnavailable, "", "the response ends early"}},
		{"the result of another tool", text(okHead + "\r\n" + strings.Replace(result1, "json_format", "x", 1)), result{exitUnavailable, "", "status 200 without a result of json_format"}},
		{"nothing", text(""), result{exitUnavailable, "", "EOF"}},
		{"not HTTP", text("SSH-2.0-\x1b]0;x\a\r\n\r\n"), result{exitUnavailable, "", "malformed HTTP"}},
		{"a reason with escapes", text("HTTP/1.1 2\x1b[2J\r\n\r\n"), result{exitUnavailable, "", "malformed HTTP"}},
		{"not found", text("HTTP/1.1 404 No\r\nContent-Type: text/plain\r\n\r\n404 page not found"), result{exitUnavailable, "", "status 404"}},
		{"a rate limit", text(problemOf(429)), result{exitUnavailable, "", retry}},
		{"an overload", text(problemOf(503)), result{exitUnavailable, "", retry}},
		{"a rejection", text(problemOf(422)), result{exitRejected, "", retry}},
		{"an internal error", text(problemOf(500)), result{exitFailed, "", retry}},
		{"HTTP/1.0", text("HTTP/1.0 200 OK\r\nContent-Type: application/json; charset=utf-8\r\n\r\n" + result1), result{exitOK, "[1]", ""}},
		{"a problem of a large input", text("HTTP/1.0 413 No\r\nContent-Type: application/problem+json\r\n\r\n" + strings.NewReplacer("422", "413", `"c"`, `"request_too_large"`).Replace(problem)), result{exitRejected, "", "hint:   Leave out --server"}},
		{"a problem by HTTP/1.0", text("HTTP/1.0 422 No\r\nContent-Type: application/problem+json\r\n\r\n" + problem), result{exitRejected, "", "convertd: T (c)\n  detail: D.\n  hint:   H.\n"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			timeout := "1s"
			if !strings.Contains(test.want.err, timeout) {
				timeout = "1h" // the request ends for another reason
			}
			got := command("1", "run", "json_format", "--exact", "--server", rawServer(t, test.reply), "--timeout", timeout)
			if got.code != test.want.code || got.out != test.want.out || !strings.Contains(got.err, test.want.err) || acting(got.err) != "" {
				t.Errorf("want %+v\ngot  %+v", test.want, got)
			}
		})
	}
}

// TestFinalLineFeed checks that an output gets a line feed at its end unless it has
// one, also if it is empty or ends in NUL.
// Rule: CLI-4.
func TestFinalLineFeed(t *testing.T) {
	for value, want := range map[string]string{`[1]`: "[1]\n", ``: "\n", `a\u0000`: "a\x00\n", `a\n`: "a\n"} {
		server := rawServer(t, text(okHead+"\r\n"+strings.Replace(result1, `"value":"[1]"`, `"value":"`+value+`"`, 1)))
		if got := command("1", "run", "json_format", "--server", server); got != (result{exitOK, want, ""}) {
			t.Errorf("%q: want %q, got %+v", value, want, got)
		}
	}
}

// TestRedirects checks that the input is sent to no other server.
// Rule: CLI-3.
func TestRedirects(t *testing.T) {
	var elsewhere atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		elsewhere.Add(1)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, result1)
	}))
	defer other.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, location := range []string{other.URL + "/v1/tools/json_format", "/elsewhere", "//\x1b[2J\u009b", other.URL + "/\u202e\x7f"} {
			server := rawServer(t, text(fmt.Sprintf("HTTP/1.1 %d Go\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n", status, location)))
			got := command("1", "run", "json_format", "--server", server)
			if got.code != exitUnavailable || got.out != "" || acting(got.err) != "" || !strings.Contains(got.err, "redirect") && !strings.Contains(got.err, "Location") {
				t.Errorf("%d to %q: %+v", status, location, got)
			}
			if verified := command("", "verify", server); verified.code != exitUnavailable || acting(verified.err+verified.out) != "" {
				t.Errorf("verify, %d to %q: %+v", status, location, verified)
			}
		}
	}
	if n := elsewhere.Load(); n > 0 {
		t.Errorf("%d requests went elsewhere", n)
	}
}

// acting returns the characters of a text that would control a terminal.
func acting(shown string) string {
	var found strings.Builder
	for _, r := range shown {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			found.WriteRune(r)
		}
	}
	if !utf8.ValidString(shown) {
		found.WriteString("not UTF-8")
	}
	return found.String()
}

// controls returns all control characters except NUL, and harmful sequences.
func controls() string {
	var b strings.Builder
	for r := rune(1); r <= 0x9f; r++ {
		if unicode.IsControl(r) {
			b.WriteRune(r)
		}
	}
	const bidirectional = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
	return b.String() + bidirectional + "\x1b[2J\x1b]0;owned\a\x1b]52;c;cm0gLXJm\a\u009b31m"
}

// TestControlCharactersAreEscaped checks that control characters from a server, a file name or an
// argument are printed as escapes, and that an output in a pipe is exact.
func TestControlCharactersAreEscaped(t *testing.T) {
	hostile := controls()
	reply := func(status int, body map[string]any) string {
		mediaType := "application/json"
		if status != http.StatusOK {
			mediaType = "application/problem+json"
		}
		return fmt.Sprintf("HTTP/1.1 %d Status\r\nContent-Type: %s\r\n\r\n%s", status, mediaType, check.Value(json.Marshal(body))(t))
	}
	for _, member := range []string{"type", "title", "code", "detail", "hint", "path", "step"} {
		body := map[string]any{"type": "u", "title": "T", "status": 422, "code": "c", "detail": "D.", "hint": "H."}
		body[member] = "before" + hostile + "after"
		if member == "path" {
			body[member] = "/options/" + hostile
		}
		got := command("1", "run", "json_format", "--server", rawServer(t, text(reply(422, body))))
		if got.out != "" || got.code == exitOK || acting(got.err) != "" || member != "type" && !strings.Contains(got.err, `\x1b[2J\x1b]0;owned\x07`) {
			t.Errorf("%s: %+v", member, got)
		}
		if lines := strings.Count(got.err, "\n"); lines > 4 {
			t.Errorf("%s: %d lines:\n%s", member, lines, got.err)
		}
	}
	body := map[string]any{
		"output":   map[string]any{"mediaType": "text/plain", "value": hostile},
		"warnings": []string{"w" + hostile}, "provenance": map[string]any{"tool": "json_format"},
	}
	got := command("1", "run", "json_format", "--exact", "--server", rawServer(t, text(reply(200, body))))
	if got.code != exitOK || got.out != hostile || acting(got.err) != "" || strings.Count(got.err, "\n") != 1 {
		t.Errorf("a result: %+v", got)
	}
	name := strings.ReplaceAll(hostile, "/", "") + "\xff"
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil && runtime.GOOS != "windows" { // it has no such names
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{hostile}, {"--" + hostile}, {"run", hostile}, {"run", "json_format", "--" + hostile}, {"run", "json_format", "--indent", hostile},
		{"run", "json_format", file}, {"run", "json_format", file + "x"}, {"run", "json_format", "-o", "none/" + name},
		{"run", "json_format", "--media-type", hostile}, {"run", "json_format", "--server", hostile}, {"run", "json_format", "--server", "http://" + hostile},
		{"pipeline", hostile}, {"pipeline", "json_format," + hostile}, {"pipeline", "json_format", "a", hostile}, {"pipeline", "r=1&s=" + hostile}, {"pipeline", file},
		{"verify", hostile}, {"verify", "http://127.0.0.1:1/" + hostile}, {"verify", "http://127.0.0.1:1", "--only", "(" + hostile},
		{"completion", hostile}, {"serve", "--listen", hostile}, {"serve", "--log-level", hostile}, {"serve", "--rate-limit", hostile}, {"mcp", "--base-url", hostile},
	} {
		if got := command("1", args...); got.code == exitOK || got.out != "" || acting(got.err) != "" || got.err == "" {
			t.Errorf("%q: %+v", args, got)
		}
	}
}

// TestVerifyHostile checks that strings from a deployment cannot control the terminal or the reader of the report.
func TestVerifyHostile(t *testing.T) {
	hostile := controls() + "\uffff"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path == "/v1/openapi.json" {
			got := command("", "openapi", "--json")
			_, _ = io.WriteString(w, got.out)
			return
		}
		w.Header().Set("Content-Type", "text/"+strings.Repeat("h", 10)+"\u009b\u202e")
		_, _ = io.WriteString(w, `{"code":"`+hostile+`\u001b`+strings.Repeat("x", 1<<20)+`", "type":"`+hostile)
	}))
	defer server.Close()
	folder := t.TempDir()
	one := `[{name: "one \e[2J", rule: "r \e[2J", request: {path: /v1/tools/json_format, json: {}}, response: {status: 200}}]`
	check.OK(t, os.WriteFile(filepath.Join(folder, "one.yaml"), []byte(one), 0o600))
	report := filepath.Join(folder, "junit.xml")
	got := command("", "verify", server.URL, "--cases", folder, "--junit", report)
	if got.code != exitUnverified || acting(got.out+got.err) != "" || !strings.Contains(got.out, `FAIL  one \x1b[2J`) || len(got.out) > 20<<10 {
		t.Errorf("%+v", got)
	}
	written := check.Value(os.ReadFile(report))(t)
	if acting(string(written)) != "" || !strings.Contains(string(written), `\x1b[2J`) {
		t.Errorf("%q", written)
	}
}
