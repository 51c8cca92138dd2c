//go:build race

package converttest

// Race reports whether the race detector is on. Bytes allocated are not compared
// then: the detector makes sync.Pool drop values at random.
const Race = true
