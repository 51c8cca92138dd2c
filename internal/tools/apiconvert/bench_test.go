package apiconvert

import (
	"slices"
	"testing"
	"time"

	"github.com/convertd/convertd/internal/convert/converttest"
)

// BenchmarkCorpus converts every source of the corpus to every target and reports the median and the 95th
// percentile of a conversion.
func BenchmarkCorpus(b *testing.B) {
	var files []file
	for _, kind := range []string{"openapi", "postman", "curl"} {
		files = append(files, corpusFiles(b, kind)...)
	}
	var all []time.Duration
	for b.Loop() {
		for _, f := range files {
			for target := range targets {
				start := time.Now()
				tryCall(f.mediaType, f.text, target)
				all = append(all, time.Since(start))
			}
		}
	}
	slices.Sort(all)
	b.ReportMetric(float64(all[len(all)/2].Microseconds()), "µs-median")
	b.ReportMetric(float64(all[len(all)*95/100].Microseconds()), "µs-p95")
	b.ReportMetric(float64(all[len(all)-1].Microseconds()), "µs-max")
}

// largeDescriptions returns the largest OpenAPI document of the corpus, as YAML and as JSON.
func largeDescriptions(b *testing.B) []file {
	const name = "issue796-0e8a48.yml"
	text := converttest.CorpusTexts(b, "apiconvert/openapi/"+name)[name]
	source := file{"yaml", "application/yaml", text}
	return []file{source, {"json", "application/json", call(b, source.mediaType, text, "openapi-3.0-json").Value}}
}

// BenchmarkLarge converts the largest document to each kind of target.
func BenchmarkLarge(b *testing.B) {
	for _, f := range largeDescriptions(b) {
		for _, target := range []string{"postman-2.1", "curl", "openapi-3.0-json"} {
			b.Run(f.name+"/"+target, func(b *testing.B) {
				b.SetBytes(int64(len(f.text)))
				b.ReportAllocs()
				for b.Loop() {
					call(b, f.mediaType, f.text, target)
				}
			})
		}
	}
}
