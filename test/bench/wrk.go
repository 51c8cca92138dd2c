package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
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
	p99       time.Duration
}

// callers are clients with a connection each, which send their next request when they have received the response.
type callers struct{ connections int }

// wrk makes the callers post the bodies in turn.
func (s *server) wrk(c callers, each time.Duration, posts ...post) (load, error) {
	script := must(filepath.Abs("test/bench/post.lua"))
	arguments := []string{"-t1", fmt.Sprint("-c", c.connections), fmt.Sprintf("-d%ds", max(1, int(each.Seconds()))), "--timeout", "10s", "-s", script, s.url, "--"}
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
	var n [5]float64
	for i, field := range strings.Fields(result) {
		n[i], _ = strconv.ParseFloat(field, 64)
	}
	return load{
		perSecond: (n[0] - n[2]) / (n[1] / 1e6),
		refused:   n[2] / max(1, n[0]),
		broken:    int(n[3]),
		p99:       time.Duration(n[4]) * time.Microsecond,
	}, nil
}

// load is wrk for calls that must all succeed.
func (s *server) load(c callers, each time.Duration, posts ...post) load {
	l := must(s.wrk(c, each, posts...))
	if l.refused > 0 || l.broken > 0 {
		panic(fmt.Errorf("%s refuses %.0f%%, breaks %d", s.name, 100*l.refused, l.broken))
	}
	return l
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

// add keeps a duration in microseconds.
func (s samples) add(key string, d time.Duration) {
	s[key] = append(s[key], float64(d.Microseconds()))
}
