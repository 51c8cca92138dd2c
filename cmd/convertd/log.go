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
	logWaiting = 1 << 20              // limit of the bytes that wait; a line has about 250
	logPause   = 5 * time.Millisecond // between two writes
	logFlush   = time.Second          // limit for writing the last lines
)

// logWriter writes in the background, many lines at once under load: a system call for each line would cost a small
// request a tenth of its time. If the reader is slow, stops or goes away, or the disk is full, lines are dropped and
// counted: the log must never stop the service.
type logWriter struct {
	out     io.Writer
	report  func(to io.Writer, dropped uint64) error
	wake    chan struct{} // holds one value while lines wait
	stop    chan struct{}
	stopped chan struct{}

	mutex   sync.Mutex
	lines   []byte // waiting lines
	dropped uint64 // since the last report that was written
	total   uint64 // dropped since the start

	torn bool // the last write ended inside a line; only run uses it
}

// newLogWriter starts a writer to out. Once there is room again, report writes a
// line with the number of dropped lines; it returns an error if that fails, too.
func newLogWriter(out io.Writer, report func(to io.Writer, dropped uint64) error) *logWriter {
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

// write writes the waiting lines and collects the next ones in spare. It returns the buffer that is free now.
func (w *logWriter) write(spare []byte) []byte {
	w.mutex.Lock()
	lines, dropped := w.lines, w.dropped
	w.lines, w.dropped = spare[:0], 0
	w.mutex.Unlock()
	lost := w.put(lines)
	unreported := dropped + lost
	if unreported > 0 && w.report(direct{w}, unreported) == nil {
		unreported = 0
	}
	w.mutex.Lock()
	w.dropped += unreported
	w.total += lost
	w.mutex.Unlock()
	return lines
}

// put writes lines and returns how many were lost. A line that was written in part
// is lost; the next write begins a new line.
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

// direct writes a line without queuing it.
type direct struct{ log *logWriter }

func (d direct) Write(line []byte) (int, error) {
	if d.log.put(line) > 0 {
		return 0, io.ErrShortWrite
	}
	return len(line), nil
}

// logger returns the process's log and its writer.
func (c *serveCommand) logger(out io.Writer) (*slog.Logger, *logWriter) {
	writer := newLogWriter(out, func(to io.Writer, dropped uint64) error {
		handler := c.logHandler(to)
		line := slog.NewRecord(time.Now(), slog.LevelWarn, "log lines were dropped because they could not be written, or not fast enough", 0)
		line.AddAttrs(slog.Uint64("lines", dropped))
		if !handler.Enabled(context.Background(), line.Level) {
			return nil
		}
		return handler.Handle(context.Background(), line)
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
