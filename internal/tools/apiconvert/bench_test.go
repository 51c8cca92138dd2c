package apiconvert

import (
	"slices"
	"testing"
	"time"
)

// BenchmarkCorpus converts every source of the corpus to every target, and
// reports the median and the 95th percentile of a conversion.
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
