//go:build !race

package converttest

// Race reports whether the race detector is on.
const Race = false
