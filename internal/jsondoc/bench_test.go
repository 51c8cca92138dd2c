package jsondoc

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/convert"
)

// documents are what the benchmarks read, each of about size bytes: records as
// APIs give them, prose in several scripts, and coordinates.
func documents(size int) map[string]string {
	grow := func(head, tail string, item func(i int) string) string {
		var b strings.Builder
		b.WriteString(head)
		for i := 0; b.Len() < size; i++ {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(item(i))
		}
		return b.String() + tail
	}
	return map[string]string{
		"records": grow("[", "]", func(i int) string {
			return fmt.Sprintf(`{"id":%d,"name":"User number %d","email":"user%d@example.com","active":%t,"score":%d.%02d,"tags":["a","b"],"note":null}`, i, i, i, i%2 == 0, i%100, i%97)
		}),
		"prose": grow("[", "]", func(i int) string {
			return fmt.Sprintf(`{"title":"Chapter %d","body":"%s\n\"Größe und Maß\" – naïve café."}`, i, strings.Repeat("The quick brown fox jumps over the lazy dog. ", 8))
		}),
		"numbers": grow(`{"coordinates":[`, "]}", func(i int) string {
			return fmt.Sprintf("[%v,%v]", -58+float64(i)*0.0123456789, 34-float64(i)*0.00987654321)
		}),
	}
}

// BenchmarkFormat compares Format, which refuses much more, with encoding/json
// doing the same layout.
func BenchmarkFormat(b *testing.B) {
	for _, size := range []int{4 << 10, 500_000, 1 << 20} {
		for name, text := range documents(size) {
			at := fmt.Sprintf("/%s/%dKB", name, size/1000)
			b.Run("ours"+at, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					s := NewScanner(text)
					s.RefuseUnsafe = true
					budget := convert.NewBudget(8<<20, 8<<20)
					if _, err := Format(context.Background(), nil, s, Layout{Indent: 2}, budget); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run("std"+at, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					var out bytes.Buffer
					if !json.Valid([]byte(text)) || json.Indent(&out, []byte(text), "", "  ") != nil {
						b.Fatal("not JSON")
					}
				}
			})
		}
	}
}

// BenchmarkEnvelope measures a JSON text as a string inside JSON: what every
// request and answer is.
func BenchmarkEnvelope(b *testing.B) {
	text := documents(500_000)["records"]
	token := string(AppendString(nil, text))
	quoted, _ := json.Marshal(text)
	b.Run("write/ours", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			AppendString(make([]byte, 0, len(text)*3/2), text)
		}
	})
	b.Run("write/std", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			_, _ = json.Marshal(text)
		}
	})
	b.Run("read/ours", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			if _, err := Decode(token); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("read/std", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			var out string
			if err := json.Unmarshal(quoted, &out); err != nil {
				b.Fatal(err)
			}
		}
	})
}
