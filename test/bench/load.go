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

// overload compares what is served to more callers than there are slots with
// what is served to as many. Callers that are refused come again at once,
// without the pause that Retry-After asks for; the queue is short, so that
// they are refused at all.
func overload(run harness) ([]row, error) {
	const slots = 4
	s, err := startConvertd(run, "--work-slots", fmt.Sprint(slots), "--queue-wait", "20ms")
	if err != nil {
		return nil, err
	}
	defer s.stop()
	large := run.save("/v1/tools/json_to_yaml", body("application/json", anyJSON(500_000), ""))
	served, refused, broken := map[int][]float64{}, map[int][]float64{}, 0
	callers := []int{slots, 4 * slots, 16 * slots}
	for range run.rounds {
		for _, n := range callers {
			l, err := s.wrk(n, run.each, large)
			if err != nil {
				return nil, err
			}
			served[n] = append(served[n], l.perSecond)
			refused[n] = append(refused[n], l.refused)
			broken += l.broken
		}
	}
	var rows []row
	for _, n := range callers[1:] {
		offered := 1 / (1 - median(refused[n]))
		rows = append(rows, atLeast(fmt.Sprintf("json_to_yaml 500 KB: served to %d callers (offered: %s × what is served) : to %d", n, digits(offered), slots),
			median(served[n])/median(served[slots]), 0.9))
	}
	return append(rows, atMost("  connections broken meanwhile", float64(broken), 0).broken()), nil
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
