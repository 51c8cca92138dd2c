package jsonformat

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
)

// documents are texts of about n bytes, each heavy with something else, in
// one line and indented.
func documents(n int) []struct{ name, text string } {
	repeat := func(item func(i int) string) string {
		var b strings.Builder
		b.WriteByte('[')
		for i := 0; b.Len() < n; i++ {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(item(i))
		}
		return b.String() + "]"
	}
	records := repeat(func(i int) string {
		return fmt.Sprintf(`{"id":%d,"name":"User number %d","email":"user%d@example.com","active":%t,"score":%d.%02d,`+
			`"tags":["alpha","beta"],"address":{"street":"Main Street %d","city":"Springfield","zip":"%05d"},"note":null}`,
			i, i, i, i%2 == 0, i%100, i%97, i, i)
	})
	prose := repeat(func(i int) string {
		return fmt.Sprintf(`{"title":"Chapter %d","body":"%s\n\"Quoted\" – naïve café."}`, i,
			strings.Repeat("The quick brown fox jumps over the lazy dog. ", 4+i%8))
	})
	numbers := repeat(func(i int) string {
		return fmt.Sprintf("[%v,%v]", -58+float64(i)*0.0123456789, 34-float64(i)*0.00987654321)
	})
	all := []struct{ name, text string }{{"records", records}, {"prose", prose}, {"numbers", numbers}}
	for _, d := range all[:3] {
		var lines bytes.Buffer
		if err := json.Indent(&lines, []byte(d.text), "", "  "); err != nil {
			panic(err)
		}
		all = append(all, struct{ name, text string }{d.name + "-indented", lines.String()})
	}
	return all
}

func convertOnce(b *testing.B, text string) convert.Result {
	in := input(text, 2)
	in.Budget = convert.NewBudget(2*convert.MaxOutputCharacters, 8*convert.MaxOutputCharacters)
	result, err := Tool.Convert(context.Background(), in)
	if err != nil {
		b.Fatal(err)
	}
	return result
}

// BenchmarkTool compares with what a Go program does without this package: json.Valid
// and json.Indent.
func BenchmarkTool(b *testing.B) {
	for _, size := range []int{2_000, 60_000, 500_000} {
		for _, d := range documents(size) {
			name := fmt.Sprintf("%s/%dkB", d.name, size/1000)
			b.Run(name+"/json_format", func(b *testing.B) {
				b.SetBytes(int64(len(d.text)))
				b.ReportAllocs()
				for b.Loop() {
					convertOnce(b, d.text)
				}
			})
			b.Run(name+"/encoding-json", func(b *testing.B) {
				b.SetBytes(int64(len(d.text)))
				text := []byte(d.text)
				for b.Loop() {
					var out bytes.Buffer
					if !json.Valid(text) || json.Indent(&out, text, "", "  ") != nil {
						b.Fatal()
					}
				}
			})
		}
	}
}

// BenchmarkSize shows that the cost of a byte does not depend on the size.
func BenchmarkSize(b *testing.B) {
	for _, size := range []int{1 << 12, 1 << 20} {
		for _, d := range documents(size) {
			b.Run(fmt.Sprintf("%s/%dKiB", d.name, size>>10), func(b *testing.B) {
				for b.Loop() {
					convertOnce(b, d.text)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(d.text)), "ns/byte")
			})
		}
	}
}

// BenchmarkCall is all that a call does to its bytes: check the body, read
// the envelope, format, write the answer. It compares with a program that
// only reads and writes the envelope.
func BenchmarkCall(b *testing.B) {
	type artifact struct {
		MediaType string `json:"mediaType"`
		Value     string `json:"value"`
	}
	type request struct {
		Input   artifact       `json:"input"`
		Options map[string]int `json:"options"`
	}
	type answer struct {
		Output   artifact `json:"output"`
		Warnings []string `json:"warnings"`
	}
	for _, d := range documents(450_000) {
		body := string(jsondoc.AppendString([]byte(`{"input":{"mediaType":"application/json","value":`), d.text)) + `},"options":{"indent":2}}`
		b.Run(d.name+"/json_format", func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			var out []byte
			for b.Loop() {
				if !utf8.ValidString(body) {
					b.Fatal()
				}
				tree, err := jsondoc.Decode(body)
				if err != nil {
					b.Fatal(err)
				}
				value := tree.(map[string]any)["input"].(map[string]any)["value"].(string)
				out = append(out[:0], `{"output":{"mediaType":"application/json","value":`...)
				out = jsondoc.AppendString(out, convertOnce(b, value).Value)
				out = append(out, `},"warnings":[]}`...)
			}
		})
		b.Run(d.name+"/envelope-by-encoding-json", func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				var in request
				if err := json.Unmarshal([]byte(body), &in); err != nil {
					b.Fatal(err)
				}
				if _, err := json.Marshal(answer{in.Input, []string{}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
