package main

import (
	"fmt"
	"os"
	"slices"
	"time"
)

// workload is one kind of call, and how much faster than each yardstick it should be (0: no goal).
type workload struct {
	title               string
	posts               []post
	bare, fastify, axum float64

	connections int
}

// goal returns the goal compared with the yardstick of this name.
func (w workload) goal(name string) float64 {
	return map[string]float64{"bare": w.bare, "Fastify": w.fastify, "axum": w.axum}[name]
}

// tiny is a JSON document whose conversion costs almost nothing.
const tiny = `{"a":1,"b":[true,null,"c"]}`

// call saves the request body for one tool.
func (r harness) call(tool, mediaType, value, options string) post {
	return r.save("/v1/tools/"+tool, body(mediaType, value, options))
}

func (r harness) format(size int) post {
	return r.call("json_format", "application/json", anyJSON(size), "")
}

func (r harness) tiny() post { return r.call("json_format", "application/json", tiny, "") }

func (r harness) decode() post { return r.call("jwt_decode", "application/jwt", jwt, "") }

// mix returns what users might send one after the other.
func mix(r harness) []post {
	token, second := r.decode(), r.call("timestamp_to_iso", "text/plain", "1700000000", `{"unit":"seconds"}`)
	return []post{token, second, r.format(2_000), token, second, r.format(60_000)}
}

// overHTTP loads the servers in turns.
func overHTTP(r harness) []row {
	var list []workload
	for _, connections := range []int{8, 16, 64} {
		list = append(list,
			workload{fmt.Sprintf("json_format, tiny, %d connections", connections), []post{r.tiny()}, 0.92, 1.2, 0.65, connections},
			workload{fmt.Sprintf("jwt_decode, tiny, %d connections", connections), []post{r.decode()}, 0.92, 1.2, 0.65, connections})
	}
	for _, w := range []struct {
		size          int
		name          string
		format, toYML float64 // compared with the bare handler
		convertFstify float64
	}{{2_000, "2 KB", 0.92, 0.85, 1.2}, {60_000, "60 KB", 0, 0, 1.2}, {500_000, "500 KB", 2.2, 1.8, 12}} {
		list = append(list,
			workload{"json_format " + w.name, []post{r.format(w.size)}, w.format, 1.2, 1, 8},
			workload{"json_to_yaml " + w.name, []post{r.call("json_to_yaml", "application/json", anyJSON(w.size), "")}, w.toYML, w.convertFstify, 1, 8},
			workload{"pipeline of two steps " + w.name, []post{r.save("/v1/pipeline", formatThenYAML(anyJSON(w.size)))}, 0, 1.2, 1, 8})
	}
	return inTurns(r, append(list,
		workload{"api_convert cURL → Postman (curlconverter: HAR)", []post{r.call("api_convert", "text/plain", curlCommand, postman)}, 0, 1.2, 0, 8},
		workload{"a mix: JWT, timestamp, 2 KB, 60 KB", mix(r), 0, 1.2, 0, 8}))
}

const postman = `{"target":"postman-2.1"}`

// convertOverHTTP takes Fastify seconds: one connection and more time, so that no server still has abandoned calls when
// the next one's turn comes.
func convertOverHTTP(run harness) []row {
	run.each *= 2
	var list []workload
	for _, w := range []struct {
		size          int
		name          string
		fastify, bare float64
	}{{7_000, "7 KB", 1.2, 0}, {250_000, "250 KB", 12, 0.8}, {900_000, "900 KB", 1.2, 0}} {
		list = append(list, workload{"api_convert OpenAPI → Postman " + w.name,
			[]post{run.call("api_convert", "application/json", description(w.size), postman)}, w.bare, w.fastify, 0, 1})
	}
	return inTurns(run, list)
}

// inTurns loads the peers in turns. A peer that does not respond to a call with 200 has no row for it.
func inTurns(run harness, list []workload) (rows []row) {
	servers, stop := started(run)
	defer stop()
	for _, w := range list {
		able := slices.DeleteFunc(slices.Clone(servers), func(s *server) bool {
			return slices.ContainsFunc(w.posts, func(call post) bool { return !s.accepts(call) })
		})
		if len(able) < 2 || able[0].name != "convertd" {
			panic(fmt.Errorf("%s: not answered with 200 by both convertd and a yardstick", w.title))
		}
		perSecond := samples{}
		for range run.rounds {
			for _, s := range able {
				perSecond[s.name] = append(perSecond[s.name], s.load(callers{connections: w.connections}, run.each, w.posts...).perSecond)
			}
		}
		ours := perSecond.median("convertd")
		title := fmt.Sprintf("%s (%s/s)", w.title, digits(ours))
		for _, s := range able[1:] {
			if perSecond.median(s.name) == 0 {
				fmt.Fprintf(os.Stderr, "%s: %s finished none; left out\n", w.title, s.name)
				continue
			}
			r := atLeast(title+" : "+s.name, ours/perSecond.median(s.name), w.goal(s.name))
			fmt.Fprintln(os.Stderr, r.title, r.value)
			rows, title = append(rows, r), w.title
		}
	}
	return rows
}

// capacity measures what one replica serves on one processor, the latency, and the processor time of a call.
func capacity(run harness) (rows []row) {
	run.servers, run.callers = "0", "1"
	for _, w := range []workload{
		{title: "json_format, tiny", posts: []post{run.tiny()}}, {title: "json_format 2 KB", posts: []post{run.format(2_000)}},
		{title: "json_format 60 KB", posts: []post{run.format(60_000)}}, {title: "json_format 500 KB", posts: []post{run.format(500_000)}}, {title: "the mix", posts: mix(run)},
	} {
		s := startConvertd(run)
		taken := samples{}
		for range max(1, run.rounds/2) {
			before, begin := s.seconds(), time.Now()
			l := s.load(callers{connections: 16}, run.each, w.posts...)
			taken["per second"] = append(taken["per second"], l.perSecond)
			taken["cost"] = append(taken["cost"], (s.seconds()-before)/time.Since(begin).Seconds()/l.perSecond)
			taken.add("p99", l.p99)
		}
		s.stop()
		rows = append(rows,
			atLeast(w.title+": calls/s", taken.median("per second"), 0),
			atMost(w.title+": p99 (ms)", taken.median("p99")/1000, 0),
			atMost(w.title+": processor time of a call (µs)", 1e6*taken.median("cost"), 0))
	}
	return rows
}
