package yamlreaders

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"testing"

	"github.com/convertd/convertd/internal/check"
)

// processReader is a reader of another language, as its program describes it.
type processReader struct {
	Name string
	kindOf
}

// readWith runs the readers of another language on the documents, all in one run of their program.
func readWith(t *testing.T, documents []document, program ...string) {
	var in bytes.Buffer
	encoder := json.NewEncoder(&in)
	for i, d := range documents {
		check.OK(t, encoder.Encode(map[string]any{"id": i, "yaml": d.yaml}))
	}
	command := exec.Command(program[0], program[1:]...)
	var stderr bytes.Buffer
	command.Stdin, command.Stderr = &in, &stderr
	command.Env = append(os.Environ(), "PYTHONUTF8=1")
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%q: %v\n%.2000s\nRun `make setup-all` first: it installs the YAML readers.", program, err, stderr.String())
	}
	readers, saw := decodeSaw(t, out)
	if len(saw) != len(documents) {
		t.Fatalf("%q read %d of %d documents", program, len(saw), len(documents))
	}
	for r, reader := range readers {
		t.Run(reader.Name, func(t *testing.T) {
			check := checker{t: t, kind: reader.kindOf}
			for i, d := range documents {
				check.saw(d, saw[i][r])
			}
			check.report(len(documents))
		})
	}
}

// decodeSaw decodes the output of a program: its readers, and what each of them read from each document.
func decodeSaw(t *testing.T, out []byte) ([]processReader, [][]string) {
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, len(out)+1)
	lines.Scan()
	var head struct{ Readers []processReader }
	if err := json.Unmarshal(lines.Bytes(), &head); err != nil || len(head.Readers) == 0 {
		t.Fatalf("first line: %v", err)
	}
	var all [][]string
	for lines.Scan() {
		var line struct {
			ID  int
			Saw []string
		}
		err := json.Unmarshal(lines.Bytes(), &line)
		if err != nil || line.ID != len(all) || len(line.Saw) != len(head.Readers) {
			t.Fatalf("document %d: %v", len(all), err)
		}
		for i := 1; i < len(line.Saw); i++ {
			if line.Saw[i] == "" {
				line.Saw[i] = line.Saw[i-1]
			}
		}
		all = append(all, line.Saw)
	}
	return head.Readers, all
}
