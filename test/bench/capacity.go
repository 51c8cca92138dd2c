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

// capacity is the measured capacity of one replica, kept for the page.
type capacity struct {
	Sizes       []sizeCost
	Mix         sizeCost
	Paced       float64 // cost of a call of the mix when calls arrive one by one, in seconds
	Connections []held
	Replicas    []together
}

// sizeCost is the cost of calls of one size, and how many are served.
type sizeCost struct {
	Title  string
	Bytes  float64 // of the request
	Cost   float64 // processor time of a call, in seconds
	One    served  // on one processor, the callers on another
	Shared served  // on all processors of the machine, with the callers
}

// served is the throughput and latency of 16 connections that never pause.
type served struct {
	PerSecond float64
	P99       float64 // ms
}

// held is the resident memory with this many connections open.
type held struct {
	Connections int
	MiB         float64
}

// together is a run of several replicas at a load below their capacity.
type together struct {
	Replicas  int
	PerSecond float64
	P99       float64 // ms
	Predicted float64 // busy processors according to the model
	Busy      float64 // busy processors
	Commands  float64 // commands to Redis per second; negative without Redis
}

// model returns the cost of a call of json_format with b bytes of request: fixed
// + b × perByte seconds of a processor. The smallest and the largest size
// determine it, so the sizes in between check it.
func (c capacity) model() (fixed, perByte float64) {
	first, last := c.Sizes[0], c.Sizes[len(c.Sizes)-1]
	perByte = (last.Cost - first.Cost) / (last.Bytes - first.Bytes)
	return first.Cost - first.Bytes*perByte, perByte
}

// measureCapacity measures the model's inputs, and loads that check it.
func measureCapacity(run harness) ([]row, error) {
	var c capacity
	for _, size := range []struct {
		title string
		value string
	}{{"tiny", tiny}, {"2 KB", anyJSON(2_000)}, {"60 KB", anyJSON(60_000)}, {"500 KB", anyJSON(500_000)}} {
		cost, err := run.cost(size.title, run.call("json_format", "application/json", size.value, ""))
		if err != nil {
			return nil, err
		}
		c.Sizes = append(c.Sizes, cost)
	}
	formats := map[int]post{}
	for _, size := range []int{2_000, 60_000} {
		formats[size] = run.call("json_format", "application/json", anyJSON(size), "")
	}
	posts := mix(small(run), formats)
	var err error
	if c.Mix, err = run.cost("mix", posts...); err != nil {
		return nil, err
	}
	if c.Connections, err = run.holding(); err != nil {
		return nil, err
	}
	for _, replicas := range []int{1, 1, 2, 3} { // the first is for the model
		t, err := run.together(replicas, c.Mix, posts)
		if err != nil {
			return nil, err
		}
		if c.Paced == 0 {
			c.Paced = t.Busy / t.PerSecond
			continue
		}
		t.Predicted = t.PerSecond * c.Paced
		c.Replicas = append(c.Replicas, t)
	}
	if run.quick {
		return c.rows(), nil
	}
	return c.rows(), keep("figures", c)
}

// cost measures calls on one processor, and on all.
func (r harness) cost(title string, posts ...post) (sizeCost, error) {
	c := sizeCost{Title: title}
	for _, p := range posts {
		c.Bytes += float64(p.size) / float64(len(posts))
	}
	var spent float64
	var err error
	if c.One, spent, err = r.pinned().served(posts); err != nil {
		return c, err
	}
	c.Cost = spent / c.One.PerSecond
	c.Shared, _, err = r.served(posts)
	return c, err
}

// served returns the median of several loads, and how many processors the service
// kept busy meanwhile.
func (r harness) served(posts []post) (out served, busy float64, err error) {
	s, err := startConvertd(r)
	if err != nil {
		return served{}, 0, err
	}
	defer s.stop()
	taken := samples{}
	for range max(1, r.rounds/2) {
		before, begin := s.seconds(), time.Now()
		l, err := s.wrk(callers{connections: 16}, r.each, posts...)
		if err != nil || l.refused > 0 || l.broken > 0 {
			return served{}, 0, fmt.Errorf("%.0f%% refused, %d broken, %v", 100*l.refused, l.broken, err)
		}
		taken["per second"] = append(taken["per second"], l.perSecond)
		taken["busy"] = append(taken["busy"], (s.seconds()-before)/time.Since(begin).Seconds())
		taken.add("p99", l.p99)
	}
	return served{taken.median("per second"), taken.median("p99") / 1000}, taken.median("busy"), nil
}

// holding opens connections that each make a small call and stay open.
func (r harness) holding() ([]held, error) {
	s, err := startConvertd(r, "--max-connections", "0")
	if err != nil {
		return nil, err
	}
	defer s.stop()
	call := small(r)["json_format"]
	text, err := os.ReadFile(call.file)
	if err != nil {
		return nil, err
	}
	var open []net.Conn
	defer func() {
		for _, c := range open {
			c.Close()
		}
	}()
	var list []held
	for _, most := range []int{0, 500, 1000, 2000, 4000} {
		for len(open) < most {
			c, err := s.hold(call.path, text)
			if err != nil {
				return nil, err
			}
			open = append(open, c)
		}
		time.Sleep(300 * time.Millisecond)
		list = append(list, held{most, s.mebibytes("VmRSS")})
	}
	return list, nil
}

// hold makes a call on a new connection and keeps it open.
func (s *server) hold(path string, body []byte) (net.Conn, error) {
	host := strings.TrimPrefix(s.url, "http://")
	c, err := net.DialTimeout("tcp", host, 5*time.Second)
	if err != nil {
		return nil, err
	}
	_ = c.SetDeadline(time.Now().Add(5 * time.Second))
	fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", path, host, len(body), body)
	response, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("a held connection's call: %s", response.Status)
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// together runs replicas with one Redis at a total load of two fifths of what one
// processor serves.
func (r harness) together(replicas int, mix sizeCost, posts []post) (together, error) {
	flags := []string{"--rate-limit", "1000000"}
	store, err := startRedis(r)
	if err != nil {
		fmt.Fprintln(os.Stderr, "without Redis:", err)
	} else {
		defer store.stop()
		flags = append(flags, "--redis-url", "redis://"+store.address)
	}
	var servers []*server
	for range replicas {
		s, err := startConvertd(r, flags...)
		if err != nil {
			return together{}, err
		}
		defer s.stop()
		servers = append(servers, s)
	}
	time.Sleep(500 * time.Millisecond) // the replicas find Redis
	return r.offer(servers, store, 0.4/mix.Cost, posts)
}

// offer sends requests to all replicas at a total rate, and measures what they
// spend.
func (r harness) offer(servers []*server, store *redisStore, perSecond float64, posts []post) (together, error) {
	const pause = 10 * time.Millisecond
	each := callers{max(1, int(perSecond*pause.Seconds())/len(servers)), pause}
	loads, errs := make([]load, len(servers)), make([]error, len(servers))
	spent := func() (n float64) {
		for _, s := range servers {
			n += s.seconds()
		}
		return n
	}
	before, scripts, begin := spent(), store.scripts(), time.Now()
	var all sync.WaitGroup
	for i, s := range servers {
		all.Go(func() { loads[i], errs[i] = s.wrk(each, max(4*time.Second, 2*r.each), posts...) })
	}
	all.Wait()
	took := time.Since(begin).Seconds()
	out := together{Replicas: len(servers), Busy: (spent() - before) / took, Commands: -1}
	if store != nil {
		out.Commands = (store.scripts() - scripts) / took
	}
	for i, l := range loads {
		if errs[i] != nil || l.refused > 0 || l.broken > 0 {
			return out, fmt.Errorf("%d replicas: %.0f%% refused, %d broken, %v", len(servers), 100*l.refused, l.broken, errs[i])
		}
		out.PerSecond += l.perSecond
		out.P99 = max(out.P99, float64(l.p99.Microseconds())/1000)
	}
	return out, nil
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
	if s == nil {
		return 0
	}
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
