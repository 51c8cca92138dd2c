// Command size measures the parts of the program and writes docs/size.md: the purpose and the share of each module and
// each embedded file. Only that page contains the purposes; the command keeps them and updates the sizes.
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// page is the page with the table, relative to the repository's root.
const page = "docs/size.md"

// least is the size from which on a part needs a stated purpose.
const least = 100_000 // bytes

func main() {
	log.SetFlags(0)
	binary, err := measure(".")
	if err != nil {
		log.Fatal(err)
	}
	text, err := os.ReadFile(filepath.FromSlash(page))
	if err != nil {
		log.Fatal(err)
	}
	table := table(binary, purposes(text))
	fmt.Printf("%.1f MB\n\n%s", float64(binary.Bytes)/1e6, table)
	if err := os.WriteFile(filepath.FromSlash(page), replaced(text, table), 0o644); err != nil {
		log.Fatal(err)
	}
}

// row matches a row of the page's table: a part in code, its size, its purpose.
var row = regexp.MustCompile("(?m)^\\| `?([^|`]+?)`? \\| +([0-9,]+) \\| (.*) \\|$\n?")

// purposes returns the purposes of the parts from the page.
func purposes(text []byte) map[string]string {
	list := map[string]string{}
	for _, match := range row.FindAllSubmatch(text, -1) {
		list[string(match[1])] = string(match[3])
	}
	return list
}

// table returns the page's rows: the large parts, and the sum of the others.
func table(binary *Binary, purposes map[string]string) string {
	var b strings.Builder
	var others, number int64
	write := func(name string, size int64, purpose string) {
		if strings.Contains(name, "/") {
			name = "`" + name + "`"
		}
		fmt.Fprintf(&b, "| %s | %d | %s |\n", name, (size+500)/1000, purpose)
	}
	for _, part := range binary.Parts {
		if part.Bytes < least {
			others += part.Bytes
			number++
			continue
		}
		write(part.Name, part.Bytes, purposes[part.Name])
	}
	write(fmt.Sprintf("%d smaller parts", number), others, "less than 100 KB each")
	write("all", binary.Bytes, "the stripped file")
	return b.String()
}

// replaced returns the page with other rows.
func replaced(text []byte, table string) []byte {
	places := row.FindAllIndex(text, -1)
	if len(places) == 0 {
		return append(bytes.TrimRight(text, "\n"), "\n"+table...)
	}
	first, last := places[0][0], places[len(places)-1][1]
	return append(append(append([]byte(nil), text[:first]...), table...), text[last:]...)
}
