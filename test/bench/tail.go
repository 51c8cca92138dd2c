package main

import "time"

// tails measures the 99th percentile of the latency: of 60 KB and of small calls with 16 connections, and of small
// calls while eight callers of 500 KB keep every processor busy.
func tails(run harness) []row {
	pinned := run
	pinned.servers, pinned.callers = "0", "1"
	format, decode := run.format(60_000), run.decode()
	rows := tailsOf(pinned, "json_format 60 KB, 16 connections, pinned: p99", 8, 0, format)
	rows = append(rows, tailsOf(run, "json_format 60 KB, 16 connections, shared: p99", 8, 0, format)...)
	rows = append(rows, tailsOf(run, "jwt_decode, 16 connections: p99", 0, 1.5, decode)...)
	return append(rows, amongLarge(run, decode)...)
}

// tailsOf measures the peers in turns. most is the goal in ms, and ratio that compared with the bare handler.
func tailsOf(run harness, title string, most, ratio float64, call post) []row {
	servers, stop := started(run)
	defer stop()
	p99 := samples{}
	for range run.rounds {
		for _, s := range servers {
			p99.add(s.name, s.load(callers{connections: 16}, run.each, call).p99)
		}
	}
	return compare(title, p99, most, ratio)
}

// compare returns the row of ours, and those that compare it with each yardstick.
func compare(title string, p99 samples, most, ratio float64) []row {
	ours := p99.median("convertd")
	rows := []row{atMost(title+" (ms)", ours/1000, most)}
	for _, p := range peers()[1:] {
		if p.name != "bare" {
			ratio = 0
		}
		rows = append(rows, atMost(title+" : "+p.name, ours/p99.median(p.name), ratio))
	}
	return rows
}

func amongLarge(run harness, call post) []row {
	large := run.call("json_to_yaml", "application/json", anyJSON(500_000), "")
	p99, refused := samples{}, 0.0
	for range run.rounds {
		for _, p := range peers() {
			s := p.start(run)
			others := make(chan error)
			go func() {
				_, err := s.wrk(callers{connections: 8}, run.each+time.Second, large)
				others <- err
			}()
			time.Sleep(500 * time.Millisecond) // until the others are at work
			l := must(s.wrk(callers{connections: 2}, run.each, call))
			ok(<-others)
			s.stop()
			p99.add(p.name, l.p99)
			if p.name == "convertd" {
				refused = max(refused, l.refused)
			}
		}
	}
	return append(compare("jwt_decode next to 8 clients sending 500 KB: p99", p99, 2, 1.5),
		row{"small calls rejected meanwhile (%)", digits(100 * refused), "0", refused == 0})
}
