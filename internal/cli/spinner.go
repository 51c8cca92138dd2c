package cli

import (
	"fmt"
	"io"
	"time"

	"github.com/convertd/convertd/internal/printable"
)

// patience is how long a call may take before a terminal is told that it is
// still under way.
const patience = 400 * time.Millisecond

// Wait shows that work is under way when it takes long and w is a terminal;
// stop removes what it shows. Elsewhere it does nothing.
func Wait(w io.Writer, what string) (stop func()) {
	if !Terminal(w) {
		return func() {}
	}
	if shown, ok := w.(printable.Writer); ok {
		w = shown.To // what it shows acts on the terminal
	}
	return spin(w, what, patience)
}

func spin(w io.Writer, what string, after time.Duration) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		start := time.Now()
		wait := time.NewTimer(after)
		defer wait.Stop()
		for turn := 0; ; turn++ {
			select {
			case <-done:
				if turn > 0 {
					fmt.Fprint(w, "\r\x1b[K")
				}
				return
			case <-wait.C:
				fmt.Fprintf(w, "\r\x1b[K%c %s %ds", `|/-\`[turn%4], what, int(time.Since(start).Seconds()))
				wait.Reset(100 * time.Millisecond)
			}
		}
	}()
	return func() { close(done); <-ended }
}
