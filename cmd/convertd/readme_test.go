package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/test/daemon"
)

// shown is the service's address in the README.
const shown = "http://127.0.0.1:8080"

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// shell runs a command as a reader of the README would, with the binary in
// the PATH and the service at url, and returns its output.
func shell(t *testing.T, url, command string) string {
	t.Helper()
	sh := exec.Command("sh", "-c", strings.ReplaceAll(command, shown, url))
	sh.Env = append(os.Environ(), "PATH="+filepath.Dir(binary)+":"+os.Getenv("PATH"))
	sh.Dir = t.TempDir()
	var problems bytes.Buffer
	sh.Stderr = &problems
	out, err := sh.Output()
	if err != nil {
		t.Errorf("%s: %v\n%s%s", command, err, out, problems.String())
	}
	return strings.ReplaceAll(string(out), url, shown)
}

// TestReadme executes the README's code blocks, each in its language's way;
// those of the SDKs are test/sdk's, those of installing test/channels'. A block that is not executed is a failure.
func TestReadme(t *testing.T) {
	service := daemon.Start(t, binary, nil, "--rate-limit=0")
	executed := map[string]int{}
	section := ""
	for _, block := range regexp.MustCompile("(?sm)^## (.*?)$|^```([a-z]*)\n(.*?)^```$").FindAllStringSubmatch(readme(t), -1) {
		if block[1] != "" {
			section = block[1]
			continue
		}
		language, text := block[2], block[3]
		executed[language]++
		switch {
		case section == "Client SDKs": // test/sdk fails for one that it does not run
		case language == "shell", section == "In pipelines, hooks and clients": // test/channels does
		case language == "console":
			console(t, service.URL, text)
		case language == "sh":
			targets(t, text)
		case language == "yaml":
			workflow(t, service.URL, text)
		case language == "go":
			program(t, text)
		case language == "" && section == "Map":
			folders(t, text)
		default:
			t.Errorf("nothing executes this %q block in %q:\n%s", language, section, text)
		}
	}
	if executed["console"] < 12 || executed["yaml"] != 3 || executed["sh"] == 0 || executed[""] != 1 {
		t.Errorf("too few blocks were found: %v", executed)
	}
	if err := service.Stop(); err != nil {
		t.Error(err)
	}
}

// console runs a block that is commands and the output that they must have.
func console(t *testing.T, url, block string) {
	t.Helper()
	command, want := splitExample(block)
	got := shell(t, url, command)
	if diff := cmp.Diff(strings.TrimSuffix(want, "\n"), strings.TrimSuffix(got, "\n")); diff != "" {
		t.Errorf("%s\n(-README +real):\n%s", command, diff)
	}
}

// splitExample divides a console block into its commands and their output. A
// command begins behind a dollar sign and goes on where a line ends in a
// backslash or inside single quotes.
func splitExample(block string) (commands, output string) {
	open := ""
	for line := range strings.Lines(block) {
		command, begins := strings.CutPrefix(line, "$ ")
		switch {
		case begins:
			open = command
		case strings.HasSuffix(open, "\\\n") || strings.Count(open, "'")%2 == 1:
			open += line
		default:
			output += line
			continue
		}
		commands += strings.TrimPrefix(line, "$ ")
	}
	return commands, output
}

// targets lets make say what it would do: the targets take too long, and one
// of them runs this test.
func targets(t *testing.T, block string) {
	t.Helper()
	for line := range strings.Lines(block) {
		command, _, _ := strings.Cut(line, "#")
		words := strings.Fields(command)
		if len(words) != 2 || words[0] != "make" {
			t.Errorf("not a target: %s", line)
			continue
		}
		if out, err := exec.Command("make", "-C", "../..", "-n", words[1]).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
	}
}

// workflow runs the steps of a GitHub Actions workflow that are this
// program's, against this service.
func workflow(t *testing.T, url, block string) {
	t.Helper()
	var file struct {
		Jobs map[string]struct {
			RunsOn string `yaml:"runs-on"`
			Steps  []struct {
				Uses, Run, If string
				With          map[string]any
			}
		}
	}
	if err := yaml.UnmarshalWithOptions([]byte(block), &file, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	const install = "go install github.com/convertd/convertd/"
	ran := 0
	for _, job := range file.Jobs {
		for _, step := range job.Steps {
			switch {
			case strings.HasPrefix(step.Run, "convertd "):
				shell(t, url, strings.ReplaceAll(step.Run, "https://convert.example.com", url))
				ran++
			case strings.HasPrefix(step.Run, install):
				folder, _, _ := strings.Cut(strings.TrimPrefix(step.Run, install), "@")
				if _, err := os.Stat(filepath.Join("../..", folder, "main.go")); err != nil {
					t.Errorf("%s: %v", step.Run, err)
				}
			case step.Run != "" || step.Uses == "":
				t.Errorf("not executed: %+v", step)
			}
		}
	}
	if ran == 0 {
		t.Errorf("the workflow does not run convertd:\n%s", block)
	}
}

// program runs a Go program, which must print what its last comment says.
func program(t *testing.T, block string) {
	t.Helper()
	folder, err := os.MkdirTemp("../..", "_readme")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	if err := os.WriteFile(filepath.Join(folder, "main.go"), []byte(block), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "run", folder+"/main.go").CombinedOutput()
	_, comment, _ := strings.Cut(block, "// Output:\n")
	if want := strings.ReplaceAll("\n"+comment, "\n// ", "\n")[1:]; err != nil || string(out) != want {
		t.Errorf("a program prints %q, not %q: %v", out, want, err)
	}
}

// folders looks for what the map names: at the start of a line, and again in
// its second column.
func folders(t *testing.T, block string) {
	t.Helper()
	for _, match := range regexp.MustCompile(`(?m)(?:^|  )((?:internal|cmd)/[a-z]+|[a-z]+/)`).FindAllStringSubmatch(block, -1) {
		if _, err := os.Stat(filepath.Join("../..", match[1])); err != nil {
			t.Errorf("the map: %v", err)
		}
	}
}

// TestReadmeAgents reads the clients' configurations out of the README's table
// and reaches the tools by what each says, a URL or a command.
func TestReadmeAgents(t *testing.T) {
	service := daemon.Start(t, binary, nil, "--rate-limit=0")
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{}}}}`
	byURL := func(url string) string {
		return shell(t, service.URL, "curl -sS -H 'Content-Type: application/json' -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: tools/list' -d '"+list+"' "+url)
	}
	byCommand := func(command string) string { return shell(t, service.URL, "echo '"+list+"' | "+command) }
	reached := 0
	for _, cell := range regexp.MustCompile("`([^`\n]+)`").FindAllStringSubmatch(readme(t), -1) {
		var answers []string
		var file map[string]map[string]struct {
			URL, Command string
			Args         []string
		}
		switch _, command, hasCommand := strings.Cut(cell[1], " -- "); {
		case strings.Contains(cell[1], " mcp add ") && hasCommand:
			answers = append(answers, byCommand(command))
		case strings.Contains(cell[1], " mcp add "):
			answers = append(answers, byURL(regexp.MustCompile(`http\S+`).FindString(cell[1])))
		case strings.HasPrefix(cell[1], `{"`) && strings.Contains(strings.ToLower(cell[1]), "servers"):
			if err := json.Unmarshal([]byte(cell[1]), &file); err != nil {
				t.Errorf("%s: %v", cell[1], err)
			}
			for _, servers := range file {
				if server := servers["convertd"]; server.URL != "" {
					answers = append(answers, byURL(server.URL))
				} else {
					answers = append(answers, byCommand(strings.Join(append([]string{server.Command}, server.Args...), " ")))
				}
			}
		}
		for _, answer := range answers {
			reached++
			if !strings.Contains(answer, `"name":"json_format"`) {
				t.Errorf("%s: %.300s", cell[1], answer)
			}
		}
	}
	if reached != 9 {
		t.Errorf("%d configurations were tried", reached)
	}
}

// TestReadmeListsWhatExists compares the README with the document and the
// flags.
func TestReadmeListsWhatExists(t *testing.T) {
	text := readme(t)
	var help bytes.Buffer
	run(context.Background(), []string{"serve", "--help"}, streams{nil, &help, &help})
	for _, flag := range regexp.MustCompile(`--[a-z-]+`).FindAllString(help.String(), -1) {
		if flag != "--help" && flag != "--version" && !strings.Contains(text, "`"+flag+"`") {
			t.Errorf("the README does not list %s", flag)
		}
	}
	call := command("", "run", "json_to_yaml", "--help").out
	for _, flag := range regexp.MustCompile(`--[a-z-]+`).FindAllString(call, -1) {
		if flag != "--help" && flag != "--version" && !strings.Contains(text, "`"+flag+" ") && !strings.Contains(text, "`"+flag+"`") && flag != "--indent" {
			t.Errorf("the README does not list %s", flag)
		}
	}
	targets, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range regexp.MustCompile("make ([a-z]+)").FindAllStringSubmatch(text, -1) {
		if !bytes.Contains(targets, []byte("\n"+target[1]+":")) {
			t.Errorf("the README names make %s, which does not exist", target[1])
		}
	}
}
