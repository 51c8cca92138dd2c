package main

import (
	"fmt"
	"os"
	"slices"
	"time"
)

// workload is one kind of call. A goal of 0 means no goal.
type workload struct {
	title               string
	bare, fastify, axum float64 // goals for the ratio to each yardstick
	most                float64 // ms, the goal for our p99
	connections         int
	posts               []post // sent in turn
	beside              []post // sent meanwhile by eight others
}

func (w workload) goal(yardstick string) float64 {
	return map[string]float64{"bare": w.bare, "Fastify": w.fastify, "axum": w.axum}[yardstick]
}

// tiny is a JSON document whose conversion costs almost nothing.
const tiny = `{"a":1,"b":[true,null,"c"]}`

// call saves the request body for one tool.
func (r harness) call(tool, mediaType, value, options string) []post {
	return []post{r.save("/v1/tools/"+tool, body(mediaType, value, options))}
}

func (r harness) format(size int) []post {
	return r.call("json_format", "application/json", anyJSON(size), "")
}

func (r harness) toYAML(size int) []post {
	return r.call("json_to_yaml", "application/json", anyJSON(size), "")
}

func (r harness) pipeline(size int) []post {
	return []post{r.save("/v1/pipeline", formatThenYAML(anyJSON(size)))}
}

func (r harness) tiny() []post { return r.call("json_format", "application/json", tiny, "") }

func (r harness) decode() []post { return r.call("jwt_decode", "application/jwt", jwt, "") }

// mix returns what users might send one after the other.
func (r harness) mix() []post {
	some := append(r.decode(), r.call("timestamp_to_iso", "text/plain", "1700000000", `{"unit":"seconds"}`)...)
	return slices.Concat(some, r.format(2_000), some, r.format(60_000))
}

const postman = `{"target":"postman-2.1"}`

func overHTTP(r harness) []row {
	return r.compare("rate", []workload{
		{"json_format, tiny", 0.92, 1.2, 0.65, 0, 8, r.tiny(), nil},
		{"jwt_decode, tiny", 0.92, 1.2, 0.65, 0, 8, r.decode(), nil},
		{"json_format 2 KB", 0.92, 1.2, 1, 0, 8, r.format(2_000), nil},
		{"json_to_yaml 2 KB", 0.85, 1.2, 1, 0, 8, r.toYAML(2_000), nil},
		{"pipeline of two steps 60 KB", 0, 1.2, 1, 0, 8, r.pipeline(60_000), nil},
		{"json_format 500 KB", 2.2, 1.2, 1, 0, 8, r.format(500_000), nil},
		{"json_to_yaml 500 KB", 1.8, 12, 1, 0, 8, r.toYAML(500_000), nil},
		{"api_convert cURL → Postman (curlconverter: HAR)", 0, 1.2, 0, 0, 8, r.call("api_convert", "text/plain", curlCommand, postman), nil},
		{"a mix: JWT, timestamp, 2 KB, 60 KB", 0, 1.2, 0, 0, 8, r.mix(), nil},
	})
}

// convertOverHTTP takes Fastify seconds: one connection and more time, so that no server still has abandoned calls when
// the next one's turn comes.
func convertOverHTTP(r harness) []row {
	r.each *= 2
	convert := func(size int) []post { return r.call("api_convert", "application/json", description(size), postman) }
	return r.compare("rate", []workload{
		{"api_convert OpenAPI → Postman 7 KB", 0, 1.2, 0, 0, 1, convert(7_000), nil},
		{"api_convert OpenAPI → Postman 250 KB", 0.8, 12, 0, 0, 1, convert(250_000), nil},
	})
}

// tails measures the 99th percentile of the latency, also of small calls while others keep every processor busy.
func tails(r harness) []row {
	return r.compare("p99", []workload{
		{"json_format 60 KB, 16 connections: p99", 0, 0, 0, 8, 16, r.format(60_000), nil},
		{"jwt_decode, 16 connections: p99", 1.5, 0, 0, 0, 16, r.decode(), nil},
		{"jwt_decode next to 8 clients sending 500 KB: p99", 1.5, 0, 0, 2, 2, r.decode(), r.toYAML(500_000)},
	})
}

// capacity measures what one replica serves on one processor, the latency, and the processor time of a call.
func capacity(r harness) (rows []row) {
	r.servers, r.callers = "0", "1"
	s := startConvertd(r)
	defer s.stop()
	for _, w := range []workload{
		{title: "json_format, tiny", posts: r.tiny()}, {title: "json_format 2 KB", posts: r.format(2_000)},
		{title: "json_format 60 KB", posts: r.format(60_000)}, {title: "json_format 500 KB", posts: r.format(500_000)}, {title: "the mix", posts: r.mix()},
	} {
		w.connections = 16
		ours := r.inTurns([]*server{s}, w)[s.name]
		rows = append(rows,
			atLeast(w.title+": calls/s", ours.median("rate"), 0),
			atMost(w.title+": p99 (ms)", ours.median("p99"), 0),
			atMost(w.title+": processor time of a call (µs)", 1e6*ours.median("cost"), 0))
	}
	return rows
}

// compare loads the peers with each workload in turns and compares a metric, "rate" or "p99".
func (r harness) compare(metric string, list []workload) (rows []row) {
	servers, stop := started(r)
	defer stop()
	for _, w := range list {
		able := slices.DeleteFunc(slices.Clone(servers), func(s *server) bool { return !s.accepts(w.posts) })
		if len(able) < 2 || able[0].name != "convertd" {
			panic(fmt.Errorf("%s: not answered with 200 by both convertd and a yardstick", w.title))
		}
		taken := r.inTurns(able, w)
		ours, title, ratio := taken["convertd"].median(metric), w.title, atMost
		if metric == "rate" {
			title, ratio = fmt.Sprintf("%s (%s/s)", w.title, digits(ours)), atLeast
		} else {
			rows = append(rows, atMost(w.title+" (ms)", ours, w.most))
		}
		for _, s := range able[1:] {
			if other := taken[s.name].median(metric); other > 0 { // or it has finished none
				rows = append(rows, ratio(title+" : "+s.name, ours/other, w.goal(s.name)))
				title = w.title
			}
		}
		if w.beside != nil {
			refused := slices.Max(taken["convertd"]["refused"])
			rows = append(rows, row{"small calls rejected meanwhile (%)", digits(100 * refused), "0", refused == 0})
		}
		fmt.Fprintln(os.Stderr, w.title)
	}
	return rows
}

// inTurns loads servers in turns and returns the samples of each.
func (r harness) inTurns(servers []*server, w workload) map[string]samples {
	taken := map[string]samples{}
	for range r.rounds {
		for _, s := range servers {
			if taken[s.name] == nil {
				taken[s.name] = samples{}
			}
			others := make(chan error, 1)
			if w.beside != nil {
				go func() {
					_, err := s.wrk(8, r.each+time.Second, w.beside)
					others <- err
				}()
				time.Sleep(500 * time.Millisecond) // until the others are at work
			}
			before, begin := s.seconds(), time.Now()
			l := must(s.wrk(w.connections, r.each, w.posts))
			cost := (s.seconds() - before) / time.Since(begin).Seconds() / l.perSecond
			if w.beside != nil {
				ok(<-others)
			} else if l.refused > 0 || l.broken > 0 {
				panic(fmt.Errorf("%s refuses %.0f%%, breaks %d", s.name, 100*l.refused, l.broken))
			}
			for name, value := range map[string]float64{"rate": l.perSecond, "p99": l.p99, "cost": cost, "refused": l.refused} {
				taken[s.name][name] = append(taken[s.name][name], value)
			}
		}
	}
	return taken
}
