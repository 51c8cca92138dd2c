// Command bench measures the service beside its yardsticks and writes
// docs/performance.md. Every figure is a ratio inside one run: ours and the
// yardstick in turns, the median of each, because absolute times on a shared
// machine mean little.
//
// Each part keeps its rows in test/out/bench, and the page is written from all
// that is there, so that one part can be measured again by itself:
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

// harness is how one run of the harness measures.
type harness struct {
	folder string        // for what lives as long as the run
	rounds int           // how often each thing is measured, in turns
	each   time.Duration // how long one load lasts; a Go benchmark takes a tenth
	binary string        // convertd, built for this run
}

// part is a section of the page.
type part struct {
	name, title, intro string
	measure            func(harness) ([]row, error)
}

var parts = []part{
	{"go", "In process", "Go benchmarks, no network: the tools beside other libraries, whole calls beside the bare envelope handler.", goBenchmarks},
	{"http", "Over HTTP", "Requests a second on loopback, wrk with 8 connections, the rate limit off. *Bare* is a net/http handler that decodes and re-encodes the envelope with encoding/json and does nothing else; *Fastify* is what a user would write in an afternoon: its schema validation, JSON.parse and JSON.stringify, js-yaml, openapi-to-postmanv2, curlconverter, in one warm Node process.", overHTTP},
	{"convert", "API descriptions over HTTP", "As above, with one connection.", convertOverHTTP},
	{"command", "On the command line", "Wall time of whole processes, input from a file, output thrown away.", commandLine},
	{"files", "Files on the command line", "Wall time and peak memory of whole processes: files beyond what a request may be, many files, lines. Output thrown away.", largeFiles},
	{"load", "Under load", "What happens when more is asked than can be served.", underLoad},
	{"growth", "How cost grows", "Medians over HTTP; the plot shows the same figures.", growth},
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
	rounds := flag.Int("rounds", 6, "how often each measurement is taken, in turns")
	each := flag.Duration("time", 2*time.Second, "how long each load lasts; a Go benchmark takes a tenth of it")
	chosen := flag.String("parts", "go,http,convert,command,files,load,growth,process", "what to measure")
	flag.Parse()
	if err := measure(harness{rounds: *rounds, each: *each}, strings.Split(*chosen, ",")); err != nil {
		log.Fatal(err)
	}
}

func measure(run harness, chosen []string) error {
	folder, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	run.folder = folder
	if run.binary, err = build(folder); err != nil {
		return err
	}
	for _, p := range parts {
		if !slices.Contains(chosen, p.name) {
			continue
		}
		fmt.Printf("\n%-66s %9s %9s\n", p.title, "", "goal")
		rows, err := p.measure(run)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		for _, r := range rows {
			r.print()
		}
		if err := keep(p.name, rows); err != nil {
			return err
		}
	}
	return writePage()
}
