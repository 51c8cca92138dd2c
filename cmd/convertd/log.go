package main

import (
	"io"
	"log/slog"
	"sync"
	"time"
)

const (
	logWaiting = 1 << 20              // bytes of lines that wait at most; a line has some 250
	logPause   = 5 * time.Millisecond // between two writes
	logFlush   = time.Second          // how long the last lines may take to be written
)

// logWriter writes in the background, many lines at once under load: a system
// call and a wake-up for each would cost a small call a tenth of its time. When
// whoever reads the log does not keep up, or stops reading, lines are dropped
// and counted: a full pipe must not stop the service.
type logWriter struct {
	out     io.Writer
	report  func(dropped uint64)
	wake    chan struct{} // has one in it when lines wait
	stop    chan struct{}
	stopped chan struct{}

	mutex   sync.Mutex
	lines   []byte // that wait
	dropped uint64 // since the last report
	total   uint64 // dropped since the start
}

// newLogWriter starts a writer to out. report is told how many lines were
// dropped once there is room again.
func newLogWriter(out io.Writer, report func(dropped uint64)) *logWriter {
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
	_, _ = w.out.Write(lines) // there is nowhere to tell that the log fails
	if dropped > 0 {
		w.report(dropped)
	}
	return lines
}

// logger returns the process's log and what writes it.
func (c *serveCommand) logger(out io.Writer) (*slog.Logger, *logWriter) {
	direct := slog.New(c.logHandler(out))
	writer := newLogWriter(out, func(dropped uint64) {
		direct.Warn("lines of the log were dropped because nobody read it fast enough", "lines", dropped)
	})
	return slog.New(c.logHandler(writer)), writer
}

func (c *serveCommand) logHandler(out io.Writer) slog.Handler {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	if c.LogFormat == "text" {
		return slog.NewTextHandler(out, options)
	}
	return slog.NewJSONHandler(out, options)
}
