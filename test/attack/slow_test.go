package attack

import (
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/convertd/convertd/test/daemon"
)

// TestSlowClients: hundreds of clients that send a byte a second, or nothing,
// or read nothing are cut within 15 s; until then good calls are as fast as
// ever.
func TestSlowClients(t *testing.T) {
	daemon.SecondTier(t)
	t.Parallel() // it mostly waits
	const (
		each = 100
		cut  = 15 * time.Second
		slow = "POST /v1/tools/json_format HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
	)
	s := attack(t, "--rate-limit=0")
	alone := s.goodTimes(t, 300)
	started := time.Now()
	var clients sync.WaitGroup
	var mutex sync.Mutex
	lasted := map[string]time.Duration{}
	for name, opening := range map[string]string{
		"nothing at all":        "",
		"a header":              "POST /v1/tools/json_format HTTP/1.1\r\nX-" + marker + ": ",
		"a body with length":    slow + "Content-Length: 1000000\r\n\r\n{",
		"a body in chunks":      slow + "Transfer-Encoding: chunked\r\n\r\n",
		"a body of a wrong use": "POST /v1/unknown HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n\r\n{",
	} {
		for range each {
			clients.Go(func() {
				took := s.trickle(t, opening, cut+5*time.Second)
				mutex.Lock()
				lasted[name] = max(lasted[name], took)
				mutex.Unlock()
			})
		}
	}
	time.Sleep(time.Second)
	meanwhile := s.goodTimes(t, 300)
	if open := s.Descriptors(t); open < 3*each {
		t.Errorf("only %d descriptors are open; the slow clients are not there", open)
	}
	clients.Wait()
	for name, took := range lasted {
		t.Logf("%s: cut after %v", name, took.Round(10*time.Millisecond))
		if took > cut {
			t.Errorf("%s: cut after %v", name, took)
		}
	}
	worstAlone, worst := percentile(alone, 99), percentile(meanwhile, 99)
	t.Logf("good calls, 99th of 100: %v alone, %v meanwhile; %v in all", worstAlone, worst, time.Since(started))
	if worst > max(goodTime, 3*worstAlone) { // the second on a machine that is busy with other things
		t.Errorf("good calls took %v", worst)
	}
	s.unharmed(t)
	s.memoryIsBack(t)
}

// goodTimes makes good calls and returns how long each took.
func (s *target) goodTimes(t *testing.T, n int) []time.Duration {
	times := make([]time.Duration, n)
	for i := range times {
		times[i] = s.good(t)
	}
	return times
}

// trickle opens a connection, sends the opening and then a byte a second, and
// returns how long the server let it.
func (s *target) trickle(t *testing.T, opening string, limit time.Duration) time.Duration {
	connection, err := net.Dial("tcp", s.Address())
	if err != nil {
		t.Error(err)
		return 0
	}
	defer connection.Close()
	start := time.Now()
	_, _ = io.WriteString(connection, opening)
	piece := "1"
	if strings.Contains(opening, "chunked") {
		piece = "1\r\n \r\n"
	}
	buffer := make([]byte, 4096)
	for time.Since(start) < limit {
		_ = connection.SetReadDeadline(time.Now().Add(time.Second))
		_, err := connection.Read(buffer)
		if timeout, ok := err.(net.Error); err != nil && !(ok && timeout.Timeout()) {
			return time.Since(start)
		}
		if opening == "" {
			continue
		}
		if _, err := io.WriteString(connection, piece); err != nil {
			return time.Since(start)
		}
	}
	return time.Since(start)
}

// TestReadsNothing: clients that ask for large answers and never read them
// hold neither slots nor memory beyond what is in the sockets.
func TestReadsNothing(t *testing.T) {
	s := attack(t, "--rate-limit=0", "--work-slots=4")
	body := toolBody("application/json", "["+strings.Repeat("1,", 200_000)+"1]", "")
	var open []net.Conn
	for range 50 {
		connection, err := net.Dial("tcp", s.Address())
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, connection)
		go func() {
			fmt.Fprintf(connection, "POST /v1/tools/json_format HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		}()
	}
	time.Sleep(time.Second)
	if worst := percentile(s.goodTimes(t, 100), 99); worst > 2*goodTime {
		t.Errorf("good calls took %v", worst)
	}
	if peak := s.Peak(t); peak > callMemory {
		t.Errorf("held %d MiB", peak>>20)
	}
	for _, connection := range open {
		connection.Close()
	}
	s.unharmed(t)
	s.memoryIsBack(t)
}
