// Package apiconvert checks the output of api_convert with independent readers: two further OpenAPI validators,
// Postman's own SDK, curlconverter, sh -n and curl. It runs scripts and collections to compare what they send.
package apiconvert

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract/contracttest"
	"github.com/convertd/convertd/internal/convert"
	tool "github.com/convertd/convertd/internal/tools/apiconvert"
)

// source is an input that is converted to every target.
type source struct{ name, mediaType, text string }

// sources returns the document's own examples and, if available, the corpus.
func sources(t *testing.T) []source {
	var all []source
	for _, example := range contracttest.Examples(t) {
		if example.Operation == tool.Tool.Name {
			input := example.Request.(map[string]any)["input"].(map[string]any)
			all = append(all, source{example.Name, input["mediaType"].(string), input["value"].(string)})
		}
	}
	files, _ := filepath.Glob("../../../shared/corpus/apiconvert/[ocp]*/*")
	if len(files) == 0 {
		t.Log("the corpus is not here: only the document's examples are read")
	}
	for _, path := range files {
		text := check.Value(os.ReadFile(path))(t)
		mediaType := map[string]string{".json": "application/json", ".txt": "text/plain"}[filepath.Ext(path)]
		if mediaType == "" {
			mediaType = "application/yaml"
		}
		all = append(all, source{filepath.Base(path), mediaType, string(text)})
	}
	return all
}

// output is one line for the readers; answer is one line of their output.
type output struct {
	ID   string `json:"id"`
	Kind string `json:"kind"`
	Text string `json:"text"`
}

type response struct {
	ID       string
	Error    string
	Requests []string
}

func convertTo(s source, target string) (string, error) {
	result, err := tool.Tool.Convert(context.Background(), convert.Input{
		Artifact: convert.Artifact{MediaType: s.mediaType, Value: s.text},
		Options:  convert.Options{"target": target},
		Limit:    convert.NewOutputLimit(convert.MaxOutputCharacters, 4*convert.MaxOutputCharacters),
	})
	return result.Value, err
}

// twiceInPath is an OpenAPI document whose paths name a parameter twice, which a validator of Swagger 2.0 rejects.
const twiceInPath = "parameters-common-"

// longest is the longest input that curlconverter's parser accepts; beyond, it
// fails with "Invalid argument". Only the shell reads longer ones.
const longest = 32 << 10

// captured matches the assignment of a response, or of a part of one, to a variable, which curlconverter can't read; it
// reads the pipeline with curl. TestCaptures runs such scripts.
var captured = regexp.MustCompile(`(?m)^\w+=\$\((?:(curl (?:[^\n]*\\\n)*[^\n]*)|printf [^\n]*)\)$`)

func TestIndependentReaders(t *testing.T) {
	check.Installed(t, "node_modules/.installed", "make setup-all")
	var lines bytes.Buffer
	encoder := json.NewEncoder(&lines)
	count := map[string]int{}
	for _, s := range sources(t) {
		for target, kind := range map[string]string{
			"openapi-3.2-json": "openapi", "openapi-3.1-json": "openapi", "openapi-3.0-json": "openapi", "swagger-2.0-json": "openapi",
			"postman-2.1": "postman", "curl": "curl",
		} {
			if target == "swagger-2.0-json" && strings.HasPrefix(s.name, twiceInPath) {
				continue
			}
			text, err := convertTo(s, target)
			if err != nil {
				t.Errorf("%s to %s: %v", s.name, target, err)
				continue
			}
			if kind == "curl" {
				checkShell(t, s.name, text)
				if s.mediaType == "text/plain" {
					continue // a script, rewritten with its other commands: test/wire compares what it sends
				}
				text = captured.ReplaceAllString(text, "$1")
				if !strings.Contains(text, "curl ") || len(text) >= longest {
					continue // no operations, or too many for the reader
				}
			}
			count[kind]++
			check.OK(t, encoder.Encode(output{s.name + " to " + target, kind, text}))
		}
	}
	bad := 0
	for _, a := range read(t, &lines) {
		if a.Error != "" {
			bad++
			t.Errorf("%s: %s", a.ID, a.Error)
		}
	}
	t.Logf("read: %v, refused: %d", count, bad)
}

// checkShell makes a shell parse the script without running it: bash if it was a bash script.
func checkShell(t *testing.T, name, text string) {
	t.Helper()
	program := "sh"
	if strings.HasSuffix(name, ".sh.txt") {
		program = "bash"
	}
	shell := exec.Command(program, "-n")
	shell.Stdin = strings.NewReader(text)
	if out, err := shell.CombinedOutput(); err != nil {
		t.Errorf("%s: sh -n: %s", name, out)
	}
}

func read(t *testing.T, lines *bytes.Buffer) []response {
	t.Helper()
	sent := bytes.Count(lines.Bytes(), []byte("\n"))
	node := exec.Command("node", "read.mjs")
	node.Stdin = lines
	var problems bytes.Buffer
	node.Stderr = &problems
	out, err := node.Output()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, problems.String())
	}
	var responses []response
	scanner := bufio.NewScanner(bytes.NewReader(out))
	scanner.Buffer(nil, 8<<20)
	for scanner.Scan() {
		var a response
		check.JSON(t, scanner.Bytes(), &a)
		responses = append(responses, a)
	}
	if len(responses) != sent {
		t.Fatalf("%d of %d outputs were read", len(responses), sent)
	}
	return responses
}
