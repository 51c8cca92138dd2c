package main

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// post is a request body in a file, and its path.
type post struct {
	path string
	file string
	size int // bytes
}

// save writes a body to a file for wrk.
func (r harness) save(path string, body []byte) post {
	file := must(os.CreateTemp(r.folder, "*.json"))
	must(file.Write(body))
	ok(file.Close())
	return post{path, file.Name(), len(body)}
}

// load is the result of wrk.
type load struct {
	perSecond float64 // successes per second
	refused   float64 // share of responses that are not 2xx
	broken    int     // connections refused, cut or timed out
	p50, p99  time.Duration
	longest   time.Duration
}

// callers are clients with a connection each. A client sends its next request
// after it has received the previous response and paused for about this long.
type callers struct {
	connections int
	pause       time.Duration // whole milliseconds
}

// wrk makes the callers post the bodies in turn.
func (s *server) wrk(c callers, each time.Duration, posts ...post) (load, error) {
	script := must(filepath.Abs("test/bench/post.lua"))
	arguments := []string{"-t1", fmt.Sprint("-c", c.connections), fmt.Sprintf("-d%ds", max(1, int(each.Seconds()))), "--timeout", "10s", "-s", script, s.url, "--", fmt.Sprint(c.pause.Milliseconds())}
	for _, p := range posts {
		arguments = append(arguments, p.file, p.path)
	}
	out, err := on(s.callers, exec.Command("wrk", arguments...)).CombinedOutput()
	if err != nil {
		return load{}, fmt.Errorf("wrk: %w\n%s", err, out)
	}
	_, result, found := strings.Cut(string(out), "RESULT ")
	if !found {
		return load{}, fmt.Errorf("wrk says nothing of its result:\n%s", out)
	}
	var n [7]float64
	for i, field := range strings.Fields(result) {
		n[i], _ = strconv.ParseFloat(field, 64)
	}
	return load{
		perSecond: (n[0] - n[2]) / (n[1] / 1e6),
		refused:   n[2] / max(1, n[0]),
		broken:    int(n[3]),
		p50:       time.Duration(n[4]) * time.Microsecond,
		p99:       time.Duration(n[5]) * time.Microsecond,
		longest:   time.Duration(n[6]) * time.Microsecond,
	}, nil
}

// accepts reports whether the server accepts this body, so that no rejection is measured.
func (s *server) accepts(p post) bool {
	text := must(os.ReadFile(p.file))
	response, err := http.Post(s.url+p.path, "application/json", bytes.NewReader(text))
	if err != nil {
		return false
	}
	response.Body.Close()
	return response.StatusCode == http.StatusOK
}

// nextTo returns the load of two callers while this many others send large requests.
func (s *server) nextTo(others int, each time.Duration, large, small post) (load, error) {
	var failed error
	var both sync.WaitGroup
	both.Go(func() { _, failed = s.wrk(callers{connections: others}, each+time.Second, large) })
	time.Sleep(500 * time.Millisecond) // until the others are at work
	l, err := s.wrk(callers{connections: 2}, each, small)
	both.Wait()
	return l, errors.Join(err, failed)
}
