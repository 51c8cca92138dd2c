package main

import (
	"bytes"
	"io"
	"log/slog"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/convertd/convertd/internal/record"
)

const (
	logWaiting = 1 << 20              // limit of the bytes that wait; a line has about 250
	logPause   = 5 * time.Millisecond // between two writes
	logFlush   = time.Second          // limit for writing the last lines
)

// logWriter writes in the background, many lines at once under load: a system call for each line would cost a small
// request a tenth of its time. If the reader is slow, stops or goes away, or the disk is full, lines are dropped and
// counted: the log must never stop the service.
type logWriter struct {
	out     io.Writer
	report  func(dropped uint64) []byte
	wake    chan struct{} // holds one value while lines wait
	stop    chan struct{}
	stopped chan struct{}

	mutex   sync.Mutex
	lines   []byte // waiting lines
	dropped uint64 // since the last report that was written
	total   uint64 // dropped since the start

	torn bool // the last write ended inside a line; only run uses it
}

// newLogWriter starts a writer to out. report returns the line that says how many lines were dropped.
func newLogWriter(out io.Writer, report func(dropped uint64) []byte) *logWriter {
	w := &logWriter{out: out, report: report, wake: make(chan struct{}, 1), stop: make(chan struct{}), stopped: make(chan struct{})}
	go w.run()
	return w
}

// Write queues one line; it never blocks and never fails.
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

// Dropped returns how many lines were dropped since the start.
func (w *logWriter) Dropped() uint64 {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.total
}

// Flush writes the waiting lines, for at most logFlush. Later lines are lost.
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

// write writes the waiting lines and then how many were dropped before, and collects the next ones in spare. It returns
// the buffer that is free now. A line that was written in part is dropped; the next write ends it.
func (w *logWriter) write(spare []byte) []byte {
	w.mutex.Lock()
	lines, dropped := w.lines, w.dropped
	w.lines, w.dropped = spare[:0], 0
	w.mutex.Unlock()
	begin := 0 // of the lines
	if w.torn {
		lines, begin = append([]byte("\n"), lines...), 1
	}
	end := len(lines)
	if dropped > 0 {
		lines = append(lines, w.report(dropped)...)
	}
	n, err := w.out.Write(lines)
	if n > 0 {
		w.torn = lines[n-1] != '\n'
	}
	if err != nil {
		lost := uint64(bytes.Count(lines[min(max(n, begin), end):end], []byte("\n")))
		w.mutex.Lock()
		w.dropped += dropped + lost
		w.total += lost
		w.mutex.Unlock()
	}
	return lines
}

// logger returns the process's log and its writer.
func (c *serveCommand) logger(out io.Writer) (*slog.Logger, *logWriter) {
	writer := newLogWriter(out, func(dropped uint64) []byte {
		var line bytes.Buffer
		slog.New(c.logHandler(&line)).Warn("log lines were dropped because they could not be written, or not fast enough", "lines", dropped)
		return line.Bytes()
	})
	return slog.New(c.logHandler(writer)), writer
}

// ignoreSIGPIPE keeps the process running when the reader of its standard output or error goes away. The default, to
// end, is right for a command in a pipeline, but not for a service whose log shipper restarts.
func ignoreSIGPIPE() { signal.Ignore(syscall.SIGPIPE) }

func (c *serveCommand) logHandler(out io.Writer) slog.Handler {
	if c.LogFormat == "text" {
		return slog.NewTextHandler(out, &slog.HandlerOptions{Level: c.LogLevel})
	}
	return record.NewJSONHandler(out, c.LogLevel)
}
