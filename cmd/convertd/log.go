package main

import (
	"bytes"
	"io"
	"log/slog"
	"sync/atomic"
	"time"
)

const (
	logLines = 4096        // that wait at most; a line is some 250 bytes
	logFlush = time.Second // how long the last ones may take to be written
)

// logWriter writes in the background. When whoever reads the log does not keep
// up, or stops reading, lines are dropped and counted: a full pipe must not
// stop the service.
type logWriter struct {
	out     io.Writer
	lines   chan []byte
	dropped atomic.Uint64
	stop    chan struct{}
	stopped chan struct{}
}

// newLogWriter starts a writer to out. report is told how many lines were
// dropped once there is room again.
func newLogWriter(out io.Writer, report func(dropped uint64)) *logWriter {
	w := &logWriter{out: out, lines: make(chan []byte, logLines), stop: make(chan struct{}), stopped: make(chan struct{})}
	go w.run(report)
	return w
}

// Write takes one line over; it never waits and never fails.
func (w *logWriter) Write(line []byte) (int, error) {
	select {
	case w.lines <- bytes.Clone(line):
	default:
		w.dropped.Add(1)
	}
	return len(line), nil
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

func (w *logWriter) run(report func(uint64)) {
	defer close(w.stopped)
	for {
		select {
		case line := <-w.lines:
			_, _ = w.out.Write(line) // there is nowhere to tell that the log fails
			if n := w.dropped.Swap(0); n > 0 {
				report(n)
			}
		case <-w.stop:
			for len(w.lines) > 0 {
				_, _ = w.out.Write(<-w.lines)
			}
			return
		}
	}
}

// logger returns the process's log, and how to write the last of it.
func (c *serveCommand) logger(out io.Writer) (*slog.Logger, func()) {
	direct := slog.New(c.logHandler(out))
	writer := newLogWriter(out, func(dropped uint64) {
		direct.Warn("lines of the log were dropped because nobody read it fast enough", "lines", dropped)
	})
	return slog.New(c.logHandler(writer)), writer.Flush
}

func (c *serveCommand) logHandler(out io.Writer) slog.Handler {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	if c.LogFormat == "text" {
		return slog.NewTextHandler(out, options)
	}
	return slog.NewJSONHandler(out, options)
}
