package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

// burstSize is how many small calls arrive at once, each on an idle connection.
const burstSize = 4000

// burst sends a call on each of burstSize idle connections at once, and counts
// how many of them are served rather than rejected after --queue-wait.
func burst(run harness) []row {
	call := run.call("api_convert", "text/plain", curlCommand, `{"target":"openapi-3.1-json"}`)
	taken := samples{}
	for range run.rounds {
		served := run.burst(call)
		taken["served"] = append(taken["served"], served)
	}
	return []row{atLeast(fmt.Sprintf("api_convert, %d small calls at once on idle connections: served", burstSize), taken.median("served"), burstSize)}
}

// burst returns how many calls of a burst a new server serves.
func (r harness) burst(call post) (served float64) {
	s := startConvertd(r)
	defer s.stop()
	body := must(os.ReadFile(call.file))
	request := fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", call.path, len(body), body)
	idle := make([]caller, burstSize)
	for i := range idle {
		idle[i] = must(s.connect())
		defer idle[i].Close()
		must(idle[i].call(request)) // so that it is an idle connection, not a new one
	}
	for _, c := range idle {
		must(c.Write(request))
	}
	for _, c := range idle {
		switch status := must(c.status()); status {
		case http.StatusOK:
			served++
		case http.StatusServiceUnavailable:
		default:
			panic(fmt.Errorf("a burst got status %d", status))
		}
	}
	return served
}

// caller is a connection to a server.
type caller struct {
	net.Conn
	accepts *bufio.Reader
}

func (s *server) connect() (caller, error) {
	c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	return caller{c, bufio.NewReader(c)}, err
}

// call sends a request and returns the response's status.
func (c caller) call(request []byte) (int, error) {
	if _, err := c.Write(request); err != nil {
		return 0, err
	}
	return c.status()
}

// status reads a response.
func (c caller) status() (int, error) {
	_ = c.SetReadDeadline(time.Now().Add(time.Minute))
	response, err := http.ReadResponse(c.accepts, nil)
	if err != nil {
		return 0, err
	}
	_, err = io.Copy(io.Discard, response.Body)
	return response.StatusCode, err
}
