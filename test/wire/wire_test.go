// Package wire runs scripts before and after they are rewritten and compares the requests: with a stub instead of curl
// that records its arguments, and with curl itself through a proxy on loopback that records the requests.
package wire

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/test/daemon"
)

// script is a script that runs before and after it is rewritten.
type script struct {
	Name, Text, Want string
	Warnings         []string
	// Fixed says why the script does something else afterwards, if it does: the
	// original is not meant for a shell as it is.
	Fixed string `yaml:"fixed"`
	// Arguments are passed to the script.
	Arguments []string
}

// scripts returns the curl files of the corpus, the cases of api_convert and generated scripts.
func scripts(t *testing.T) []script {
	var all []script
	converttest.Data(t, "../../internal/tools/apiconvert/testdata/scripts.yaml", &all)
	for name, text := range converttest.CorpusTexts(t, "apiconvert/curl/*") {
		all = append(all, script{Name: name, Text: text})
	}
	if len(all) < 90 {
		t.Fatalf("only %d scripts: the corpus is missing", len(all))
	}
	slices.SortFunc(all, func(a, b script) int { return strings.Compare(a.Name, b.Name) })
	for seed := range uint64(10) {
		all = append(all, script{Name: fmt.Sprint("generated ", seed), Text: generate(rand.New(rand.NewPCG(seed, 3)))})
	}
	for seed := range uint64(12) {
		all = append(all, construct(seed, secretValues, false))
	}
	for i := range all {
		// A proxy sees requests only without TLS.
		all[i].Text = strings.ReplaceAll(strings.ReplaceAll(all[i].Text, "https://", "http://"), "wss://", "ws://")
	}
	return all
}

// TestScriptsSendTheSame runs each script before and after it is rewritten, first
// with the stub and then with curl itself.
func TestScriptsSendTheSame(t *testing.T) {
	curl := converttest.Program(t, "curl")
	options := readOptions(t, curl)
	proxy := listen(t)
	commands, sent, kept := 0, 0, 0
	for _, s := range scripts(t) {
		after := rewritten(t, s.Text)
		before := runStub(t, s.Text, nil, s.Arguments...)
		names := toSet(after)
		marked := make([]string, 0, len(names))
		for _, name := range names {
			marked = append(marked, name+"="+mark(name))
		}
		arguments := toPass(after, s.Arguments)
		calls := runStub(t, after, marked, arguments...)
		values := map[string]string{}
		diff := cmp.Diff(options.all(before), options.all(unmark(calls, options.all(before), options, values)), callsInAnyOrder)
		if same := diff == ""; same != (s.Fixed == "") {
			t.Errorf("%s (fixed: %q)\n%s\nis rewritten as\n%s\n(-before +after):\n%s", s.Name, s.Fixed, s.Text, after, diff)
			continue
		}
		commands += len(before)
		if s.Fixed != "" || len(before) == 0 {
			continue
		}
		if slices.ContainsFunc(options.all(before), leavesLoopback) {
			kept++
			continue
		}
		environment := append(proxy.environment(), assignments(values)...)
		for i, argument := range arguments {
			arguments[i] = restored(argument, values)
		}
		want, got := proxy.run(t, curl, s.Text, environment, s.Arguments...), proxy.run(t, curl, after, environment, arguments...)
		if diff := cmp.Diff(want, got, requestsInAnyOrder); diff != "" {
			t.Errorf("%s: curl sends (-before +after):\n%s", s.Name, diff)
		}
		sent += len(want)
	}
	t.Logf("%d calls of the stub and %d requests of curl are the same; %d scripts that name another proxy or interface ran with the stub only", commands, sent, kept)
	if commands < 400 || sent < 300 {
		t.Error("too little was compared")
	}
}

// The commands of a pipeline run at the same time, so calls and requests are compared in any order.
var (
	callsInAnyOrder    = cmpopts.SortSlices(func(a, b call) bool { return slices.Compare(a, b) < 0 })
	requestsInAnyOrder = cmpopts.SortSlices(func(a, b string) bool { return a < b })
)

func assignments(values map[string]string) (list []string) {
	for name, value := range values {
		list = append(list, name+"="+value)
	}
	return list
}

func rewritten(t *testing.T, text string) string {
	t.Helper()
	return converted(t, "text/plain", text, "curl")
}

// TestBackgroundProcesses runs a script that ends before its requests are sent.
func TestBackgroundProcesses(t *testing.T) {
	const text = "{ for ((i = 0; i < 100000; i++)); do :; done; curl http://h.test/late; } >/dev/null 2>&1 &\n"
	if calls := runStub(t, text, nil); len(calls) != 1 {
		t.Errorf("the stub recorded %q", calls)
	}
	curl := converttest.Program(t, "curl")
	proxy := listen(t)
	if sent := proxy.run(t, curl, text, proxy.environment()); len(sent) != 1 {
		t.Errorf("curl sent %q", sent)
	}
}

// TestUnmarkInAnyOrder unmarks calls that were recorded in another order than the originals.
func TestUnmarkInAnyOrder(t *testing.T) {
	before := []call{{"--header", "A: 1", "http://h.test/1", ""}, {"--header", "B: 2", "http://h.test/2", ""}}
	calls := []call{{"--header", "B: " + mark("B"), "http://h.test/2", ""}, {"--header", "A: " + mark("A"), "http://h.test/1", ""}}
	got := unmark(calls, before, options{}, map[string]string{})
	if diff := cmp.Diff(before, got, callsInAnyOrder); diff != "" {
		t.Error(diff)
	}
}

var setBefore = regexp.MustCompile(`(?m)^# Set before use: (.*)$`)

// toSet are the variables that a rewritten script needs.
func toSet(text string) []string {
	m := setBefore.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	return strings.Split(m[1], ", ")
}

var usage = regexp.MustCompile(`(?m)^# Usage: script.sh (.*)$`)

// toPass returns arguments for a rewritten script: those of the original, and marks for the others that it needs.
func toPass(text string, given []string) []string {
	all := slices.Clone(given)
	if m := usage.FindStringSubmatch(text); m != nil {
		for i := range strings.Fields(m[1]) {
			if i >= len(all) {
				all = append(all, mark(fmt.Sprint("argument", i+1)))
			}
		}
	}
	return all
}

// mark returns a placeholder for the value of a variable.
func mark(name string) string { return "\x02" + name + "\x03" }

var marks = regexp.MustCompile("\x02([A-Za-z_0-9]+)\x03")

// call is one call of the stub: its arguments, followed by its input.
type call []string

// unmark replaces the marks by what the original arguments had in their position, and stores those values.
func unmark(calls []call, before []call, options options, values map[string]string) []call {
	for range 2 { // an argument that reveals a value may come after others that need it
		for i, c := range options.all(calls) {
			for _, original := range startingAt(before, i) {
				if found, ok := reveal(c, original); ok {
					for name, value := range found {
						if _, known := values[name]; !known {
							values[name] = value
						}
					}
					break
				}
			}
		}
	}
	unmarked := make([]call, len(calls))
	for i, c := range calls {
		for _, arg := range c {
			unmarked[i] = append(unmarked[i], restored(arg, values))
		}
	}
	return unmarked
}

// restored replaces the marks in an argument whose values are known.
func restored(arg string, values map[string]string) string {
	return marks.ReplaceAllStringFunc(arg, func(m string) string {
		if value, known := values[m[1:len(m)-1]]; known {
			return value
		}
		return m
	})
}

// startingAt returns calls with the call at i, if any, before the others: the
// commands of a pipeline may be recorded in another order.
func startingAt(calls []call, i int) []call {
	if i >= len(calls) {
		return calls
	}
	return slices.Concat(calls[i:i+1], calls[:i], calls[i+1:])
}

// reveal returns what original has in the positions of c's marks. It reports whether the calls are the same otherwise.
func reveal(c, original call) (map[string]string, bool) {
	if len(c) != len(original) {
		return nil, false
	}
	values := map[string]string{}
	for i, arg := range c {
		pattern := marks.ReplaceAllString(regexp.QuoteMeta(arg), "(.*?)")
		m := regexp.MustCompile(`(?s)^` + pattern + `$`).FindStringSubmatch(original[i])
		if m == nil {
			return nil, false
		}
		for k, name := range marks.FindAllStringSubmatch(arg, -1) {
			if _, known := values[name[1]]; !known {
				values[name[1]] = m[k+1]
			}
		}
	}
	return values, true
}

// stub records each argument, and its input unless that is the script's.
const stub = `#!/bin/sh
{ for a; do printf '%s\037' "$a"; done; cat; printf '\036'; } > "$RECORD.$$"
cat "$RECORD.$$" >> "$RECORD"
echo stub
`

// runStub runs a script with the stub and returns its calls in their order.
func runStub(t *testing.T, text string, environment []string, arguments ...string) []call {
	t.Helper()
	dir := workDir(t)
	check.OK(t, os.WriteFile(filepath.Join(dir, "bin", "curl"), []byte(stub), 0o755))
	record := filepath.Join(dir, "record")
	runIn(t, dir, text, append([]string{"RECORD=" + record}, environment...), arguments...)
	content, _ := os.ReadFile(record)
	var calls []call
	for text := range strings.SplitSeq(string(content), "\x1e") {
		if text != "" {
			calls = append(calls, strings.Split(text, "\x1f"))
		}
	}
	return calls
}

// programs are available to scripts, besides curl and some stubs.
var programs = []string{"sh", "bash", "cat", "env", "sed", "tr", "head", "tail", "find", "xargs", "timeout", "nice", "nohup"}

// workDir creates a directory with those programs, and the files that examples send.
func workDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	bin := filepath.Join(dir, "bin")
	check.OK(t, os.Mkdir(bin, 0o755))
	for _, name := range programs {
		path := check.Value(exec.LookPath(name))(t)
		check.OK(t, os.Symlink(path, filepath.Join(bin, name)))
	}
	for name, text := range map[string]string{"sudo": "exec \"$@\"", "jq": "cat", "sleep": ":", "date": "echo 1"} {
		_ = os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+text+"\n"), 0o755)
	}
	for _, name := range []string{"file", "name", "rest", "body", "b.png", "myfile.jpg", "ids.txt", "h.txt", "cookies.txt"} {
		check.OK(t, os.WriteFile(filepath.Join(dir, name), []byte("content of "+name+"\n"), 0o644))
	}
	return dir
}

// runIn runs a script in bash with only the programs of its directory, and waits
// for its background processes too. It stops a script that hangs.
func runIn(t *testing.T, dir, text string, environment []string, arguments ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), daemon.Hang)
	defer cancel()
	alive, inherited, err := os.Pipe() // ends when the last process that inherited it does
	check.OK(t, err)
	defer alive.Close()
	path := filepath.Join(dir, "script")
	check.OK(t, os.WriteFile(path, []byte(text), 0o644))
	shell := exec.CommandContext(ctx, "bash", append([]string{path}, arguments...)...)
	shell.Dir = dir
	shell.Env = append([]string{"PATH=" + filepath.Join(dir, "bin"), "HOME=/nonexistent", "CURL_HOME=/nonexistent",
		"CREDS=ann:pw 1", "HEADER=X-A: b c", "PART=a=b c", "JAR=j=1", "FILE=file", "METHOD=PUT", "OPTS=-k -s", "URL=http://h.test/u",
		"USER=me", "NAME=n $x", "OUT=out", "ID=7", "Z=z"}, environment...)
	shell.ExtraFiles = append(make([]*os.File, 17), inherited) // a descriptor that scripts don't use
	_ = shell.Run()
	inherited.Close()
	defer context.AfterFunc(ctx, func() { alive.Close() })()
	_, _ = io.Copy(io.Discard, alive)
	if ctx.Err() != nil {
		t.Errorf("does not end:\n%s", text)
	}
}

// generate returns a script of many commands whose arguments are quoted in many ways.
func generate(r *rand.Rand) string {
	var b strings.Builder
	pick := func(all ...string) string { return all[r.IntN(len(all))] }
	word := func() string {
		var text strings.Builder
		for range 1 + r.IntN(6) {
			text.WriteString(pick("a", "b c", "'", `"`, `\`, "$", "`", "é", "&", "?", "=", "{x}", "{{y}}", "#", "!", "~", "*", ";", "%20", "\n", "\t", "<", ">", "|", "[1]"))
		}
		return text.String()
	}
	quote := func(text string) string {
		switch r.IntN(4) {
		case 0:
			return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
		case 1:
			return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(text) + `"`
		case 2:
			return "$'" + strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", `\n`).Replace(text) + "'"
		}
		return regexp.MustCompile(`[^a-zA-Zé0-9]`).ReplaceAllStringFunc(text, func(c string) string {
			if c == "\n" {
				return "'\n'"
			}
			return `\` + c
		})
	}
	expand := func() string {
		return pick(`"$ID"`, `$ID`, `"${Z}"`, `"${NONE:-d e}"`, `"$(echo "x y")"`, `$((1+2))`, "\"`echo z`\"", `"$@"`)
	}
	for range 40 {
		b.WriteString(pick("", "", "sudo ", "A=1 ", "if true; then ", "( ", "X=$("))
		open := b.String()[strings.LastIndexByte("\n"+b.String(), '\n'):]
		b.WriteString("curl ")
		for range r.IntN(5) {
			b.WriteString(pick("-H", "-H ", "--header ", "-sSH ", "-d ", "-d", "--data-raw ", "-F ", "-u ", "-u", "-X ", "-b ", "-o ", "--data-urlencode ", "-A "))
			switch r.IntN(4) {
			case 0:
				b.WriteString(quote(pick("Authorization: Bearer ", "X-Api-Key: ", "password=", "user:", "sid=", "a: ")+word()) + expand())
			case 1:
				b.WriteString(expand() + quote(word()))
			default:
				b.WriteString(quote(pick("Authorization: Bearer ", "X-Api-Key: ", "password=", `{"password":"x1y2z3"} `, "user:", "sid=", "a: ") + word()))
			}
			b.WriteString(pick(" ", " ", " \\\n  "))
		}
		b.WriteString(pick("", "-sS ", "-k ", "--compressed ", "-L ") + pick("http://h.test/a", "'http://h.test/b?x=1&token=abcd1234'", "http://ann:pw@h.test/$ID"))
		switch {
		case strings.HasSuffix(open, "then "):
			b.WriteString("; fi")
		case strings.HasSuffix(open, "( ") || strings.HasSuffix(open, "$("):
			b.WriteString(" )")
		}
		b.WriteString(pick("\n", "; echo done\n", " | cat\n", " > out\n", " # a comment\n", " <<'E'\ntext $x\nE\n"))
	}
	return b.String()
}
