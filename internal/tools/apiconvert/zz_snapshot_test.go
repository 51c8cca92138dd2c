package apiconvert

import (
	"crypto/sha256"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestSnapshot(t *testing.T) {
	out := os.Getenv("SNAPSHOT")
	if out == "" {
		t.Skip()
	}
	var b strings.Builder
	var names []string
	for n := range targets {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, kind := range []string{"openapi", "postman", "curl"} {
		for _, f := range corpusFiles(t, kind) {
			for _, target := range names {
				r, err := tryCall(f.mediaType, f.text, target)
				fmt.Fprintf(&b, "%s %s %x %x %v\n", f.name, target, sha256.Sum256([]byte(r.Value)), sha256.Sum256([]byte(strings.Join(r.Warnings, "\n"))), err)
				if kind == "openapi" && strings.HasPrefix(target, "openapi") && err == nil {
					for _, second := range names {
						r, err := tryCall(mediaTypeOf(target), r.Value, second)
						fmt.Fprintf(&b, "%s %s %s %x %x %v\n", f.name, target, second, sha256.Sum256([]byte(r.Value)), sha256.Sum256([]byte(strings.Join(r.Warnings, "\n"))), err)
					}
				}
			}
		}
	}
	os.WriteFile(out, []byte(b.String()), 0o644)
	fmt.Printf("%x\n", sha256.Sum256([]byte(b.String())))
}
