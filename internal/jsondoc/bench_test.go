package jsondoc

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// records returns a JSON text of about n bytes: small objects as a service returns them, on one line or
// indented.
func records(n int, lines bool) string {
	var b strings.Builder
	layout := `{"id":%d,"name":"User %d","email":"user%d@example.com","active":%t,"tags":["a","b"],"note":null}`
	if lines {
		layout = "\n  {\n    \"id\": %d,\n    \"name\": \"User %d\",\n    \"email\": \"user%d@example.com\",\n    \"active\": %t\n  }"
	}
	b.WriteByte('[')
	for i := 0; b.Len() < n; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, layout, i, i, i, i%3 == 0)
	}
	b.WriteByte(']')
	return b.String()
}

// contents are what a request and its response hold as one string.
func contents(n int) []struct{ name, content string } {
	return []struct{ name, content string }{
		{"JSON in a line", records(n, false)},
		{"indented JSON", records(n, true)},
		{"prose", strings.Repeat("The quick brown fox jumps over the lazy dog, naïvely – it said.\n", n/66)},
	}
}

func BenchmarkScanner(b *testing.B) {
	text := records(500_000, false)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s := NewScanner(text)
		for token, err := s.Next(); token.Kind != End; token, err = s.Next() {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkAppendString(b *testing.B) {
	for _, c := range contents(500_000) {
		name, content := c.name, c.content
		b.Run(name+"/jsondoc", func(b *testing.B) {
			b.SetBytes(int64(len(content)))
			var out []byte
			for b.Loop() {
				out = AppendString(out[:0], content)
			}
		})
		b.Run(name+"/encoding-json", func(b *testing.B) {
			b.SetBytes(int64(len(content)))
			for b.Loop() {
				if _, err := json.Marshal(content); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkDecode reads an envelope with one large string, like a request.
func BenchmarkDecode(b *testing.B) {
	for _, c := range contents(500_000) {
		name, content := c.name, c.content
		body := `{"input":{"mediaType":"application/json","value":` + string(AppendString(nil, content)) + `},"options":{"indent":2}}`
		b.Run(name+"/jsondoc", func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Decode(body); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/encoding-json", func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				var value any
				if err := json.Unmarshal([]byte(body), &value); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkNames reads objects of many members, where most of the work is finding duplicates.
func BenchmarkNames(b *testing.B) {
	for _, n := range []int{4, 16, 17, 1000, 50_000} {
		object := wide("name", n) + "}"
		text := "[" + strings.Repeat(object+",", max(1, 500_000/len(object))) + "0]"
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				s := NewScanner(text)
				for kind, _, _ := s.step(); kind != End; kind, _, _ = s.step() {
					if kind == refused {
						b.Fatal(s.err)
					}
				}
			}
		})
	}
}
