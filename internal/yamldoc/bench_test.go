package yamldoc_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	goccy "github.com/goccy/go-yaml"
	sigs "sigs.k8s.io/yaml"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/yamldoc"
)

// records returns an array of objects like an API response, compact, of about size bytes.
func records(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size-1; i++ {
		fmt.Fprintf(&b, `%c{"id":%d,"type":"PushEvent","public":%t,"created_at":"2013-01-10T07:58:%02dZ",`, "[,"[min(i, 1)], 1652857722+i, i%3 > 0, i%60)
		fmt.Fprintf(&b, `"actor":{"login":"user-%d","gravatar_id":"%032x","url":"https://api.example.com/users/%d","avatar":null},`, i, i*7919, i)
		fmt.Fprintf(&b, `"repo":{"id":%d,"name":"group/project-%d","size":%d.%d,"tags":["go","yaml 1.2","no"]},`, i*31, i, i, i%10)
		fmt.Fprintf(&b, `"payload":{"ref":"refs/heads/master","distinct":[1,2,%d],"message":"Fix the \"%d\" case: it's done","empty":{}}}`, i, i)
	}
	return b.String() + "]"
}

// prose returns an object of about size bytes with longer strings: descriptions of several lines, and text that
// is not ASCII.
func prose(size int) string {
	const paragraph = `The service runs small, deterministic conversions on text sent to it (see the reference). It stores nothing; `
	var b strings.Builder
	for i := 0; b.Len() < size-1; i++ {
		fmt.Fprintf(&b, `%c"section %d":{"title":"Überschrift Nummer %d: größer","summary":"%s","description":"%s\n\n- %s\n- %[5]s\n"}`,
			"{,"[min(i, 1)], i, i, strings.Repeat(paragraph, 3), paragraph, paragraph)
	}
	return b.String() + "}"
}

var sizes = []struct {
	name string
	size int
}{{"2KB", 2000}, {"4KiB", 4 << 10}, {"60KB", 60_000}, {"500KB", 500_000}, {"1MiB", 1 << 20}}

var writers = []struct {
	name  string
	write func(text string) ([]byte, error)
}{
	{"yamldoc", func(text string) ([]byte, error) {
		s := jsondoc.NewScanner(text)
		s.RefuseUnsafe = true
		budget := convert.NewBudget(convert.MaxOutputCharacters, 4*convert.MaxOutputCharacters)
		return yamldoc.FromJSON(context.Background(), make([]byte, 0, len(text)+len(text)/4), s, 2, budget)
	}},
	{"goccy", func(text string) ([]byte, error) { return goccy.JSONToYAML([]byte(text)) }},
	{"sigs", func(text string) ([]byte, error) { return sigs.JSONToYAML([]byte(text)) }},
}

// BenchmarkJSONToYAML compares the writer with common Go libraries on the same documents.
func BenchmarkJSONToYAML(b *testing.B) {
	for _, document := range []struct {
		name string
		text func(size int) string
	}{{"records", records}, {"prose", prose}} {
		for _, size := range sizes {
			text := document.text(size.size)
			for _, w := range writers {
				if w.name != "yamldoc" && (size.name == "4KiB" || size.name == "1MiB") {
					continue // the yardsticks show nothing new at these
				}
				b.Run(document.name+"/"+size.name+"/"+w.name, func(b *testing.B) {
					b.SetBytes(int64(len(text)))
					b.ReportAllocs()
					for b.Loop() {
						if _, err := w.write(text); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(text)), "ns/byte")
				})
			}
		}
	}
}
