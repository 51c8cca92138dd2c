package channels

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract/contracttest"
	"github.com/convertd/convertd/test/daemon"
)

// The skill's front matter follows the format's rules (name: the folder's, at most 64 characters of a-z, 0-9 and -;
// description: at most 1,024 characters), and every command that it shows works as shown.
func TestSkill(t *testing.T) {
	text := read(t, root, "skills", "convertd", "SKILL.md")
	parts := strings.SplitN(text, "---\n", 3)
	if len(parts) != 3 || parts[0] != "" {
		t.Fatal("no front matter")
	}
	var front struct{ Name, Description string }
	parse(t, parts[1], &front)
	if front.Name != "convertd" || len(front.Description) == 0 || len(front.Description) > 1024 {
		t.Errorf("name %q, description of %d bytes", front.Name, len(front.Description))
	}
	folder := t.TempDir()
	binary := check.Value(daemon.Build(folder))(t)
	write(t, loose, folder, "data.json")
	write(t, `{"info":{"name":"Shop","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},"item":[{"name":"a","request":{"method":"GET","url":"https://a.test/orders"}}]}`, folder, "collection.json")
	write(t, "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2ln\n", folder, "token.txt")
	write(t, "1700000000\n0\n", folder, "times.txt")
	shell := program{folder, []string{"PATH=" + filepath.Dir(binary) + ":" + os.Getenv("PATH")}}
	block := regexp.MustCompile("(?s)```sh\n(.*?)```").FindStringSubmatch(text)
	results := map[string]string{}
	for command := range strings.Lines(block[1]) {
		exampleInput(t, folder, strings.Fields(command))
		results[strings.Join(strings.Fields(command)[1:3], " ")] = shell.must(t, "sh", "-c", command)
	}
	contains(t, results["run timestamp_to_iso"], "2023-11-14T22:13:20Z\n1970-01-01T00:00:00Z\n")
	contains(t, results["run jwt_decode"], `"sub": "1234"`)
	contains(t, read(t, folder, "data.yaml"), "- 1.50")
	contains(t, read(t, folder, "openapi.yaml"), "/orders:")
}

// exampleInput writes the tool's example input to the file that a command converts, unless the file exists.
func exampleInput(t *testing.T, folder string, command []string) {
	t.Helper()
	for i, word := range command {
		if _, err := os.Stat(filepath.Join(folder, word)); err == nil || filepath.Ext(word) == "" || command[i-1] == "-o" {
			continue
		}
		for _, example := range contracttest.Examples(t) {
			if example.Operation == command[2] {
				write(t, example.Request.(map[string]any)["input"].(map[string]any)["value"].(string), folder, word)
				break
			}
		}
	}
}
