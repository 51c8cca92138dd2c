// Package expression has regular expressions that cost nothing at the start of
// a program that does not use them.
package expression

import (
	"regexp"
	"sync"
)

// Lazy returns a function that compiles the expression (RE2) when it is first
// called, and always returns the same.
func Lazy(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
