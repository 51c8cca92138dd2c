//go:build !unix

package engine

// wakeup does nothing where a pipe is not an event of the network.
type wakeup struct{}

func newWakeup() *wakeup { return nil }

func (*wakeup) wait() {}
