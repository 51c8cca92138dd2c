package main

import (
	"fmt"
	"time"
)

// tails measures the 99th percentile of the latency.
func tails(run harness) []row {
	return inOrder(run, largeTails, smallTails, amongLarge)
}

// largeTails measures 60 KB with 16 connections: the servers on one processor and
// their callers on the other, and all on both.
func largeTails(run harness) []row {
	call := run.call("json_format", "application/json", anyJSON(60_000), "")
	var rows []row
	for _, way := range []struct {
		title string
		run   harness
	}{{"pinned", run.pinned()}, {"shared", run}} {
		p99 := tailsOf(way.run, callers{connections: 16}, call)
		rows = append(rows, atMost("json_format 60 KB, 16 connections, "+way.title+": p99 (ms)", p99.median("ours")/1000, 8))
		rows = append(rows, compare("json_format 60 KB, 16 connections, "+way.title+": p99", p99, 0)...)
	}
	return rows
}

// smallTails measures small calls with 16 and 64 connections that never pause, and at half of our capacity.
func smallTails(run harness) []row {
	call := run.call("jwt_decode", "application/jwt", jwt, "")
	var rows []row
	for _, connections := range []int{16, 64} {
		p99 := tailsOf(run, callers{connections: connections}, call)
		title := fmt.Sprintf("jwt_decode, %d connections: p99", connections)
		rows = append(rows, atMost(title+" (ms)", p99.median("ours")/1000, 0))
		rows = append(rows, compare(title, p99, 1.5)...)
	}
	half := halfLoad(run, call)
	p99 := tailsOf(run, half, call)
	return append(rows, compare("jwt_decode at half load: p99", p99, 1.5)...)
}

// halfLoad returns callers that send half of what ours can serve.
func halfLoad(run harness, call post) callers {
	s := startConvertd(run)
	defer s.stop()
	full := must(s.wrk(callers{connections: 8}, run.each, call))
	const pause = 10 * time.Millisecond
	return callers{max(2, int(full.perSecond/2*pause.Seconds())), pause}
}

// tailsOf returns the p99 of each peer, in microseconds.
func tailsOf(run harness, c callers, call post) samples {
	all := peers()
	servers, stop := started(run, all)
	defer stop()
	p99 := samples{}
	for range run.rounds {
		for _, p := range all {
			l, err := servers[p.name].wrk(c, run.each, call)
			if err != nil || l.broken > 0 || l.refused > 0 {
				panic(fmt.Errorf("%s: %d broken, %.0f%% refused, %v", p.title, l.broken, 100*l.refused, err))
			}
			p99.add(p.name, l.p99)
		}
	}
	return p99
}

// compare returns the rows that compare ours with each yardstick; most is the goal compared with the bare handler.
func compare(title string, values samples, most float64) []row {
	var rows []row
	for _, p := range peers()[1:] {
		if p.name != "bare" {
			most = 0
		}
		rows = append(rows, atMost(title+" : "+p.title, values.median("ours")/values.median(p.name), most))
	}
	return rows
}

// amongLarge measures small calls while eight callers of 500 KB keep every processor busy.
func amongLarge(run harness) []row {
	call := run.call("jwt_decode", "application/jwt", jwt, "")
	large := run.call("json_to_yaml", "application/json", anyJSON(500_000), "")
	taken := samples{}
	all := peers()
	for range run.rounds {
		for _, p := range all {
			p.nextToLarge(run, call, large, taken)
		}
	}
	rows := []row{
		atMost("jwt_decode next to 8 clients sending 500 KB: p99 (ms)", taken.median("ours")/1000, 2),
		atMost("  small calls rejected meanwhile (%)", taken.median("ours refused"), 0).none(),
	}
	return append(rows, compare("jwt_decode next to 8 clients sending 500 KB: p99", taken, 1.5)...)
}

func (p peer) nextToLarge(run harness, call, large post, taken samples) {
	s := p.start(run)
	defer s.stop()
	l, err := s.nextTo(8, run.each, large, call)
	if err != nil {
		panic(fmt.Errorf("%s: %w", p.title, err))
	}
	taken.add(p.name, l.p99)
	taken[p.name+" refused"] = append(taken[p.name+" refused"], 100*l.refused)
}
