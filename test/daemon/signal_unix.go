//go:build unix

package daemon

import "os"

func prepare() {}

// Signal sends a signal; on Windows, Ctrl-C to all programs that this process has started since Main.
func Signal(process *os.Process, s os.Signal) error { return process.Signal(s) }
