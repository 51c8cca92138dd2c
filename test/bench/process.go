package main

import "time"

// process measures how long after its start the binary answers, and how much
// memory it holds when idle.
func process(run harness) ([]row, error) {
	var first, idle []float64
	for range run.rounds {
		begin := time.Now()
		s, err := startConvertd(run)
		if err != nil {
			return nil, err
		}
		first = append(first, float64(time.Since(begin).Microseconds())/1000)
		time.Sleep(300 * time.Millisecond)
		idle = append(idle, s.mebibytes("VmRSS"))
		s.stop()
	}
	rows, err := agents(run)
	return append([]row{
		atMost("first answer after the start (ms)", median(first), 100),
		atMost("idle RSS (MiB)", median(idle), 30),
	}, rows...), err
}
