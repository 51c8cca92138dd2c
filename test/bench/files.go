package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// writeRecords writes a JSON array of at least this many bytes, of records like
// those of database exports, one per line or all on one line.
func writeRecords(path string, size int, lines bool) {
	file := must(os.Create(path))
	defer file.Close()
	w := bufio.NewWriterSize(file, 1<<20)
	open, between, end := "[", ",", "]"
	if lines {
		open, between, end = "", "\n", "\n"
	}
	random := rand.New(rand.NewPCG(1, 2))
	fmt.Fprint(w, open)
	for i, n := 0, 0; n < size; i++ {
		if i > 0 {
			fmt.Fprint(w, between)
		}
		n += must(fmt.Fprintf(w, `{"id":%d,"name":"User number %d","email":"user%d@example.com","active":%t,"score":%.2f,"tags":["alpha","beta"],`+
			`"address":{"street":"Main Street %d","city":"Springfield","zip":"%05d"},"note":null}`, i, i, i, i%2 == 0, 100*random.Float64(), i, i%100_000))
	}
	fmt.Fprint(w, end)
	ok(w.Flush())
}

// spent is the cost of a process.
type spent struct {
	wall   time.Duration
	memory float64 // peak, bytes
}

// spend runs a process and discards its output.
func spend(command ...string) spent {
	run := exec.Command(command[0], command[1:]...)
	begin := time.Now()
	err := run.Run()
	took := time.Since(begin)
	if err != nil {
		panic(fmt.Errorf("%v: %w", command, err))
	}
	return spent{took, peakMemory(run.ProcessState)}
}

// compared returns the medians of several commands that run in turns.
func compared(rounds int, commands map[string][]string) (wall, memory map[string]float64) {
	times, peaks := map[string][]float64{}, map[string][]float64{}
	for range rounds {
		for name, command := range commands {
			s := spend(command...)
			times[name] = append(times[name], s.wall.Seconds())
			peaks[name] = append(peaks[name], s.memory)
		}
	}
	wall, memory = map[string]float64{}, map[string]float64{}
	for name := range commands {
		wall[name], memory[name] = median(times[name]), median(peaks[name])
	}
	return wall, memory
}

// gojq is where setup.sh installs it.
const gojq = "test/bench/bin/gojq"

// largeFiles compares large files, many files and lines with the tools that people use for them.
func largeFiles(run harness) []row {
	return inOrder(run, hundred, fiveHundred, tinyFiles, thousand)
}

// hundred measures 100 MB, as one text and as lines.
func hundred(run harness) []row {
	file, lines := filepath.Join(run.folder, "100MB.json"), filepath.Join(run.folder, "100MB.jsonl")
	defer os.Remove(file)
	defer os.Remove(lines)
	writeRecords(file, 100e6, false)
	writeRecords(lines, 100e6, true)
	wall, memory := compared((run.rounds+1)/2, map[string][]string{
		"ours": {run.binary, "run", "json_format", file}, "jq": {"jq", ".", file}, "gojq": {gojq, ".", file},
		"yaml":  {run.binary, "run", "json_to_yaml", file},
		"lines": {run.binary, "run", "json_format", "--lines", lines}, "jq lines": {"jq", "-c", ".", lines},
	})
	return []row{
		atMost(fmt.Sprintf("json_format, 100 MB (%s s) : jq", digits(wall["ours"])), wall["ours"]/wall["jq"], 0.35),
		atMost("json_format, 100 MB : gojq", wall["ours"]/wall["gojq"], 0.6),
		atMost("json_format, 100 MB, peak memory : jq", memory["ours"]/memory["jq"], 0.333),
		atMost("json_format, 100 MB, peak memory : gojq", memory["ours"]/memory["gojq"], 0.333),
		atMost("json_format, 100 MB, peak memory : input", memory["ours"]/100e6, 6),
		atMost("json_to_yaml, 100 MB, peak memory : input", memory["yaml"]/100e6, 6),
		atMost("json_format --lines, 100 MB : jq -c", wall["lines"]/wall["jq lines"], 0),
		atMost("json_format --lines, 100 MB, peak memory (MiB)", memory["lines"]/(1<<20), 0),
	}
}

// fiveHundred measures 500 MB.
func fiveHundred(run harness) []row {
	if run.quick {
		return nil
	}
	file := filepath.Join(run.folder, "500MB.json")
	defer os.Remove(file)
	writeRecords(file, 500e6, false)
	wall, _ := compared(max(run.rounds/3, 1), map[string][]string{"ours": {run.binary, "run", "json_format", file}, "jq": {"jq", ".", file}})
	return []row{atLeast("json_format, 500 MB, MB/s : jq", wall["jq"]/wall["ours"], 3)}
}

// tinyFiles measures the start of a process, and 900 KB.
func tinyFiles(run harness) []row {
	small, large := filepath.Join(run.folder, "tiny.json"), filepath.Join(run.folder, "900KB.json")
	ok(os.WriteFile(small, []byte(tiny), 0o644))
	writeRecords(large, 900e3, false)
	wall, _ := compared(10*run.rounds, map[string][]string{
		"ours": {run.binary, "run", "json_format", small}, "jq": {"jq", ".", small}, "gojq": {gojq, ".", small},
		"large": {run.binary, "run", "json_format", large}, "jq large": {"jq", ".", large}, "gojq large": {gojq, ".", large},
	})
	return []row{
		atMost(fmt.Sprintf("json_format, tiny (%s ms) : jq", digits(1000*wall["ours"])), wall["ours"]/wall["jq"], 1),
		atMost("json_format, tiny : gojq", wall["ours"]/wall["gojq"], 0),
		atMost("json_format, 900 KB : jq", wall["large"]/wall["jq large"], 0.25),
		atMost("json_format, 900 KB : gojq", wall["large"]/wall["gojq large"], 0),
	}
}

// thousand measures a thousand small files, in one command and in a thousand.
func thousand(run harness) []row {
	folder := filepath.Join(run.folder, "thousand")
	ok(os.MkdirAll(folder, 0o755))
	files := make([]string, 1000)
	var ours, places, jq []float64
	for range (run.rounds + 1) / 2 {
		for i := range files { // again in each round, since they are replaced below
			files[i] = filepath.Join(folder, fmt.Sprintf("%d.json", i))
			text := fmt.Appendf(nil, `{"name":"package-%d","version":"1.0.%d","dependencies":{"a":"^1.0.0","b":"~2.3.4"}}`, i, i)
			ok(os.WriteFile(files[i], text, 0o644))
		}
		one := spend(append([]string{run.binary, "run", "json_format"}, files...)...)
		ours = append(ours, one.wall.Seconds())
		place := spend(append([]string{run.binary, "run", "json_format", "--in-place"}, files...)...)
		places = append(places, place.wall.Seconds())
		begin := time.Now()
		for _, file := range files {
			spend("jq", ".", file)
		}
		jq = append(jq, time.Since(begin).Seconds())
	}
	return []row{
		atLeast(fmt.Sprintf("1,000 calls of jq : json_format, 1,000 small files in one call (%s ms)", digits(1000*median(ours))), median(jq)/median(ours), 50),
		atLeast(fmt.Sprintf("1,000 calls of jq : json_format --in-place, 1,000 small files (%s ms)", digits(1000*median(places))), median(jq)/median(places), 0),
	}
}
