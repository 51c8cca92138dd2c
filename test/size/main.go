// Command size takes the program apart and writes docs/size.md: what each
// module, and each file that is embedded, is for and how much of the program it
// is. What they are for stands in that page and nowhere else; the command keeps
// it and counts anew.
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

// page is where the table stands, from the repository's root.
const page = "docs/size.md"

// least is the size from which on a part has to say what it is for.
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

// row is a row of the page's table: a part in code, its size, what it is for.
var row = regexp.MustCompile("(?m)^\\| `?([^|`]+?)`? \\| +([0-9,]+) \\| (.*) \\|$\n?")

// purposes are what the page says that the parts are for.
func purposes(text []byte) map[string]string {
	list := map[string]string{}
	for _, match := range row.FindAllSubmatch(text, -1) {
		list[string(match[1])] = string(match[3])
	}
	return list
}

// table is the page's rows: the large parts, and the sum of the others.
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

// replaced is the page with other rows.
func replaced(text []byte, table string) []byte {
	places := row.FindAllIndex(text, -1)
	if len(places) == 0 {
		return append(bytes.TrimRight(text, "\n"), "\n"+table...)
	}
	first, last := places[0][0], places[len(places)-1][1]
	return append(append(append([]byte(nil), text[:first]...), table...), text[last:]...)
}
