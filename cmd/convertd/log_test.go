package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// disk is a log file on a disk that is full for a while: some writes are short.
type disk struct {
	text  bytes.Buffer
	takes []int // how many bytes the next writes accept; later ones accept all
}

func (d *disk) Write(p []byte) (int, error) {
	if len(d.takes) == 0 {
		return d.text.Write(p)
	}
	n := min(d.takes[0], len(p))
	d.takes = d.takes[1:]
	d.text.Write(p[:n])
	if n < len(p) {
		return n, errors.New("no space left")
	}
	return n, nil
}

// TestLogTorn checks that a line that was written in part spoils no other line, and
// that each lost line is counted, in the log, too.
func TestLogTorn(t *testing.T) {
	for _, takes := range [][]int{
		nil, {0}, {5}, {1 << 20, 5}, {0, 5}, {5, 0}, {5, 1, 0}, {5, 1, 7}, {3, 0, 0}, {3, 1, 3, 1, 3, 1, 3},
	} {
		synctest.Test(t, func(t *testing.T) {
			out := &disk{takes: takes}
			log, writer := (&serveCommand{LogFormat: "json"}).logger(out)
			for i := range 3 {
				log.Info("line", "number", i)
				time.Sleep(2 * logPause)
			}
			writer.Flush()
			whole, reported := readLog(t, out.text.String())
			if dropped := int(writer.Dropped()); whole+dropped != 3 || reported > dropped || reported < dropped && len(out.takes) == 0 {
				t.Errorf("%v: of 3 lines %d are there, %d count as dropped and %d are reported:\n%s", takes, whole, dropped, reported, &out.text)
			}
		})
	}
}

// readLog counts a log's lines, and the lines that it reports as dropped.
func readLog(t *testing.T, text string) (whole, dropped int) {
	t.Helper()
	for line := range strings.Lines(text) {
		var read struct {
			Msg   string
			Lines int
		}
		switch {
		case json.Unmarshal([]byte(line), &read) != nil && len(line) > len("1234567\n"):
			t.Errorf("two lines in one: %s", line)
		case read.Lines > 0:
			dropped += read.Lines
		case read.Msg == "line":
			whole++
		}
	}
	return whole, dropped
}

// TestLogIsBounded checks that a reader that does not read does not block the
// service, and that the number of waiting lines is limited.
func TestLogIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var out bytes.Buffer
		log, writer := (&serveCommand{LogFormat: "json"}).logger(writerFunc(func(p []byte) (int, error) {
			<-release
			return out.Write(p)
		}))
		const lines = 3 * logWaiting / 1000
		for i := range lines {
			log.Info("line", "number", i, "rest", strings.Repeat("x", 1000))
		}
		synctest.Wait()
		dropped := int(writer.Dropped())
		if len(writer.lines) > logWaiting || dropped < lines/3-100 {
			t.Errorf("%d bytes wait, %d lines of %d were dropped", len(writer.lines), dropped, lines)
		}
		close(release)
		writer.Flush()
		if whole, reported := readLog(t, out.String()); whole != lines-dropped || reported != dropped {
			t.Errorf("of %d lines %d are there, %d were dropped, %d are reported", lines, whole, dropped, reported)
		}
	})
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
