// Package expression provides regular expressions that are compiled on first use, so that they add nothing to a
// program's startup time.
package expression

import (
	"regexp"
	"sync"
)

// Lazy returns a function that compiles an RE2 expression on the first call and returns the same Regexp every time.
func Lazy(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
