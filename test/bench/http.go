package main

import (
	"cmp"
	"fmt"
	"os"
)

// workload is one kind of call, and how much faster than each yardstick it
// should be (0: no goal).
type workload struct {
	title         string
	posts         []post
	bare, fastify float64

	connections int // 0 is the part's own number
}

func (w workload) callers(most int) int { return cmp.Or(w.connections, most) }

func workloads(r harness) []workload {
	tool := func(name, mediaType, value, options string) post {
		return r.save("/v1/tools/"+name, body(mediaType, value, options))
	}
	token := tool("jwt_decode", "application/jwt", jwt, "")
	second := tool("timestamp_to_iso", "text/plain", "1700000000", `{"unit":"seconds"}`)
	list := []workload{
		{"jwt_decode", []post{token}, 0.8, 1, 0},
		{"jwt_decode, 2 connections", []post{token}, 0, 0, 2},
		{"jwt_decode, 64 connections", []post{token}, 0, 0, 64},
		{"timestamp_to_iso", []post{second}, 0.8, 1, 0},
	}
	formats := map[int]post{}
	for _, w := range []struct {
		size                       int
		name                       string
		formatBare, formatFastify  float64
		convertBare, convertFstify float64
	}{{2_000, "2 KB", 0.8, 1.2, 0.8, 1.2}, {60_000, "60 KB", 0, 0, 0, 0}, {500_000, "500 KB", 1.3, 0, 0.9, 12}} {
		value := anyJSON(w.size)
		formats[w.size] = tool("json_format", "application/json", value, "")
		list = append(list,
			workload{"json_format " + w.name, []post{formats[w.size]}, w.formatBare, w.formatFastify, 0},
			workload{"json_to_yaml " + w.name, []post{tool("json_to_yaml", "application/json", value, "")}, w.convertBare, w.convertFstify, 0},
			workload{"pipeline of two steps " + w.name, []post{r.save("/v1/pipeline", formatThenYAML(value))}, 0, 0, 0})
	}
	return append(list,
		workload{"api_convert cURL → Postman (curlconverter: HAR)", []post{tool("api_convert", "text/plain", curlCommand, `{"target":"postman-2.1"}`)}, 0, 0, 0},
		workload{"a mix: JWT, timestamp, 2 KB, 60 KB", []post{token, second, formats[2_000], token, second, formats[60_000]}, 0, 0, 0})
}

// descriptions are the calls that Fastify takes seconds for.
func descriptions(r harness) []workload {
	var list []workload
	for _, w := range []struct {
		size    int
		name    string
		fastify float64
	}{{7_000, "7 KB", 0}, {250_000, "250 KB", 12}, {900_000, "900 KB", 0}} {
		list = append(list, workload{"api_convert OpenAPI → Postman " + w.name,
			[]post{r.save("/v1/tools/api_convert", body("application/json", description(w.size), `{"target":"postman-2.1"}`))}, 0, w.fastify, 0})
	}
	return list
}

// overHTTP drives the three servers in turns, with eight connections.
func overHTTP(run harness) ([]row, error) {
	rows, err := inTurns(run, 8, workloads(run))
	if err != nil {
		return nil, err
	}
	limit, err := floor(run)
	return append(rows, limit...), err
}

// floor says how much of a small call's time is spent before anybody looks
// into it: the bare handler with and without the service's guards.
func floor(run harness) ([]row, error) {
	perSecond := samples{}
	small := run.save("/v1/tools/jwt_decode", body("application/jwt", jwt, ""))
	servers := map[string]func(harness) (*server, error){
		"ours":    func(run harness) (*server, error) { return startConvertd(run) },
		"guarded": startGuarded,
		"bare":    startBare,
	}
	for range run.rounds {
		for name, start := range servers {
			s, err := start(run)
			if err != nil {
				return nil, err
			}
			l, err := s.wrk(callers{connections: 8}, run.each, small)
			s.stop()
			if err != nil {
				return nil, err
			}
			perSecond[name] = append(perSecond[name], l.perSecond)
		}
	}
	return []row{
		atLeast("limit: the bare handler behind the guards of the service : bare", perSecond.median("guarded")/perSecond.median("bare"), 0),
		atLeast("jwt_decode : the bare handler behind the guards of the service", perSecond.median("ours")/perSecond.median("guarded"), 0),
	}, nil
}

// convertOverHTTP has one connection and more time, so that no server is left
// with calls that nobody waits for when the next one's turn comes.
func convertOverHTTP(run harness) ([]row, error) {
	run.each *= 3
	return inTurns(run, 1, descriptions(run))
}

func inTurns(run harness, connections int, list []workload) ([]row, error) {
	servers := map[string]*server{}
	for name, start := range map[string]func() (*server, error){
		"ours":    func() (*server, error) { return startConvertd(run) },
		"bare":    func() (*server, error) { return startBare(run) },
		"fastify": func() (*server, error) { return startFastify(run) },
	} {
		s, err := start()
		if err != nil {
			return nil, err
		}
		defer s.stop()
		servers[name] = s
	}
	var rows []row
	for _, w := range list {
		for _, p := range w.posts {
			if !servers["ours"].answers(p) || !servers["fastify"].answers(p) {
				return nil, fmt.Errorf("%s: not answered with 200 by both servers", w.title)
			}
		}
		perSecond := samples{}
		for range run.rounds {
			for _, name := range []string{"ours", "bare", "fastify"} {
				l, err := servers[name].wrk(callers{connections: w.callers(connections)}, run.each, w.posts...)
				if err != nil {
					return nil, err
				}
				if l.refused > 0 || l.broken > 0 {
					return nil, fmt.Errorf("%s: %s refuses %.0f%%, breaks %d", w.title, name, 100*l.refused, l.broken)
				}
				perSecond[name] = append(perSecond[name], l.perSecond)
			}
		}
		ours := perSecond.median("ours")
		if perSecond.median("fastify") == 0 {
			fmt.Fprintf(os.Stderr, "%s: Fastify finished none; left out\n", w.title)
			continue
		}
		rows = append(rows,
			atLeast(fmt.Sprintf("%s (%s/s) : bare", w.title, digits(ours)), ours/perSecond.median("bare"), w.bare),
			atLeast(w.title+" : Fastify", ours/perSecond.median("fastify"), w.fastify))
		for _, r := range rows[len(rows)-2:] {
			fmt.Fprintln(os.Stderr, r.Title, r.Value)
		}
	}
	return rows, nil
}
