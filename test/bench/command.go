package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// commandLine compares whole processes: convertd run and what people pipe JSON
// through today.
func commandLine(run harness) ([]row, error) {
	file := filepath.Join(run.folder, "500KB.json")
	if err := os.WriteFile(file, []byte(anyJSON(500_000)), 0o644); err != nil {
		return nil, err
	}
	bin, err := filepath.Abs("test/bench/bin")
	if err != nil {
		return nil, err
	}
	ours := map[string][]string{
		"json_format":  {run.binary, "run", "json_format", file},
		"json_to_yaml": {run.binary, "run", "json_to_yaml", file},
	}
	others := []struct {
		tool, title string
		command     []string
		most        float64
	}{
		{"json_format", "jq .", []string{"jq", ".", file}, 0.25},
		{"json_format", "gojq .", []string{filepath.Join(bin, "gojq"), ".", file}, 0},
		{"json_format", "python3 -m json.tool", []string{"python3", "-m", "json.tool", file}, 0},
		{"json_to_yaml", "yq -p json -o yaml", []string{filepath.Join(bin, "yq"), "-p", "json", "-o", "yaml", file}, 0},
	}
	var rows []row
	for _, other := range others {
		taken := samples{}
		for range 3 * run.rounds {
			for name, command := range map[string][]string{"ours": ours[other.tool], "other": other.command} {
				took, err := wall(command)
				if err != nil {
					return nil, err
				}
				taken.add(name, took)
			}
		}
		rows = append(rows, atMost(fmt.Sprintf("convertd run %s (%s ms) : %s", other.tool, digits(taken.median("ours")/1000), other.title),
			taken.median("ours")/taken.median("other"), other.most))
	}
	return rows, nil
}

// wall is how long a process takes from start to end.
func wall(command []string) (time.Duration, error) {
	begin := time.Now()
	if err := exec.Command(command[0], command[1:]...).Run(); err != nil {
		return 0, fmt.Errorf("%v: %w", command, err)
	}
	return time.Since(begin), nil
}
