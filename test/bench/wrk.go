package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
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
	p99       float64 // ms
}

// wrk makes clients with a connection each post the bodies in turn. Each sends its next request when it has received the
// response.
func (s *server) wrk(connections int, each time.Duration, posts []post) (load, error) {
	script := must(filepath.Abs("test/bench/post.lua"))
	arguments := []string{"-t1", fmt.Sprint("-c", connections), fmt.Sprintf("-d%ds", max(1, int(each.Seconds()))), "--timeout", "10s", "-s", script, s.url, "--"}
	for _, p := range posts {
		arguments = append(arguments, p.file, p.path)
	}
	out, err := on(s.callers, exec.Command("wrk", arguments...)).CombinedOutput()
	if err != nil {
		return load{}, fmt.Errorf("wrk: %w\n%s", err, out)
	}
	_, result, _ := strings.Cut(string(out), "RESULT ")
	var requests, microseconds, refused, broken, p99 float64
	if _, err := fmt.Sscan(result, &requests, &microseconds, &refused, &broken, &p99); err != nil {
		return load{}, fmt.Errorf("wrk says nothing of its result: %w\n%s", err, out)
	}
	return load{(requests - refused) / (microseconds / 1e6), refused / max(1, requests), int(broken), p99 / 1000}, nil
}

// accepts reports whether the server accepts the bodies, so that no rejection is measured.
func (s *server) accepts(posts []post) bool {
	for _, p := range posts {
		text := must(os.ReadFile(p.file))
		response, err := http.Post(s.url+p.path, "application/json", bytes.NewReader(text))
		if err != nil {
			return false
		}
		response.Body.Close()
		if response.StatusCode != http.StatusOK {
			return false
		}
	}
	return true
}
