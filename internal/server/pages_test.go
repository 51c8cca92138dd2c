package server

import (
	"bufio"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools"
)

// outlined are the codes that no single request can cause.
var outlined = []convert.Code{"output_too_large", "rate_limited", "internal_error", "overloaded", "deadline_exceeded"}

// TestProblemExamples sends the wrong and the right request of each problem's page as the page shows them.
// Rule: ERR-3.
func TestProblemExamples(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := startInBubble(t, defaults(), tools.All())
		c := load(t)
		for _, p := range c.Problems() {
			code := convert.Code(p.Code)
			if slices.Contains(outlined, code) {
				if !strings.Contains(p.Wrong+p.Right, "…") {
					t.Errorf("%s: neither example is an outline", p.Code)
				}
				continue
			}
			if operation := path(p.Wrong); c.OperationOf(operation) == "" && strings.HasPrefix(operation, "/v1/tools/") && code != convert.UnknownRoute {
				t.Fatalf("%s: the document does not have the tool of this example", p.Code)
			}
			got := s.raw(t, p.Wrong)
			checkProblem(t, s.url, got, code)
			documented(t, c, s.url, got)
			if got := s.raw(t, p.Right); got.status != http.StatusOK {
				t.Errorf("%s: the right request: status %d\n%s", p.Code, got.status, got.body)
			}
		}
	})
}

func path(request string) string { return strings.Fields(request)[1] }

// raw sends a request in text form: a method and a path, header lines, an empty
// line, the body. It adds what else HTTP needs.
func (s service) raw(t *testing.T, text string) reply {
	t.Helper()
	head, body, _ := strings.Cut(text, "\n\n")
	lines := strings.Split(head, "\n")
	if !strings.Contains(head, "\nHost:") {
		lines = append(lines, "Host: "+strings.TrimPrefix(s.url, "http://"))
	}
	if body != "" && !strings.Contains(head, "\nContent-Length:") {
		lines = append(lines, fmt.Sprintf("Content-Length: %d", len(body)))
	}
	lines[0] += " HTTP/1.1"
	connection := check.Value(s.dialer())(t)
	defer connection.Close()
	go func() { _, _ = io.WriteString(connection, strings.Join(lines, "\r\n")+"\r\n\r\n"+body) }()
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	return read(t, response, err)
}

// TestFrontPage runs the commands that the front page shows.
func TestFrontPage(t *testing.T) {
	s := start(t, defaults(), tools.All())
	page := html.UnescapeString(string(s.send(t, s.request(t, http.MethodGet, "/", "")).body))
	shown := func(id string) string {
		found := regexp.MustCompile(`(?s)<pre id="` + id + `">(.*?)</pre>`).FindStringSubmatch(page)
		if found == nil {
			t.Fatalf("the page has no %s", id)
		}
		return found[1]
	}
	got := s.post(t, "/v1/tools/json_to_yaml", toolBody("application/json", shown("shown-input"), ""))
	want := toolBody("application/yaml", shown("shown-output")+"\n", "")
	if value := want[len(`{"input":`) : len(want)-1]; !strings.Contains(string(got.body), value) {
		t.Errorf("the page shows %s, the response is %s", value, got.body)
	}
	call := regexp.MustCompile(`(?s)curl (http://[^/]+)(/\S+) .*-d '(.*?)'</code>`).FindStringSubmatch(page)
	if call == nil || call[1] != s.url {
		t.Fatalf("the page's call is %q", call)
	}
	if got := s.post(t, call[2], call[3]); got.status != http.StatusOK {
		t.Errorf("the page's call: status %d\n%s", got.status, got.body)
	}
}

func TestSecurityContactIsChecked(t *testing.T) {
	for contact, ok := range map[string]bool{
		"": true, "mailto:a@example.com": true, "https://example.com/report": true, "tel:+1-201-555-0123": true,
		"a@example.com": false, "http://example.com": false, "https://": false, "mailto:": false, "javascript:alert(1)": false, "mailto:a b@example.com": false, "https://example.com/a b": false, "https://b\u00fccher.example/": false, "mailto:a\nX: y": false,
	} {
		config := defaults()
		config.SecurityContact = contact
		err := config.Check()
		var bad *ConfigError
		if ok != (err == nil) || !ok && (!errors.As(err, &bad) || bad.Flag != "security-contact") {
			t.Errorf("%q: %v", contact, err)
		}
	}
}
