package words

import (
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	for text, want := range map[string]string{
		"lineItems": "line items", "line_items": "line items", "user-groups": "user groups", "userID": "user id",
		"HTTPServer2": "httpserver2", "chat.postMessage": "chat post message", "": "", "é": "", "a1B": "a1 b",
	} {
		if got := strings.Join(Split(text), " "); got != want {
			t.Errorf("%q: want %q, got %q", text, want, got)
		}
	}
}

func TestParts(t *testing.T) {
	for text, want := range map[string]string{
		"X-Api-Key": "x api key", "APIKey": "api key", "apiKey2": "api key 2", "user[api.key]": "user api key", "userID": "user id",
		"": "", "é": "", "a1B": "a 1 b",
	} {
		if got := strings.Join(Parts(text), " "); got != want {
			t.Errorf("%q: want %q, got %q", text, want, got)
		}
	}
}

func TestPascal(t *testing.T) {
	if got := Pascal([]string{"line", "", "item2"}); got != "LineItem2" {
		t.Error(got)
	}
}

func TestSingular(t *testing.T) {
	for word, want := range map[string]string{
		"orders": "order", "customers": "customer", "categories": "category", "addresses": "address", "boxes": "box",
		"statuses": "status", "status": "status", "people": "person", "movies": "movie", "indices": "index",
		"news": "news", "series": "series", "class": "class", "analysis": "analysis", "data": "data", "s": "s",
		"heroes": "hero", "churches": "church", "leaves": "leaf", "address": "address", "bus": "bus", "tts": "tts",
	} {
		if got := Singular(word); got != want {
			t.Errorf("%s: want %s, got %s", word, want, got)
		}
	}
}
