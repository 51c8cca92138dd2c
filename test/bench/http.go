package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// workload is one kind of call, and how much faster than each yardstick it should be (0: no goal).
type workload struct {
	title               string
	posts               []post
	bare, fastify, axum float64

	connections int // 0 means the part's default
}

func (w workload) callers(most int) int { return cmp.Or(w.connections, most) }

// goal returns the goal compared with the yardstick of this name.
func (w workload) goal(name string) float64 {
	return map[string]float64{"bare": w.bare, "fastify": w.fastify, "axum": w.axum}[name]
}

// tiny is a JSON document whose conversion costs almost nothing.
const tiny = `{"a":1,"b":[true,null,"c"]}`

// call saves the request body for one tool.
func (r harness) call(tool, mediaType, value, options string) post {
	return r.save("/v1/tools/"+tool, body(mediaType, value, options))
}

// small returns the smallest calls of the text tools.
func small(r harness) map[string]post {
	return map[string]post{
		"jwt_decode":       r.call("jwt_decode", "application/jwt", jwt, ""),
		"timestamp_to_iso": r.call("timestamp_to_iso", "text/plain", "1700000000", `{"unit":"seconds"}`),
		"json_format":      r.call("json_format", "application/json", tiny, ""),
		"json_to_yaml":     r.call("json_to_yaml", "application/json", tiny, ""),
	}
}

func workloads(r harness) []workload {
	var list []workload
	tools := small(r)
	for _, name := range slices.Sorted(maps.Keys(tools)) {
		for _, connections := range []int{8, 16, 64} {
			list = append(list, workload{fmt.Sprintf("%s, tiny, %d connections", name, connections), []post{tools[name]}, 0.92, 1.2, 0.65, connections})
		}
	}
	formats := map[int]post{}
	for _, w := range []struct {
		size          int
		name          string
		format, toYML float64 // compared with the bare handler
		convertFstify float64
	}{{2_000, "2 KB", 0.92, 0.85, 1.2}, {60_000, "60 KB", 0, 0, 1.2}, {500_000, "500 KB", 2.2, 1.8, 12}} {
		value := anyJSON(w.size)
		formats[w.size] = r.call("json_format", "application/json", value, "")
		list = append(list,
			workload{"json_format " + w.name, []post{formats[w.size]}, w.format, 1.2, 1, 0},
			workload{"json_to_yaml " + w.name, []post{r.call("json_to_yaml", "application/json", value, "")}, w.toYML, w.convertFstify, 1, 0},
			workload{"pipeline of two steps " + w.name, []post{r.save("/v1/pipeline", formatThenYAML(value))}, 0, 1.2, 1, 0})
	}
	return append(list,
		workload{"api_convert cURL → Postman (curlconverter: HAR)", []post{r.call("api_convert", "text/plain", curlCommand, `{"target":"postman-2.1"}`)}, 0, 1.2, 0, 0},
		workload{"a mix: JWT, timestamp, 2 KB, 60 KB", mix(tools, formats), 0, 1.2, 0, 0})
}

// mix returns what users might send one after the other.
func mix(tools map[string]post, formats map[int]post) []post {
	token, second := tools["jwt_decode"], tools["timestamp_to_iso"]
	return []post{token, second, formats[2_000], token, second, formats[60_000]}
}

const postman = `{"target":"postman-2.1"}`

// descriptions returns the calls that take Fastify seconds.
func descriptions(r harness) []workload {
	var list []workload
	for _, w := range []struct {
		size    int
		name    string
		fastify float64
		bare    float64
	}{{7_000, "7 KB", 1.2, 0}, {250_000, "250 KB", 12, 0.8}, {900_000, "900 KB", 1.2, 0}} {
		list = append(list, workload{"api_convert OpenAPI → Postman " + w.name,
			[]post{r.call("api_convert", "application/json", description(w.size), postman)}, w.bare, w.fastify, 0, 0})
	}
	return list
}

// overHTTP loads the servers in turns, with eight connections.
func overHTTP(run harness) []row {
	rows := inTurns(run, 8, workloads(run))
	return append(rows, floor(run)...)
}

// floor measures how much of a small call's time is spent before the request is
// parsed: the bare handler with and without the service's guards.
func floor(run harness) []row {
	perSecond := samples{}
	small := run.save("/v1/tools/jwt_decode", body("application/jwt", jwt, ""))
	servers := map[string]func(harness) *server{
		"ours":    func(run harness) *server { return startConvertd(run) },
		"guarded": startGuarded,
		"bare":    startBare,
	}
	for range run.rounds {
		for name, start := range servers {
			perSecond[name] = append(perSecond[name], run.perSecond(start, small))
		}
	}
	return []row{
		atLeast("limit: the bare handler within the service's guards : bare", perSecond.median("guarded")/perSecond.median("bare"), 0),
		atLeast("jwt_decode : the bare handler within the service's guards", perSecond.median("ours")/perSecond.median("guarded"), 0),
	}
}

// perSecond returns the successes per second of a server that is started for one measurement.
func (r harness) perSecond(start func(harness) *server, call post) float64 {
	s := start(r)
	defer s.stop()
	return must(s.wrk(callers{connections: 8}, r.each, call)).perSecond
}

// convertOverHTTP uses one connection and more time, so that no server still has
// abandoned calls when the next one's turn comes.
func convertOverHTTP(run harness) []row {
	run.each *= 2
	rows := inTurns(run, 1, descriptions(run))
	return append(rows, yamlForm(run))
}

// yamlForm compares an OpenAPI document in YAML with the same in JSON.
func yamlForm(run harness) row {
	s := startConvertd(run)
	defer s.stop()
	inJSON := description(250_000)
	inYAML := run.toYAML(inJSON)
	forms := map[string]post{
		"json": run.call("api_convert", "application/json", inJSON, postman),
		"yaml": run.call("api_convert", "application/yaml", inYAML, postman),
	}
	perSecond := samples{}
	for range run.rounds {
		for name, form := range forms {
			l, err := s.wrk(callers{connections: 1}, run.each/2, form)
			if err != nil || l.refused > 0 {
				panic(fmt.Errorf("a description in %s: %.0f%% refused, %v", name, 100*l.refused, err))
			}
			perSecond[name] = append(perSecond[name], l.perSecond)
		}
	}
	return atMost("api_convert 250 KB: time for a YAML document : for the same document in JSON", perSecond.median("json")/perSecond.median("yaml"), 1.5)
}

// toYAML converts text to YAML with the built binary.
func (r harness) toYAML(text string) string {
	command := exec.Command(r.binary, "run", "json_to_yaml")
	command.Stdin = strings.NewReader(text)
	return string(must(command.Output()))
}

// inTurns loads the peers in turns. A peer that does not respond to a call with 200 has no row for it.
func inTurns(run harness, connections int, list []workload) []row {
	all := peers()
	servers, stop := started(run, all)
	defer stop()
	var rows []row
	for _, w := range list {
		able := supporting(servers, all, w)
		perSecond := w.inTurns(run, servers, able, w.callers(connections))
		ours := perSecond.median("ours")
		title := fmt.Sprintf("%s (%s/s)", w.title, digits(ours))
		for _, p := range able[1:] {
			if perSecond.median(p.name) == 0 {
				fmt.Fprintf(os.Stderr, "%s: %s finished none; left out\n", w.title, p.title)
				continue
			}
			r := atLeast(title+" : "+p.title, ours/perSecond.median(p.name), w.goal(p.name))
			fmt.Fprintln(os.Stderr, r.Title, r.Value)
			rows, title = append(rows, r), w.title
		}
	}
	return rows
}

// supporting returns the peers that support a workload, ours first.
func supporting(servers map[string]*server, all []peer, w workload) []peer {
	able := slices.DeleteFunc(slices.Clone(all), func(p peer) bool {
		return slices.ContainsFunc(w.posts, func(call post) bool { return !servers[p.name].accepts(call) })
	})
	if len(able) < 2 || able[0].name != "ours" || !slices.ContainsFunc(able, func(p peer) bool { return p.name == "fastify" }) {
		panic(fmt.Errorf("%s: not answered with 200 by both convertd and Fastify", w.title))
	}
	return able
}

// inTurns returns the successes per second of each peer, round by round.
func (w workload) inTurns(run harness, servers map[string]*server, able []peer, connections int) samples {
	perSecond := samples{}
	each := run.each
	if !slices.ContainsFunc(w.posts, func(p post) bool { return p.size > 1000 }) {
		each /= 2 // there are tens of thousands per second
	}
	for range run.rounds {
		for _, p := range able {
			l := must(servers[p.name].wrk(callers{connections: connections}, each, w.posts...))
			if l.refused > 0 || l.broken > 0 {
				panic(fmt.Errorf("%s: %s refuses %.0f%%, breaks %d", w.title, p.title, 100*l.refused, l.broken))
			}
			perSecond[p.name] = append(perSecond[p.name], l.perSecond)
		}
	}
	return perSecond
}
