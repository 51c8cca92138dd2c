package main

import (
	"fmt"
	"os"
	"time"
)

// process measures the time from the binary's start to its first response, and how much memory it holds: idle, and with
// 64 callers of calls as large as the limit allows.
func process(run harness) []row {
	taken := samples{}
	for range run.rounds {
		begin := time.Now()
		s := startConvertd(run)
		taken.add("first", time.Since(begin))
		time.Sleep(300 * time.Millisecond)
		taken["idle"] = append(taken["idle"], s.mebibytes("VmRSS"))
		s.stop()
	}
	s := startConvertd(run)
	defer s.stop()
	format := run.call("json_format", "application/json", anyJSON(900_000), "")
	convert := run.call("json_to_yaml", "application/json", anyJSON(900_000), "")
	l := must(s.wrk(callers{connections: 64}, 5*run.each, format, convert))
	return []row{
		atMost("first answer after the start (ms)", taken.median("first")/1000, 35),
		atMost("idle RSS (MiB)", taken.median("idle"), 28),
		atMost(fmt.Sprintf("peak RSS, 64 callers of %d KiB bodies (MiB)", format.size>>10), s.mebibytes("VmHWM"), 256),
		atMost("rejected with 503 meanwhile (%)", 100*l.refused, 0),
		atMost("the binary, stripped (MB)", float64(must(os.Stat(run.binary)).Size())/1e6, 25),
	}
}
