// Package windows runs the command line in Windows' own surroundings. make windows runs its tests under Wine, CI runs them
// on Windows, and those that need no cmd.exe on macOS. CONVERTD_BINARY names the binary.
package windows

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/test/daemon"
	"github.com/convertd/convertd/test/places"
)

var binary string

func TestMain(m *testing.M) {
	if runtime.GOOS == "linux" && os.Getenv("CONVERTD_GOLDEN") == "" {
		return // other packages check the same on Linux
	}
	daemon.Main(m, func(path string) { binary = path })
}

// output is what a command wrote and how it ended.
type output struct {
	Code        int
	Out, Errors string
}

func run(t *testing.T, folder, stdin string, command ...string) output {
	t.Helper()
	process := exec.CommandContext(t.Context(), command[0], command[1:]...)
	var out, problems bytes.Buffer
	process.Dir, process.Stdin, process.Stdout, process.Stderr = folder, strings.NewReader(stdin), &out, &problems
	process.Env = append(os.Environ(), "PATH="+filepath.Dir(binary)+string(os.PathListSeparator)+os.Getenv("PATH"))
	if err := process.Run(); process.ProcessState == nil {
		t.Fatal(err)
	}
	return output{process.ProcessState.ExitCode(), out.String(), problems.String()}
}

// files are the inputs of each case.
var files = map[string]string{
	"a.json": "[1, 2]", "b.json": `{"ä": 1.50}`, "two words.json": "[3]", "crlf.json": "[1,\r\n2]\r\n", "bom.json": "\ufeff[1]",
	"utf16.json": "\xff\xfe[\x001\x00]\x00\r\x00\n\x00",
}

func folder(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		check.OK(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	return folder
}

// TestCommands runs the binary without a shell. {} is the folder with the files.
func TestCommands(t *testing.T) {
	for _, c := range []struct {
		name, args string
		windows    bool // the case is about paths or names of Windows
		code       int
		out        string // the output
		problem    string // part of the errors
	}{
		{name: "a file", args: "a.json", out: "[1,2]\n"},
		{name: "a full path", args: "{}/a.json", out: "[1,2]\n"},
		{name: "CRLF in the input", args: "crlf.json", out: "[1,2]\n"},
		{name: "a byte order mark", args: "bom.json", out: "[1]\n", problem: "byte order mark"},
		{name: "an umlaut", args: "b.json", out: `{"ä":1.50}` + "\n"},
		{name: "UTF-16", args: "utf16.json", code: 3, problem: "or in PowerShell: Get-Content -Raw FILE | Set-Content -Encoding UTF8 NEWFILE"},
		{name: "percent and caret", args: `%PATH%^.json`, code: 1, problem: `%PATH%^.json`},
		{name: "backslashes", args: `{}\a.json`, windows: true, out: "[1,2]\n"},
		{name: "a long path's prefix", args: `\\?\{}\a.json`, windows: true, out: "[1,2]\n"},
		{name: "a share that does not exist", args: `\\localhost\none\a.json`, windows: true, code: 1, problem: `open \\localhost\none\a.json`},
		{name: "NUL as input", args: "NUL", windows: true, code: 3, problem: "NUL is empty"},
		{name: "NUL as output", args: "a.json -o NUL", windows: true},
		{name: "a pattern", args: "--check [ab].json", windows: true, code: 6, problem: "a.json would change\nconvertd: b.json would change"},
		{name: "a pattern that matches nothing", args: "*.yaml", windows: true, code: 1, problem: "no file matches *.yaml"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.windows && runtime.GOOS != "windows" {
				t.Skip("not Windows")
			}
			folder := folder(t)
			args := strings.Fields(strings.ReplaceAll(c.args, "{}", folder))
			got := run(t, folder, "", append([]string{binary, "run", "json_format", "--indent=0"}, args...)...)
			if got.Code != c.code || got.Out != c.out || !strings.Contains(got.Errors, c.problem) {
				t.Errorf("exit code %d, %q, errors %q", got.Code, got.Out, got.Errors)
			}
		})
	}
}

// TestLongPath checks a path of more than 260 characters.
func TestLongPath(t *testing.T) {
	long := t.TempDir()
	for range 6 {
		long = filepath.Join(long, strings.Repeat("f", 50))
	}
	check.OK(t, os.MkdirAll(long, 0o700))
	path := filepath.Join(long, "a.json")
	check.OK(t, os.WriteFile(path, []byte("[1, 2]"), 0o600))
	if got := run(t, "", "", binary, "run", "json_format", "--indent=0", "--in-place", path); got != (output{}) {
		t.Errorf("%+v", got)
	}
	check.Equal(t, "[1,2]\n", check.File(t, path))
}

// TestReplacing checks --in-place and --out-dir, and that a read-only file and one with two names are rejected.
func TestReplacing(t *testing.T) {
	folder := folder(t)
	at := func(name string) string { return filepath.Join(folder, name) }
	format := []string{binary, "run", "json_format", "--indent=0"}
	check.Equal(t, output{}, run(t, folder, "", append(format, "--in-place", "crlf.json", "two words.json")...))
	check.Equal(t, "[1,2]\n[3]\n", check.File(t, at("crlf.json"))+check.File(t, at("two words.json")))
	check.Equal(t, output{}, run(t, folder, "", append(format, "--out-dir", "out", "a.json", "b.json")...))
	check.Equal(t, "[1,2]\n"+`{"ä":1.50}`+"\n", check.File(t, at("out/a.json"))+check.File(t, at("out/b.json")))
	check.OK(t, os.Chmod(at("a.json"), 0o400))
	got := run(t, folder, "", append(format, "--in-place", "a.json")...)
	check.Equal(t, output{1, "", "convertd: a.json is read-only\n"}, got)
	if runtime.GOOS == "windows" { // elsewhere, only the folder's mode matters to a rename
		check.Equal(t, got, run(t, folder, "", append(format, "-o", "a.json", "b.json")...))
	}
	check.OK(t, os.Chmod(at("a.json"), 0o600))
	check.Equal(t, "[1, 2]", check.File(t, at("a.json")))
	check.OK(t, os.Link(at("a.json"), at("link.json")))
	got = run(t, folder, "", append(format, "--in-place", "a.json")...)
	check.Equal(t, output{1, "", "convertd: a.json has other names (hard links), which would keep the old content: use --out-dir\n"}, got)
}

// TestCmd runs command lines in cmd.exe, from a batch file, because os/exec quotes arguments in a way that cmd.exe does not read.
func TestCmd(t *testing.T) {
	if runtime.GOOS != "windows" {
		t.Skip("not Windows")
	}
	for line, want := range map[string]output{
		`type a.json | convertd run json_format --indent=0`:                        {Out: "[1,2]\n"},
		`convertd run json_format --indent=0 < a.json > out.json && type out.json`: {Out: "[1,2]\n"},
		`type a.json | convertd run json_format | convertd run json_to_yaml`:       {Out: "- 1\n- 2\n"},
		// The examples of docs/cli.md.
		example(t, "cli.md", "bat"):                                                   {Out: "[1,2]\n- 3\n"},
		`convertd run json_format --check *.yaml`:                                     {1, "", "convertd: no file matches *.yaml\n"},
		`convertd run json_format --indent=0 "two words.json"`:                        {Out: "[3]\n"},
		`convertd pipeline json_format,indent:0 json_to_yaml a.json`:                  {Out: "- 1\n- 2\n"},
		`convertd run json_format --indent=0 --in-place a.json b.json && type a.json`: {Out: "[1,2]\n"},
	} {
		folder := folder(t)
		check.OK(t, os.WriteFile(filepath.Join(folder, "line.cmd"), []byte("@echo off\r\n"+strings.ReplaceAll(line, "\n", "\r\n")+"\r\n"), 0o600))
		if got := run(t, folder, "", "cmd", "/c", "line.cmd"); got != want {
			t.Errorf("%s: %+v", line, got)
		}
	}
}

// example returns the first block of code in a language on a page of docs/.
func example(t *testing.T, page, language string) string {
	t.Helper()
	_, block, found := strings.Cut(check.File(t, "../../docs/"+page), "```"+language+"\n")
	if !found {
		t.Fatalf("%s has no block of %s", page, language)
	}
	block, _, _ = strings.Cut(block, "```")
	return block
}

// TestPowerShell runs the examples of docs/cli.md and the completion in Windows PowerShell 5 and in PowerShell 7.
func TestPowerShell(t *testing.T) {
	check.SkipUnderWine(t, "has no PowerShell")
	ran := 0
	for _, shell := range []string{"powershell", "pwsh"} {
		if _, err := exec.LookPath(shell); err != nil {
			continue
		}
		ran++
		folder := folder(t)
		script := "$ErrorActionPreference = 'Stop'\n" + example(t, "cli.md", "powershell") + "convertd completion powershell | Out-String | Invoke-Expression\n"
		check.OK(t, os.WriteFile(filepath.Join(folder, "script.ps1"), []byte(script), 0o600))
		got := run(t, folder, "", shell, "-NoProfile", "-ExecutionPolicy", "Bypass", "-File", "script.ps1")
		if got.Code != 0 || strings.Join(strings.Fields(got.Out), " ") != "- 1 - 2 [ 1, 2 ]" {
			t.Errorf("%s: %+v", shell, got)
		}
		check.Equal(t, "[\n  1,\n  2\n]\n", check.File(t, filepath.Join(folder, "out.json")))
		check.Equal(t, output{Out: "[1]\n"}, run(t, folder, "", binary, "run", "json_format", "--indent=0", "--quiet", "utf8.json"))
	}
	if ran == 0 {
		t.Skip("no PowerShell is installed")
	}
}

// TestGolden sends all cases of all tools to the binary over MCP on standard input. The first run, on Linux, writes the
// digests of the responses to the file CONVERTD_GOLDEN; the run under Wine must get the same bytes.
func TestGolden(t *testing.T) {
	file := os.Getenv("CONVERTD_GOLDEN")
	requests := bytes.NewBufferString(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"golden","version":"1"}}}` +
		"\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	calls := places.Calls(t, "../..")
	for i, call := range calls {
		request := check.Value(json.Marshal(map[string]any{
			"jsonrpc": "2.0", "id": i + 1, "method": "tools/call",
			"params": map[string]any{"name": call.Operation, "arguments": call.Body},
		}))(t)
		requests.Write(append(request, '\n'))
	}
	got := run(t, "", requests.String(), binary, "mcp", "--provider=golden", "--exec-timeout=5m")
	digests := map[string]string{}
	for line := range strings.Lines(got.Out) {
		var response struct{ ID int }
		check.OK(t, json.Unmarshal([]byte(line), &response))
		if response.ID > 0 {
			digests[fmt.Sprint(response.ID, " ", calls[response.ID-1].Name)] = fmt.Sprintf("%x", sha256.Sum256([]byte(line)))
		}
	}
	if got.Code != 0 || len(calls) < 400 || len(digests) != len(calls) {
		t.Fatalf("exit code %d, %d responses to %d calls: %.500s", got.Code, len(digests), len(calls), got.Errors)
	}
	if text, err := os.ReadFile(file); err == nil {
		var want map[string]string
		check.OK(t, json.Unmarshal(text, &want))
		check.Equal(t, want, digests, "other responses than on Linux")
	} else if file != "" {
		check.OK(t, os.WriteFile(file, check.Value(json.Marshal(digests))(t), 0o600))
	}
}

// TestServe starts a service as docs/operations.md has a wrapper start it. It checks that the service passes its own
// verification and stops in order, and that the wrapper waits longer than the service may take to stop.
func TestServe(t *testing.T) {
	var wrapper struct {
		Arguments string `xml:"arguments"`
		Timeout   string `xml:"stoptimeout"`
		Variable  struct {
			Name  string `xml:"name,attr"`
			Value string `xml:"value,attr"`
		} `xml:"env"`
	}
	check.OK(t, xml.Unmarshal([]byte(example(t, "operations.md", "xml")), &wrapper))
	args := append(strings.Fields(wrapper.Arguments)[1:], daemon.Patient...)
	service := daemon.Start(t, binary, []string{wrapper.Variable.Name + "=" + wrapper.Variable.Value}, args...)
	if response, err := http.Get(service.URL + "/readyz"); err != nil || response.StatusCode != http.StatusOK {
		t.Fatal(response, err)
	}
	got := run(t, "", "", binary, "verify", "--quiet", "--base-url", wrapper.Variable.Value, service.URL)
	if got.Code != 0 || !strings.Contains(got.Out, " 0 failed") {
		t.Errorf("%+v", got)
	}
	check.OK(t, service.Stop())
	_, stopping, _ := strings.Cut(service.Log(), `"msg":"stopping","drain":"`)
	drain, rest, _ := strings.Cut(stopping, `","grace":"`)
	grace, _, _ := strings.Cut(rest, `"`)
	takes := check.Value(time.ParseDuration(drain))(t) + check.Value(time.ParseDuration(grace))(t)
	if waits := check.Value(time.ParseDuration(strings.Replace(wrapper.Timeout, " sec", "s", 1)))(t); waits <= takes {
		t.Errorf("the wrapper waits %v for a service that may take %v to stop", waits, takes)
	}
}
