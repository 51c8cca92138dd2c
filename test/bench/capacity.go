package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// measureCapacity measures what one replica serves and what it costs, and several replicas with one Redis.
func measureCapacity(run harness) (rows []row) {
	formats := map[int]post{}
	for _, size := range []int{2_000, 60_000, 500_000} {
		formats[size] = run.call("json_format", "application/json", anyJSON(size), "")
	}
	tools := small(run)
	posts := mix(tools, formats)
	perSecond := 0.0 // of the last one
	for _, w := range []struct {
		title string
		posts []post
	}{
		{"json_format, tiny", []post{tools["json_format"]}}, {"json_format 2 KB", []post{formats[2_000]}},
		{"json_format 60 KB", []post{formats[60_000]}}, {"json_format 500 KB", []post{formats[500_000]}}, {"the mix", posts},
	} {
		one, ofOne := run.pinned().served(w.title+", one processor", w.posts)
		_, ofBoth := run.served(w.title+", both", w.posts)
		rows, perSecond = append(append(rows, ofOne...), ofBoth...), one
	}
	rows = append(rows, run.holding())
	for _, replicas := range []int{1, 2, 3} {
		rows = append(rows, run.together(replicas, 0.4*perSecond, posts)...)
	}
	return rows
}

// served returns the median throughput of several loads, the latency and, if the service is alone on its processor, the
// processor time of a call.
func (r harness) served(title string, posts []post) (perSecond float64, rows []row) {
	s := startConvertd(r)
	defer s.stop()
	taken := samples{}
	for range max(1, r.rounds/2) {
		before, begin := s.seconds(), time.Now()
		l, err := s.wrk(callers{connections: 16}, r.each, posts...)
		if err != nil || l.refused > 0 || l.broken > 0 {
			panic(fmt.Errorf("%.0f%% refused, %d broken, %v", 100*l.refused, l.broken, err))
		}
		taken["per second"] = append(taken["per second"], l.perSecond)
		taken["cost"] = append(taken["cost"], (s.seconds()-before)/time.Since(begin).Seconds()/l.perSecond)
		taken.add("p99", l.p99)
	}
	perSecond = taken.median("per second")
	rows = []row{atLeast(title+": calls/s", perSecond, 0), atMost(title+": p99 (ms)", taken.median("p99")/1000, 0)}
	if r.servers != "" {
		rows = append(rows, atMost(title+": processor time of a call (µs)", 1e6*taken.median("cost"), 0))
	}
	return perSecond, rows
}

// holding opens connections that each make a small call and stay open, and returns what one costs.
func (r harness) holding() row {
	s := startConvertd(r, "--max-connections", "0")
	defer s.stop()
	call := small(r)["json_format"]
	text := must(os.ReadFile(call.file))
	const connections = 4000
	before := s.mebibytes("VmRSS")
	for range connections {
		c := s.hold(call.path, text)
		defer c.Close()
	}
	time.Sleep(300 * time.Millisecond)
	return atMost("memory of an open connection that has made a call (KiB)", 1024*(s.mebibytes("VmRSS")-before)/connections, 0)
}

// hold makes a call on a new connection and keeps it open.
func (s *server) hold(path string, body []byte) net.Conn {
	host := strings.TrimPrefix(s.url, "http://")
	c := must(net.DialTimeout("tcp", host, 5*time.Second))
	_ = c.SetDeadline(time.Now().Add(5 * time.Second))
	fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", path, host, len(body), body)
	if response := must(http.ReadResponse(bufio.NewReader(c), nil)); response.StatusCode != http.StatusOK {
		panic(fmt.Errorf("a held connection's call: %s", response.Status))
	}
	return c
}

// together runs replicas with one Redis at this total load.
func (r harness) together(replicas int, perSecond float64, posts []post) []row {
	store, err := startRedis(r)
	if err != nil {
		fmt.Fprintln(os.Stderr, "without Redis:", err)
		return nil
	}
	defer store.stop()
	var servers []*server
	for range replicas {
		s := startConvertd(r, "--rate-limit", "1000000", "--redis-url", "redis://"+store.address)
		defer s.stop()
		servers = append(servers, s)
	}
	time.Sleep(500 * time.Millisecond) // the replicas find Redis
	const pause = 10 * time.Millisecond
	each := callers{max(1, int(perSecond*pause.Seconds())/replicas), pause}
	loads, errs := make([]load, replicas), make([]error, replicas)
	took, before := max(4*time.Second, 2*r.each), store.scripts()
	var all sync.WaitGroup
	for i, s := range servers {
		all.Go(func() { loads[i], errs[i] = s.wrk(each, took, posts...) })
	}
	all.Wait()
	served, p99 := 0.0, time.Duration(0)
	for i, l := range loads {
		if errs[i] != nil || l.refused > 0 || l.broken > 0 {
			panic(fmt.Errorf("%d replicas: %.0f%% refused, %d broken, %v", replicas, 100*l.refused, l.broken, errs[i]))
		}
		served, p99 = served+l.perSecond, max(p99, l.p99)
	}
	title := fmt.Sprintf("%d replicas, %s calls/s of the mix", replicas, digits(served))
	return []row{
		atMost(title+": p99 (ms)", float64(p99.Microseconds())/1000, 0),
		atMost(title+": Redis commands for 1,000 calls", 1000*(store.scripts()-before)/(served*took.Seconds()), 100),
	}
}

// redisStore is a Redis for one run.
type redisStore struct {
	address string
	process *exec.Cmd
	client  *redis.Client
}

func startRedis(r harness) (*redisStore, error) {
	if _, err := exec.LookPath("redis-server"); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &redisStore{address: listener.Addr().String()}
	listener.Close()
	_, port, _ := net.SplitHostPort(s.address)
	s.process = exec.Command("redis-server", "--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", r.folder)
	if err := s.process.Start(); err != nil {
		return nil, err
	}
	s.client = redis.NewClient(&redis.Options{Addr: s.address})
	return s, nil
}

// scripts returns how many scripts Redis has run.
func (s *redisStore) scripts() (n float64) {
	for line := range strings.Lines(s.client.Info(context.Background(), "commandstats").Val()) {
		var calls float64
		if name, rest, _ := strings.Cut(line, ":"); strings.HasPrefix(name, "cmdstat_eval") {
			_, _ = fmt.Sscanf(rest, "calls=%f", &calls)
			n += calls
		}
	}
	return n
}

func (s *redisStore) stop() {
	_ = s.client.Close()
	_ = s.process.Process.Kill()
	_ = s.process.Wait()
}
