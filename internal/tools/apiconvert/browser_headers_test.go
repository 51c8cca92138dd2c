package apiconvert

import (
	"slices"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
)

// TestBrowserHeaders converts a request with headers to each target and checks which of them remain and which are sent.
func TestBrowserHeaders(t *testing.T) {
	var cases []struct {
		Name      string
		Headers   []string // name: value
		Commands  []string // headers of an OpenAPI document converted from a command
		Requests  []string // headers of an OpenAPI document converted from a collection
		Sent      []string // headers that a collection converted from a command sends
		MediaType string   // of the response
	}
	converttest.Data(t, "testdata/browser.yaml", &cases)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			text := "curl https://h.test/a"
			for _, h := range c.Headers {
				text += " -H '" + h + "'"
			}
			collection := call(t, "text/plain", text, "postman-2.1").Value
			sent, all := headersOf(t, "application/json", collection)
			if !slices.Equal(sent, c.Sent) || len(all) != len(c.Headers) {
				t.Errorf("the collection sends %q of %q, want %q", sent, all, c.Sent)
			}
			if _, all = headersOf(t, "text/plain", call(t, "text/plain", text, "curl").Value); len(all) != len(c.Headers) {
				t.Errorf("the command sends %q", all)
			}
			made := call(t, "text/plain", text, "openapi-3.1-json")
			if _, all = headersOf(t, "application/json", made.Value); !slices.Equal(all, c.Commands) {
				t.Errorf("the description of a command has %q, want %q", all, c.Commands)
			}
			if got := api31(t, made.Value); got != c.MediaType {
				t.Errorf("the response is %q, want %q", got, c.MediaType)
			}
			reported := slices.ContainsFunc(made.Warnings, func(w string) bool { return strings.HasPrefix(w, "lost.browser_headers: ") })
			accepts := slices.ContainsFunc(c.Headers, func(h string) bool { return strings.HasPrefix(strings.ToLower(h), "accept:") })
			if left := len(c.Headers) - len(c.Commands); reported != (left > 0 && !(accepts && left == 1)) {
				t.Errorf("reported: %q", made.Warnings)
			}
			// The collection as it was sent, before anything was disabled.
			posted := `{"info":{"name":"c","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},"item":[{"name":"r","request":{"url":"https://h.test/a","header":[`
			for i, h := range c.Headers {
				name, value, _ := strings.Cut(h, ": ")
				if i > 0 {
					posted += ","
				}
				posted += `{"key":"` + name + `","value":"` + value + `"}`
			}
			if _, all = headersOf(t, "application/json", call(t, "application/json", posted+`]}}]}`, "openapi-3.1-json").Value); !slices.Equal(all, c.Requests) {
				t.Errorf("the description of a collection has %q, want %q", all, c.Requests)
			}
		})
	}
}

// headersOf returns the headers of the first request: those that are sent, and all.
func headersOf(t *testing.T, mediaType, text string) (sent, all []string) {
	t.Helper()
	for _, h := range model(t, mediaType, text).Requests[0].Headers {
		if all = append(all, h.Name); h.Sent() {
			sent = append(sent, h.Name)
		}
	}
	return sent, all
}

// api31 returns the media type of the first response.
func api31(t *testing.T, text string) string {
	t.Helper()
	for _, response := range model(t, "application/json", text).Requests[0].Responses {
		for _, b := range response.Bodies {
			return b.MediaType
		}
	}
	return ""
}

// TestSenders checks every header of the table: besides those that only a browser sets, all are noise except
// the author's own.
func TestSenders(t *testing.T) {
	for _, name := range []string{
		"sec-fetch-mode", "user-agent", "referer", "origin", "priority", "pragma", "cache-control", "accept-language",
		"accept-encoding", "upgrade-insecure-requests", "dnt", "connection", "x-requested-with", "te", "host", "authority",
	} {
		text := "curl https://h.test/a -H 'Sec-CH-UA-Mobile: ?0' -H '" + name + ": x' -H 'X-Mine: y'"
		if sent, all := headersOf(t, "application/json", call(t, "text/plain", text, "postman-2.1").Value); !slices.Equal(sent, []string{"X-Mine"}) || len(all) != 3 {
			t.Errorf("%s: the collection sends %q of %q", name, sent, all)
		}
		if request.SenderOf(strings.ToUpper(name)) == request.Author {
			t.Errorf("%s is an author's", name)
		}
	}
	for _, name := range []string{"authorization", "cookie", "content-type", "accept", "date", "if-none-match", "range", "x-api-key", "idempotency-key", "x-forwarded-for"} {
		if request.SenderOf(name) != request.Author {
			t.Errorf("%s is no author's", name)
		}
	}
}
