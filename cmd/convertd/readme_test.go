package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/test/daemon"
)

// shown is the service's address in the documents.
const shown = "http://127.0.0.1:8080"

// documents returns the README and the pages of docs/ by their path from the repository's root.
func documents(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, pattern := range []string{"../../README.md", "../../CONTRIBUTING.md", "../../docs/*.md"} {
		for _, file := range check.Glob(t, pattern) {
			all[strings.TrimPrefix(filepath.ToSlash(file), "../../")] = check.File(t, file)
		}
	}
	return all
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

// TestReadme executes the code blocks of the README and of docs/, each as its language requires. test/sdk executes
// docs/clients.md; test/channels executes the installation instructions and what runs in CI. A block that nothing
// executes is a failure.
func TestReadme(t *testing.T) {
	check.SkipUnderWine(t, "has no sh, curl and go commands")
	service := daemon.Start(t, binary, nil, daemon.Patient...)
	executed := map[string]int{}
	for page, text := range documents(t) {
		switch page {
		case "docs/clients.md":
			continue
		case "docs/adding-a-tool.md":
			toolOfPage(t, text)
			continue
		}
		for _, block := range regexp.MustCompile("(?sm)^( *)```([a-z]*)\n(.*?)^ *```$").FindAllStringSubmatch(text, -1) {
			language, code := block[2], strings.ReplaceAll("\n"+block[3], "\n"+block[1], "\n")[1:] // in a list it is indented
			executed[language]++
			switch language {
			case "console":
				console(t, service.URL, code)
			case "sh":
				targets(t, code)
			case "yaml":
				if page != "docs/ci.md" {
					workflow(t, service.URL, code)
				}
			case "go":
				program(t, code)
			case "text":
				folders(t, code)
			case "ini":
				settings(t, code)
			case "shell", "nginx", "haproxy", "mermaid": // installing, and parts of deploy/
			case "bat", "powershell", "xml": // test/windows runs them
			default:
				t.Errorf("nothing executes this %q block of %s:\n%s", language, page, code)
			}
		}
	}
	if executed["console"] < 15 || executed["yaml"] != 3 || executed["sh"] < 2 || executed["go"] < 2 {
		t.Errorf("too few blocks were found: %v", executed)
	}
}

// console runs a block that is commands and the output that they must have.
func console(t *testing.T, url, block string) {
	t.Helper()
	command, want := splitExample(block)
	got := shell(t, url, command)
	check.Equal(t, strings.TrimSuffix(want, "\n"), strings.TrimSuffix(got, "\n"), command)
}

// splitExample splits a console block into its commands and their output. A command begins after a dollar sign and
// continues after a backslash at the end of a line and inside single quotes.
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

// targets runs make -n: the targets themselves take too long, and one of them runs
// this test. It runs go install with another folder.
func targets(t *testing.T, block string) {
	t.Helper()
	for line := range strings.Lines(block) {
		command, _, _ := strings.Cut(line, "#")
		words := strings.Fields(command)
		if len(words) == 3 && words[1] == "install" {
			installed(t, words[2])
			continue
		}
		if len(words) == 0 || len(words) > 2 || words[0] != "make" {
			t.Errorf("not a target: %s", line)
			continue
		}
		if out, err := exec.Command("make", append([]string{"-C", "../..", "-n"}, words[1:]...)...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
	}
}

// installed runs go install into a folder of its own, and the command there.
func installed(t *testing.T, folder string) {
	t.Helper()
	bin := t.TempDir()
	install := exec.Command("go", "install", folder)
	install.Dir, install.Env = "../..", append(os.Environ(), "GOBIN="+bin)
	if out, err := install.CombinedOutput(); err != nil {
		t.Errorf("go install %s: %v\n%s", folder, err, out)
	}
	if out, err := exec.Command(filepath.Join(bin, filepath.Base(folder)), "version").CombinedOutput(); err != nil {
		t.Errorf("what go install %s installs: %v\n%s", folder, err, out)
	}
}

// settings starts the service with a file of environment variables, but at other addresses.
func settings(t *testing.T, block string) {
	t.Helper()
	service := daemon.Start(t, binary, strings.Fields(block), "--drain=0s")
	if err := service.Stop(); err != nil {
		t.Errorf("%s: %v", block, err)
	}
}

// workflow runs the steps of a GitHub Actions workflow that are this program's, against this service.
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
	check.OK(t, yaml.UnmarshalWithOptions([]byte(block), &file, yaml.Strict()))
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
	folder := check.Value(os.MkdirTemp("../..", "_readme"))(t)
	t.Cleanup(func() { os.RemoveAll(folder) })
	check.OK(t, os.WriteFile(filepath.Join(folder, "main.go"), []byte(block), 0o644))
	out, err := exec.Command("go", "run", folder+"/main.go").CombinedOutput()
	_, comment, _ := strings.Cut(block, "// Output:\n")
	if want := strings.ReplaceAll("\n"+comment, "\n// ", "\n")[1:]; err != nil || string(out) != want {
		t.Errorf("a program prints %q, not %q: %v", out, want, err)
	}
}

// folders looks for the folders that the list of packages names.
func folders(t *testing.T, block string) {
	t.Helper()
	for _, match := range regexp.MustCompile(`(?m)(?:^|  )((?:internal|cmd)/[a-z]+|[a-z]+/)`).FindAllStringSubmatch(block, -1) {
		if _, err := os.Stat(filepath.Join("../..", match[1])); err != nil {
			t.Errorf("the list of packages: %v", err)
		}
	}
}

// toolOfPage builds the tool of docs/adding-a-tool.md and runs its cases.
func toolOfPage(t *testing.T, text string) {
	t.Helper()
	blocks := regexp.MustCompile("(?sm)^```(?:go|yaml)\n(.*?)^```$").FindAllStringSubmatch(text, -1)
	if len(blocks) != 3 {
		t.Fatalf("docs/adding-a-tool.md has %d blocks of code", len(blocks))
	}
	folder := check.Value(os.MkdirTemp("../../internal/tools", "_textcount"))(t)
	t.Cleanup(func() { os.RemoveAll(folder) })
	for i, name := range []string{"textcount.go", "testdata/cases.yaml", "textcount_test.go"} {
		if err := errors.Join(os.MkdirAll(filepath.Join(folder, "testdata"), 0o755), os.WriteFile(filepath.Join(folder, name), []byte(blocks[i][1]), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("go", "test", folder).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestReadmeAgents reads the clients' configurations out of docs/mcp.md
// and reaches the tools by what each says, a URL or a command.
func TestReadmeAgents(t *testing.T) {
	check.SkipUnderWine(t, "has no sh, curl and go commands")
	service := daemon.Start(t, binary, nil, daemon.Patient...)
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{}}}}`
	byURL := func(url string) string {
		return shell(t, service.URL, "curl -sS -H 'Content-Type: application/json' -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: tools/list' -d '"+list+"' "+url)
	}
	byCommand := func(command string) string { return shell(t, service.URL, "echo '"+list+"' | "+command) }
	reached := 0
	for _, cell := range regexp.MustCompile("`([^`\n]+)`").FindAllStringSubmatch(documents(t)["docs/mcp.md"], -1) {
		var responses []string
		var file map[string]map[string]struct {
			URL, Command string
			Args         []string
		}
		switch _, command, hasCommand := strings.Cut(cell[1], " -- "); {
		case strings.Contains(cell[1], " mcp add ") && hasCommand:
			responses = append(responses, byCommand(command))
		case strings.Contains(cell[1], " mcp add "):
			responses = append(responses, byURL(regexp.MustCompile(`http\S+`).FindString(cell[1])))
		case strings.HasPrefix(cell[1], `{"`) && strings.Contains(strings.ToLower(cell[1]), "servers"):
			if err := json.Unmarshal([]byte(cell[1]), &file); err != nil {
				t.Errorf("%s: %v", cell[1], err)
			}
			for _, servers := range file {
				if server := servers["convertd"]; server.URL != "" {
					responses = append(responses, byURL(server.URL))
				} else {
					responses = append(responses, byCommand(strings.Join(append([]string{server.Command}, server.Args...), " ")))
				}
			}
		}
		for _, reply := range responses {
			reached++
			if !strings.Contains(reply, `"name":"json_format"`) {
				t.Errorf("%s: %.300s", cell[1], reply)
			}
		}
	}
	if reached != 9 {
		t.Errorf("%d configurations were tried", reached)
	}
}

// TestReadmeListsWhatExists compares docs/cli.md with the flags of a tool.
func TestReadmeListsWhatExists(t *testing.T) {
	text := documents(t)["docs/cli.md"]
	call := command("", "run", "json_to_yaml", "--help").out
	for _, flag := range regexp.MustCompile(`--[a-z-]+`).FindAllString(call, -1) {
		if flag != "--help" && flag != "--version" && !strings.Contains(text, "`"+flag+" ") && !strings.Contains(text, "`"+flag+"`") && flag != "--indent" {
			t.Errorf("docs/cli.md does not list %s", flag)
		}
	}
}
