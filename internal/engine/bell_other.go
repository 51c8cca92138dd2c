//go:build !unix

package engine

// bell is none where a pipe is not an event of the network.
type bell struct{}

func newBell() *bell { return nil }

func (*bell) wait() {}
