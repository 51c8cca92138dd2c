package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// row is one figure of the table.
type row struct {
	Title string
	Value string
	Goal  string // "" if the project sets none
	Met   bool
}

func atMost(title string, value, most float64) row {
	return row{title, digits(value), goal("≤", most), most == 0 || value <= most}
}

func atLeast(title string, value, least float64) row {
	return row{title, digits(value), goal("≥", least), least == 0 || value >= least}
}

func goal(sign string, value float64) string {
	if value == 0 {
		return ""
	}
	return fmt.Sprintf("%s %g", sign, value)
}

// digits formats a ratio: two digits of a small one, no fraction of a large one.
func digits(value float64) string {
	switch {
	case value >= 100:
		return fmt.Sprintf("%.0f", value)
	case value >= 10:
		return fmt.Sprintf("%.1f", value)
	}
	return fmt.Sprintf("%.2f", value)
}

func (r row) print() { fmt.Printf("%-66s %9s %9s%s\n", r.Title, r.Value, r.Goal, r.mark()) }

func (r row) mark() string {
	if r.Met {
		return ""
	}
	return "  missed"
}

// keptIn is where the rows of each part are kept for the page.
const keptIn = "test/out/bench"

func keep(name string, value any) {
	text := must(json.MarshalIndent(value, "", " "))
	ok(os.MkdirAll(keptIn, 0o755))
	ok(os.WriteFile(filepath.Join(keptIn, name+".json"), text, 0o644))
}

// kept reads what keep wrote. It leaves value unchanged for a part that was never measured.
func kept(name string, value any) {
	text, err := os.ReadFile(filepath.Join(keptIn, name+".json"))
	if os.IsNotExist(err) {
		return
	}
	ok(err)
	ok(json.Unmarshal(text, value))
}
