// Command bench measures the service against its yardsticks and writes docs/performance.md. Every figure is a ratio
// within one run: it measures the service and the yardstick in turns and takes the median of each, because absolute
// times on a shared machine mean little.
//
//	go run ./test/bench -parts http,tail
//
// measures some parts and leaves the page as it is.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"strings"
	"time"
)

// harness is the configuration of one run.
type harness struct {
	folder string        // for files that live as long as the run
	rounds int           // how often each measurement is repeated, in turns
	each   time.Duration // duration of one load; a Go benchmark takes a tenth of it
	binary string        // convertd, built for this run

	servers, callers string // the processors of each, in taskset's format; "" means all
}

// part is a section of the page.
type part struct {
	name, title, intro string
	measure            func(harness) []row
}

var parts = []part{
	{"go", "In process", "Go benchmarks without a network: the tools compared with other libraries, and calls over MCP with calls over REST.", goBenchmarks},
	{"http", "Over HTTP", "Requests per second on loopback, measured by wrk with 8 connections and no rate limit. *Fastify* is what a user would write in an afternoon: its schema validation, JSON.parse and JSON.stringify, js-yaml, openapi-to-postmanv2 and curlconverter, in one warm Node process. *axum* is the same in Rust, with serde_json, serde_yaml and mimalloc; it needs cargo.", overHTTP},
	{"convert", "OpenAPI documents over HTTP", "As above, with one connection.", convertOverHTTP},
	{"command", "On the command line", "Wall time and peak memory of whole processes, with input from files and the output discarded.", commandLine},
	{"tail", "The slowest of a hundred", "p99 over HTTP.", tails},
	{"capacity", "Capacity", "What one replica serves with 16 connections that never pause, on one processor, with the callers on another. The mix is a JWT, a timestamp, 2 KB and 60 KB.", capacity},
	{"process", "The process", "The built binary.", process},
}

func main() {
	if len(os.Args) == 3 && os.Args[1] == "bare" {
		log.Fatal(serveBare(os.Args[2]))
	}
	chosen := flag.String("parts", "", "what to measure; the page is written only if everything is measured")
	quick := flag.Bool("quick", false, "for a look: one round of a second each; the page stays as it is")
	flag.Parse()
	folder := must(os.MkdirTemp("", "bench"))
	defer os.RemoveAll(folder)
	run := harness{folder: folder, rounds: 5, each: 2 * time.Second, binary: build(folder)}
	if *quick {
		run.rounds, run.each = 1, time.Second
	}
	measured := map[string][]row{}
	for _, p := range parts {
		if *chosen != "" && !slices.Contains(strings.Split(*chosen, ","), p.name) {
			continue
		}
		fmt.Printf("\n%-66s %9s %9s\n", p.title, "", "goal")
		measured[p.name] = p.measure(run)
		for _, r := range measured[p.name] {
			fmt.Printf("%-66s %9s %9s  %s\n", r.title, r.value, r.goal, r.mark())
		}
	}
	if *chosen == "" && !*quick {
		writePage(measured)
	}
}

// ok ends the run on an error. It panics, so that deferred calls stop the servers.
func ok(err error) {
	if err != nil {
		panic(err)
	}
}

// must returns the value, or ends the run on an error.
func must[T any](value T, err error) T {
	ok(err)
	return value
}
