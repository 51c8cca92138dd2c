// Command bench measures the service against its yardsticks and writes docs/performance.md. Every figure is a ratio
// within one run: it measures the service and the yardstick in turns and takes the median of each, because absolute
// times on a shared machine mean little.
//
// Each part keeps its rows in test/out/bench, and the page is written from all
// rows there, so that one part can be measured again by itself:
//
//	go run ./test/bench -parts http,load
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
	quick  bool          // leaves out what takes minutes
	binary string        // convertd, built for this run

	servers, callers string // the processors of each, in taskset's format; "" means all
}

// part is a section of the page.
type part struct {
	name, title, intro string
	measure            func(harness) []row
}

var parts = []part{
	{"go", "In process", "Go benchmarks without a network: the tools compared with other libraries, and whole calls compared with the bare envelope handler.", goBenchmarks},
	{"http", "Over HTTP", "Requests per second on loopback, measured by wrk with 8 connections and no rate limit. *Fastify* is what a user would write in an afternoon: its schema validation, JSON.parse and JSON.stringify, js-yaml, openapi-to-postmanv2 and curlconverter, in one warm Node process. *axum* is the same in Rust, with serde_json, serde_yaml and mimalloc; it needs cargo.", overHTTP},
	{"convert", "OpenAPI documents over HTTP", "As above, with one connection.", convertOverHTTP},
	{"command", "On the command line", "Wall time of whole processes, with input from a file and the output discarded.", commandLine},
	{"files", "Files on the command line", "Wall time and peak memory of whole processes: files larger than a request may be, many files, and lines. The output is discarded.", largeFiles},
	{"tail", "The slowest of a hundred", "p99 over HTTP. Pinned: the server runs on one processor and its clients on the other. Shared: all run on both.", tails},
	{"load", "Under load", "What happens when more requests arrive than can be served.", underLoad},
	{"capacity", "Capacity", "What one replica serves with 16 connections that never pause: on one processor, with the callers on another, and on both. The mix is a JWT, a timestamp, 2 KB and 60 KB. Replicas share one Redis and get the mix at two fifths of what one processor serves.", measureCapacity},
	{"process", "The process", "The built binary.", process},
}

func main() {
	if len(os.Args) == 3 {
		switch port := os.Args[2]; os.Args[1] {
		case "bare":
			log.Fatal(serveBare(port))
		case "guarded":
			log.Fatal(serveGuarded(port))
		}
	}
	rounds := flag.Int("rounds", 5, "how often each measurement is taken, in turns")
	each := flag.Duration("time", 2*time.Second, "how long each load lasts; a Go benchmark takes a tenth of it")
	chosen := flag.String("parts", strings.Join(names(), ","), "what to measure")
	quick := flag.Bool("quick", false, "for a look: one round of a second each, and nothing that takes minutes; the page stays as it is")
	flag.Parse()
	if *quick {
		*rounds, *each = 1, time.Second
	}
	measure(harness{rounds: *rounds, each: *each, quick: *quick}, strings.Split(*chosen, ","))
}

// names returns the names of all parts.
func names() []string {
	var list []string
	for _, p := range parts {
		list = append(list, p.name)
	}
	return list
}

// inOrder measures one after the other.
func inOrder(run harness, list ...func(harness) []row) (rows []row) {
	for _, measure := range list {
		rows = append(rows, measure(run)...)
	}
	return rows
}

func measure(run harness, chosen []string) {
	folder := must(os.MkdirTemp("", "bench"))
	defer os.RemoveAll(folder)
	run.folder = folder
	run.binary = build(folder)
	for _, p := range parts {
		if !slices.Contains(chosen, p.name) {
			continue
		}
		fmt.Printf("\n%-66s %9s %9s\n", p.title, "", "goal")
		rows := p.measure(run)
		for _, r := range rows {
			r.print()
		}
		if !run.quick {
			keep(p.name, rows)
		}
	}
	if !run.quick {
		writePage()
	}
}
