//go:build !unix

package engine

// wakeup does nothing where the network poller does not handle pipes.
type wakeup struct{}

func newWakeup() *wakeup { return nil }

func (*wakeup) wait() {}
