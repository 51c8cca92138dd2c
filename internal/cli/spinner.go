package cli

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/convertd/convertd/internal/printable"
)

// patience is how long work may take before a terminal is told that it is still
// under way.
const patience = time.Second

// Progress shows that work is under way, and how far it is, when it takes long.
// The nil Progress shows nothing.
type Progress struct {
	mutex sync.Mutex
	to    io.Writer
	shown bool
	done  chan struct{}
	ended sync.WaitGroup
}

// Wait begins to show what on w, if that is a terminal.
func Wait(w io.Writer, what func() string) *Progress {
	if !Terminal(w) {
		return nil
	}
	if shown, ok := w.(printable.Writer); ok {
		w = shown.To // what it shows acts on the terminal
	}
	return spin(w, what)
}

func spin(w io.Writer, what func() string) *Progress {
	p := &Progress{to: w, done: make(chan struct{})}
	p.ended.Go(func() {
		start := time.Now()
		wait := time.NewTimer(patience)
		defer wait.Stop()
		for turn := 0; ; turn++ {
			select {
			case <-p.done:
				p.mutex.Lock()
				p.clear()
				p.mutex.Unlock()
				return
			case <-wait.C:
				p.mutex.Lock()
				p.shown = true
				fmt.Fprintf(w, "\r\x1b[K%c %s %ds", `|/-\`[turn%4], what(), int(time.Since(start).Seconds()))
				p.mutex.Unlock()
				wait.Reset(100 * time.Millisecond)
			}
		}
	})
	return p
}

// clear removes what is shown; its caller holds the mutex.
func (p *Progress) clear() {
	if p.shown {
		p.shown = false
		fmt.Fprint(p.to, "\r\x1b[K")
	}
}

// Stop removes what is shown, for good. It is called once.
func (p *Progress) Stop() {
	if p != nil {
		close(p.done)
		p.ended.Wait()
	}
}

// Beside returns a writer to the same terminal, which removes what is shown
// before it writes.
func (p *Progress) Beside(w io.Writer) io.Writer {
	if p == nil {
		return w
	}
	return besides{p, w}
}

type besides struct {
	progress *Progress
	to       io.Writer
}

func (b besides) Write(text []byte) (int, error) {
	b.progress.mutex.Lock()
	defer b.progress.mutex.Unlock()
	b.progress.clear()
	return b.to.Write(text)
}
