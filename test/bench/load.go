package main

import (
	"fmt"
	"sync"
	"time"
)

// underLoad asks for more than can be served, and watches the memory.
func underLoad(run harness) ([]row, error) {
	var rows []row
	for _, test := range []func(harness) ([]row, error){overload, fairness, memory} {
		more, err := test(run)
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	return rows, nil
}

// overload compares what is served to 4 × the callers that keep every slot and
// every place in the queue taken with what is served to as many as there are
// slots.
func overload(run harness) ([]row, error) {
	s, err := startConvertd(run, "--work-slots", "4", "--queue-wait", "10ms")
	if err != nil {
		return nil, err
	}
	defer s.stop()
	large := run.save("/v1/tools/json_to_yaml", body("application/json", anyJSON(500_000), ""))
	taken := samples{}
	for range run.rounds {
		for name, connections := range map[string]int{"served": 4, "offered": 16, "flooded": 64} {
			l, err := s.wrk(connections, run.each, large)
			if err != nil {
				return nil, err
			}
			taken[name] = append(taken[name], l.perSecond)
			taken[name+" refused"] = append(taken[name+" refused"], 100*l.refused)
			taken[name+" broken"] = append(taken[name+" broken"], float64(l.broken))
		}
	}
	return []row{
		atLeast("json_to_yaml 500 KB: successes/s, 16 callers : 4 (4 slots)", taken.median("offered")/taken.median("served"), 0.9),
		atLeast("json_to_yaml 500 KB: successes/s, 64 callers : 4 (4 slots)", taken.median("flooded")/taken.median("served"), 0.9),
		atMost("  refused with 503 at 64 callers (%)", taken.median("flooded refused"), 0),
		atMost("  connections broken at 64 callers", taken.median("flooded broken")+0, 0).broken(),
	}, nil
}

// broken holds a row to the goal of none at all.
func (r row) broken() row {
	r.Goal, r.Met = "0", r.Value == digits(0)
	return r
}

// fairness measures small calls while 500 KB calls keep every processor busy.
func fairness(run harness) ([]row, error) {
	s, err := startConvertd(run)
	if err != nil {
		return nil, err
	}
	defer s.stop()
	small := run.save("/v1/tools/jwt_decode", body("application/jwt", jwt, ""))
	large := run.save("/v1/tools/json_to_yaml", body("application/json", anyJSON(500_000), ""))
	taken := samples{}
	for range run.rounds {
		idle, err := s.wrk(2, run.each, small)
		if err != nil {
			return nil, err
		}
		var beside load
		var failed error
		var both sync.WaitGroup
		both.Go(func() { _, failed = s.wrk(8, run.each+2*time.Second, large) })
		time.Sleep(time.Second)
		beside, err = s.wrk(2, run.each, small)
		both.Wait()
		if err != nil || failed != nil {
			return nil, fmt.Errorf("%v, %v", err, failed)
		}
		taken.add("idle p99", idle.p99)
		taken.add("idle p50", idle.p50)
		taken.add("beside p99", beside.p99)
		taken["refused"] = append(taken["refused"], 100*beside.refused)
	}
	return []row{
		atMost("jwt_decode: p99 : p50, two callers, nothing else", taken.median("idle p99")/taken.median("idle p50"), 5),
		atMost(fmt.Sprintf("jwt_decode: p99 beside 8 callers of 500 KB (%s ms) : p99 alone", digits(taken.median("beside p99")/1000)),
			taken.median("beside p99")/taken.median("idle p99"), 10),
		atMost("  small calls refused meanwhile (%)", taken.median("refused"), 0).broken(),
	}, nil
}

// add keeps a duration in microseconds.
func (s samples) add(key string, d time.Duration) {
	s[key] = append(s[key], float64(d.Microseconds()))
}

// memory runs 64 callers of calls as large as the limit allows.
func memory(run harness) ([]row, error) {
	s, err := startConvertd(run)
	if err != nil {
		return nil, err
	}
	defer s.stop()
	format := run.save("/v1/tools/json_format", body("application/json", anyJSON(900_000), ""))
	convert := run.save("/v1/tools/json_to_yaml", body("application/json", anyJSON(900_000), ""))
	l, err := s.wrk(64, 5*run.each, format, convert)
	if err != nil {
		return nil, err
	}
	peak := s.mebibytes("VmHWM")
	time.Sleep(time.Minute)
	return []row{
		atMost(fmt.Sprintf("peak RSS, 64 callers of %d KiB bodies (MiB)", format.size>>10), peak, 256),
		atMost("  refused with 503 (%)", 100*l.refused, 0),
		atMost("RSS a minute later (MiB)", s.mebibytes("VmRSS"), 64),
	}, nil
}
