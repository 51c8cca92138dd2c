package main

import (
	"fmt"
	"slices"
	"time"
)

// underLoad sends more requests than can be served, and measures the memory.
func underLoad(run harness) []row {
	return inOrder(run, overload, memory)
}

// overload compares the throughput under overload with the throughput for as many callers as calls run at once. It
// measures two overloads: a crowd whose callers wait for their turn, and one that sends some four times as much and is
// rejected after a short wait.
func overload(run harness) []row {
	const running = 4 // large calls get half of the slots
	large := run.save("/v1/tools/json_to_yaml", body("application/json", anyJSON(500_000), ""))
	patient := startConvertd(run, "--work-slots", fmt.Sprint(2*running))
	defer patient.stop()
	hasty := startConvertd(run, "--work-slots", fmt.Sprint(2*running), "--queue-wait", "200ms")
	defer hasty.stop()
	taken := samples{}
	measure := func(name string, s *server, c callers) {
		l := must(s.wrk(c, max(run.each, 3*time.Second), large))
		taken[name] = append(taken[name], l.perSecond)
		taken[name+" offered"] = append(taken[name+" offered"], l.perSecond/(1-l.refused))
		taken["broken"] = append(taken["broken"], float64(l.broken))
	}
	for range run.rounds {
		const crowd = 400
		measure("full", patient, callers{connections: running})
		measure("crowd", patient, callers{connections: 16 * running})
		// What is left of a caller's turn after it has waited in vain.
		turn := time.Duration(crowd / (6 * taken.median("full")) * float64(time.Second))
		measure("shed", hasty, callers{crowd, max(0, turn-200*time.Millisecond)})
	}
	full := taken.median("full")
	return []row{
		atLeast(fmt.Sprintf("json_to_yaml 500 KB: served to %d callers : to %d", 16*running, running), taken.median("crowd")/full, 0.9),
		atLeast(fmt.Sprintf("json_to_yaml 500 KB: served when %s × as much is offered : when as much as can be", digits(taken.median("shed offered")/full)),
			taken.median("shed")/full, 0.9),
		atMost("  connections broken meanwhile", slices.Max(taken["broken"]), 0).none(),
	}
}

// none sets the goal of a row to zero.
func (r row) none() row {
	r.Goal, r.Met = "0", r.Value == digits(0)
	return r
}

// add keeps a duration in microseconds.
func (s samples) add(key string, d time.Duration) {
	s[key] = append(s[key], float64(d.Microseconds()))
}

// memory runs 64 callers of calls as large as the limit allows.
func memory(run harness) []row {
	s := startConvertd(run)
	defer s.stop()
	format := run.save("/v1/tools/json_format", body("application/json", anyJSON(900_000), ""))
	convert := run.save("/v1/tools/json_to_yaml", body("application/json", anyJSON(900_000), ""))
	l := must(s.wrk(callers{connections: 64}, 5*run.each, format, convert))
	peak := s.mebibytes("VmHWM")
	rows := []row{
		atMost(fmt.Sprintf("peak RSS, 64 callers of %d KiB bodies (MiB)", format.size>>10), peak, 256),
		atMost("  rejected with 503 (%)", 100*l.refused, 0),
	}
	if run.quick {
		return rows
	}
	time.Sleep(time.Minute)
	return append(rows, atMost("RSS a minute later (MiB)", s.mebibytes("VmRSS"), 64))
}
