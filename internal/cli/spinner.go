package cli

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/convertd/convertd/internal/printable"
)

// patience is how long work may take before the spinner appears.
const patience = time.Second

// Progress is a spinner on a terminal, which shows how far the work has come
// when it takes long. The nil Progress shows nothing.
type Progress struct {
	mutex  sync.Mutex
	to     io.Writer
	start  time.Time
	paused int
	shown  bool
	done   chan struct{}
	ended  sync.WaitGroup
}

// StartProgress starts a spinner on w that shows what state returns, or returns nil if w is not a terminal.
func StartProgress(w io.Writer, state func() string) *Progress {
	if !Terminal(w) {
		return nil
	}
	if shown, ok := w.(printable.Writer); ok {
		w = shown.To // the spinner's own escape sequences are meant for the terminal
	}
	return spin(w, state)
}

func spin(w io.Writer, state func() string) *Progress {
	p := &Progress{to: w, start: time.Now(), done: make(chan struct{})}
	p.ended.Go(func() {
		tick := time.NewTimer(patience)
		defer tick.Stop()
		for turn := 0; ; {
			select {
			case <-p.done:
				p.mutex.Lock()
				p.clear()
				p.mutex.Unlock()
				return
			case <-tick.C:
				p.mutex.Lock()
				if elapsed := time.Since(p.start); p.paused == 0 && elapsed >= patience {
					p.shown = true
					fmt.Fprintf(w, "\r\x1b[K%c %s %ds", `|/-\`[turn%4], state(), int(elapsed.Seconds()))
					turn++
				}
				p.mutex.Unlock()
				tick.Reset(100 * time.Millisecond)
			}
		}
	})
	return p
}

// Pause hides the spinner until resume is called, while somebody types on the terminal.
func (p *Progress) Pause() (resume func()) {
	if p == nil {
		return func() {}
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.paused++
	p.clear()
	return func() {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		p.paused--
		p.start = time.Now()
	}
}

// clear removes the spinner; its caller holds the mutex.
func (p *Progress) clear() {
	if p.shown {
		p.shown = false
		fmt.Fprint(p.to, "\r\x1b[K")
	}
}

// Stop removes the spinner for good. It is called once.
func (p *Progress) Stop() {
	if p != nil {
		close(p.done)
		p.ended.Wait()
	}
}

// Writer returns a writer to the spinner's terminal that removes the spinner before it writes to w.
func (p *Progress) Writer(w io.Writer) io.Writer {
	if p == nil {
		return w
	}
	return clearing{p, w}
}

type clearing struct {
	progress *Progress
	to       io.Writer
}

func (c clearing) Write(text []byte) (int, error) {
	c.progress.mutex.Lock()
	defer c.progress.mutex.Unlock()
	c.progress.clear()
	return c.to.Write(text)
}
