package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"time"
)

// command is one of our commands and another program that people use for the same task.
type command struct {
	title       string
	against     string   // the other program
	ours, other []string // ours without convertd run
	most        float64  // of the time, a ratio
	memory      float64  // of the peak memory, which is compared if this is not 0
	times       int      // per round
}

// commandLine compares whole processes, in turns.
func commandLine(run harness) (rows []row) {
	for _, c := range commands(run) {
		taken := samples{}
		for range c.times * run.rounds {
			taken.spend("ours", append([]string{run.binary, "run"}, c.ours...))
			taken.spend("other", c.other)
		}
		ours := taken.median("ours")
		rows = append(rows, atMost(fmt.Sprintf("%s (%s ms) : %s", c.title, digits(ours), c.against), ours/taken.median("other"), c.most))
		if c.memory > 0 {
			rows = append(rows, atMost(fmt.Sprintf("%s, peak memory : %s", c.title, c.against), taken.median("ours memory")/taken.median("other memory"), c.memory))
		}
	}
	return rows
}

// spend runs a process, discards its output and keeps its milliseconds and peak memory.
func (s samples) spend(name string, arguments []string) {
	process := exec.Command(arguments[0], arguments[1:]...)
	begin := time.Now()
	if err := process.Run(); err != nil {
		panic(fmt.Errorf("%v: %w", arguments[:min(4, len(arguments))], err))
	}
	s.add(name, time.Since(begin))
	peak := reflect.Indirect(reflect.ValueOf(process.ProcessState.SysUsage())).FieldByName("Maxrss") // not on Windows
	s[name+" memory"] = append(s[name+" memory"], float64(peak.Int()))
}

func commands(run harness) []command {
	file := func(name, text string) string {
		path := filepath.Join(run.folder, name)
		ok(os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	small, large, api := file("tiny.json", tiny), file("900KB.json", anyJSON(900_000)), file("api.json", description(900_000))
	whole := writeRecords(filepath.Join(run.folder, "100MB.json"))
	archive := writeArchive(filepath.Join(run.folder, "100MB.har"))
	var thousand []string
	for i := range 1000 {
		thousand = append(thousand, file(fmt.Sprintf("%d.json", i), `{"name":"package","version":"1.0.0","dependencies":{"a":"^1.0.0","b":"~2.3.4"}}`))
	}
	const modules = "test/bench/yardsticks/node_modules/"
	curlconverter := []string{"sh", "-c", `exec node "$0" --language har - <"$1"`, modules + "curlconverter/dist/src/cli.js", file("curl.txt", curlCommand)}
	collection := []string{"node", modules + "openapi-to-postmanv2/bin/openapi2postmanv2.js", "-s", api, "-o", filepath.Join(run.folder, "collection.json")}
	return []command{
		{"json_format, tiny", "jq", []string{"json_format", small}, []string{"jq", ".", small}, 1, 0, 10},
		{"json_format, 900 KB", "jq", []string{"json_format", large}, []string{"jq", ".", large}, 0.25, 0, 10},
		{"json_format, 100 MB", "jq", []string{"json_format", whole}, []string{"jq", ".", whole}, 0.35, 0.333, 1},
		{"json_format, 1,000 small files", "a thousand calls of jq", append([]string{"json_format"}, thousand...),
			append([]string{"sh", "-c", `for file; do jq . "$file"; done`, "sh"}, thousand...), 0.02, 0, 1},
		{"json_to_yaml, 900 KB", "yq", []string{"json_to_yaml", large}, []string{"test/bench/bin/yq", "-p", "json", "-o", "yaml", large}, 0, 0, 1},
		{"api_convert, cURL → Postman", "curlconverter (HAR)", []string{"api_convert", curlconverter[4], "--media-type", "text/plain", "--target", "postman-2.1"}, curlconverter, 0, 0, 1},
		{"api_convert, OpenAPI → Postman 900 KB", "openapi-to-postmanv2", []string{"api_convert", api, "--target", "postman-2.1"}, collection, 0, 0, 1},
		{"api_convert, HAR → OpenAPI 100 MB", "json_format", []string{"api_convert", archive, "--target", "openapi-3.1-json"}, []string{run.binary, "run", "json_format", archive}, 3, 6, 1},
	}
}

// writeArchive writes 100 MB of traffic that a browser has recorded, its entries again and again, and returns the path.
func writeArchive(path string) string {
	var recording struct {
		Log struct{ Entries []json.RawMessage }
	}
	ok(json.Unmarshal(must(os.ReadFile("internal/tools/apiconvert/testdata/recordings/chromium.har")), &recording))
	entries := must(json.Marshal(recording.Log.Entries))
	entries[0], entries[len(entries)-1] = '\n', ','
	text := bytes.Repeat(entries, 100_000_000/len(entries))
	ok(os.WriteFile(path, slices.Concat([]byte(`{"log":{"version":"1.2","entries":[`), text[:len(text)-1], []byte("]}}")), 0o644))
	return path
}

// writeRecords writes 100 MB of records like those of database exports and returns the path.
func writeRecords(path string) string {
	file := must(os.Create(path))
	defer file.Close()
	w := bufio.NewWriterSize(file, 1<<20)
	for i, n := 0, 0; n < 100e6; i++ {
		n += must(fmt.Fprintf(w, `%c{"id":%d,"name":"User number %d","email":"user%d@example.com","active":%t,"score":%d.5,"tags":["alpha","beta"],`+
			`"address":{"street":"Main Street %d","city":"Springfield","zip":"%05d"},"note":null}`, "[,"[min(i, 1)], i, i, i, i%2 == 0, i%100, i, i%100_000))
	}
	_, _ = w.WriteString("]")
	ok(w.Flush())
	return path
}
