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

// model returns the cost of a call of json_format with b bytes of request: fixed + b × perByte seconds of a processor.
// The smallest and the largest size determine it, so the sizes in between check it.
func (c capacity) model() (fixed, perByte float64) {
	first, last := c.Sizes[0], c.Sizes[len(c.Sizes)-1]
	perByte = (last.Cost - first.Cost) / (last.Bytes - first.Bytes)
	return first.Cost - first.Bytes*perByte, perByte
}

// measureCapacity measures the model's inputs, and loads that check it.
func measureCapacity(run harness) []row {
	var c capacity
	for _, size := range []struct {
		title string
		value string
	}{{"tiny", tiny}, {"2 KB", anyJSON(2_000)}, {"60 KB", anyJSON(60_000)}, {"500 KB", anyJSON(500_000)}} {
		cost := run.cost(size.title, run.call("json_format", "application/json", size.value, ""))
		c.Sizes = append(c.Sizes, cost)
	}
	formats := map[int]post{}
	for _, size := range []int{2_000, 60_000} {
		formats[size] = run.call("json_format", "application/json", anyJSON(size), "")
	}
	posts := mix(small(run), formats)
	c.Mix = run.cost("mix", posts...)
	c.Connections = run.holding()
	for _, replicas := range []int{1, 1, 2, 3} { // the first is for the model
		t := run.together(replicas, c.Mix, posts)
		if c.Paced == 0 {
			c.Paced = t.Busy / t.PerSecond
			continue
		}
		t.Predicted = t.PerSecond * c.Paced
		c.Replicas = append(c.Replicas, t)
	}
	if run.quick {
		return c.rows()
	}
	keep("figures", c)
	return c.rows()
}

// cost measures calls on one processor, and on all.
func (r harness) cost(title string, posts ...post) sizeCost {
	c := sizeCost{Title: title}
	for _, p := range posts {
		c.Bytes += float64(p.size) / float64(len(posts))
	}
	var spent float64
	c.One, spent = r.pinned().served(posts)
	c.Cost = spent / c.One.PerSecond
	c.Shared, _ = r.served(posts)
	return c
}

// served returns the median of several loads, and how many processors the service kept busy meanwhile.
func (r harness) served(posts []post) (out served, busy float64) {
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
		taken["busy"] = append(taken["busy"], (s.seconds()-before)/time.Since(begin).Seconds())
		taken.add("p99", l.p99)
	}
	return served{taken.median("per second"), taken.median("p99") / 1000}, taken.median("busy")
}

// holding opens connections that each make a small call and stay open.
func (r harness) holding() []held {
	s := startConvertd(r, "--max-connections", "0")
	defer s.stop()
	call := small(r)["json_format"]
	text := must(os.ReadFile(call.file))
	var open []net.Conn
	defer func() {
		for _, c := range open {
			c.Close()
		}
	}()
	var list []held
	for _, most := range []int{0, 500, 1000, 2000, 4000} {
		for len(open) < most {
			c := s.hold(call.path, text)
			open = append(open, c)
		}
		time.Sleep(300 * time.Millisecond)
		list = append(list, held{most, s.mebibytes("VmRSS")})
	}
	return list
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

// together runs replicas with one Redis at a total load of two fifths of what one processor serves.
func (r harness) together(replicas int, mix sizeCost, posts []post) together {
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
		s := startConvertd(r, flags...)
		defer s.stop()
		servers = append(servers, s)
	}
	time.Sleep(500 * time.Millisecond) // the replicas find Redis
	return r.offer(servers, store, 0.4/mix.Cost, posts)
}

// offer sends requests to all replicas at a total rate, and measures what they spend.
func (r harness) offer(servers []*server, store *redisStore, perSecond float64, posts []post) together {
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
			panic(fmt.Errorf("%d replicas: %.0f%% refused, %d broken, %v", len(servers), 100*l.refused, l.broken, errs[i]))
		}
		out.PerSecond += l.perSecond
		out.P99 = max(out.P99, float64(l.p99.Microseconds())/1000)
	}
	return out
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
