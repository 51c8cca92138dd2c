package main

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/convertd/convertd/internal/record"
)

const (
	logWaiting = 1 << 20              // bytes of lines that wait at most; a line has some 250
	logPause   = 5 * time.Millisecond // between two writes
	logFlush   = time.Second          // how long the last lines may take to be written
)

// logWriter writes in the background, many lines at once under load: a system
// call and a wake-up for each would cost a small call a tenth of its time. When
// whoever reads the log does not keep up, stops reading or goes away, or the
// disk is full, lines are dropped and counted: nothing about the log must stop
// the service.
type logWriter struct {
	out     io.Writer
	report  func(to io.Writer, dropped uint64) error
	wake    chan struct{} // has one in it when lines wait
	stop    chan struct{}
	stopped chan struct{}

	mutex   sync.Mutex
	lines   []byte // that wait
	dropped uint64 // since the last report that was written
	total   uint64 // dropped since the start

	torn bool // the last write ended within a line; only run uses it
}

// newLogWriter starts a writer to out. report writes a line that says how many
// were dropped once there is room again; it returns an error when that could not
// be written either.
func newLogWriter(out io.Writer, report func(to io.Writer, dropped uint64) error) *logWriter {
	w := &logWriter{out: out, report: report, wake: make(chan struct{}, 1), stop: make(chan struct{}), stopped: make(chan struct{})}
	go w.run()
	return w
}

// Write takes one line over; it never waits for the reader and never fails.
func (w *logWriter) Write(line []byte) (int, error) {
	w.mutex.Lock()
	if len(w.lines)+len(line) > logWaiting {
		w.dropped++
		w.total++
	} else {
		w.lines = append(w.lines, line...)
	}
	w.mutex.Unlock()
	select {
	case w.wake <- struct{}{}:
	default: // it is awake, or will be
	}
	return len(line), nil
}

// Dropped is how many lines were dropped since the start.
func (w *logWriter) Dropped() uint64 {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.total
}

// Flush writes what is left, for at most logFlush. Later lines are not
// written.
func (w *logWriter) Flush() {
	close(w.stop)
	select {
	case <-w.stopped:
	case <-time.After(logFlush):
	}
}

func (w *logWriter) run() {
	defer close(w.stopped)
	var spare []byte
	for {
		select {
		case <-w.wake:
			spare = w.write(spare)
			time.Sleep(logPause) // lets lines gather
		case <-w.stop:
			w.write(spare)
			return
		}
	}
}

// write writes the lines that wait and leaves spare to gather the next ones.
// It returns the buffer that is free now.
func (w *logWriter) write(spare []byte) []byte {
	w.mutex.Lock()
	lines, dropped := w.lines, w.dropped
	w.lines, w.dropped = spare[:0], 0
	w.mutex.Unlock()
	lost := w.put(lines)
	unreported := dropped + lost
	if unreported > 0 && w.report(atOnce{w}, unreported) == nil {
		unreported = 0
	}
	w.mutex.Lock()
	w.dropped += unreported
	w.total += lost
	w.mutex.Unlock()
	return lines
}

// put writes lines and returns how many were lost. What a write has begun and
// not ended is one of them; the next write begins a line of its own.
func (w *logWriter) put(lines []byte) (lost uint64) {
	if w.torn {
		if _, err := w.out.Write([]byte("\n")); err != nil {
			return uint64(bytes.Count(lines, []byte("\n")))
		}
		w.torn = false
	}
	n, err := w.out.Write(lines)
	if err == nil {
		return 0
	}
	w.torn = n > 0 && lines[n-1] != '\n'
	return uint64(bytes.Count(lines[n:], []byte("\n")))
}

// atOnce is the log for the one line that nobody waits with: it stands on a line
// of its own too.
type atOnce struct{ log *logWriter }

func (a atOnce) Write(line []byte) (int, error) {
	if a.log.put(line) > 0 {
		return 0, io.ErrShortWrite
	}
	return len(line), nil
}

// logger returns the process's log and what writes it.
func (c *serveCommand) logger(out io.Writer) (*slog.Logger, *logWriter) {
	writer := newLogWriter(out, func(to io.Writer, dropped uint64) error {
		direct := c.logHandler(to)
		line := slog.NewRecord(time.Now(), slog.LevelWarn, "lines of the log were dropped because they could not be written fast enough, or not at all", 0)
		line.AddAttrs(slog.Uint64("lines", dropped))
		if !direct.Enabled(context.Background(), line.Level) {
			return nil
		}
		return direct.Handle(context.Background(), line)
	})
	return slog.New(c.logHandler(writer)), writer
}

// outliveReaders lets the process go on when whoever reads its standard output
// or error goes away: by default Go ends it then, by SIGPIPE, which is right
// for a command in a pipeline and wrong for a service whose log shipper is
// restarted.
func outliveReaders() { signal.Ignore(syscall.SIGPIPE) }

func (c *serveCommand) logHandler(out io.Writer) slog.Handler {
	if c.LogFormat == "text" {
		return slog.NewTextHandler(out, &slog.HandlerOptions{Level: c.LogLevel})
	}
	return record.NewJSONHandler(out, c.LogLevel)
}
