package wire

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
)

// options are the long names of curl's one-letter options, as curl's own help lists them.
type options struct {
	long  map[byte]string
	takes map[string]bool // those with an argument
}

var listed = regexp.MustCompile(`(?m)^ *(?:-(.), )?--([a-z0-9.-]+)( <)?`)

func readOptions(t *testing.T, curl string) options {
	help := check.Value(exec.Command(curl, "--help", "all").Output())(t)
	o := options{map[byte]string{}, map[string]bool{}}
	for _, m := range listed.FindAllStringSubmatch(string(help), -1) {
		if m[1] != "" {
			o.long[m[1][0]] = "--" + m[2]
		}
		o.takes["--"+m[2]] = m[3] != ""
	}
	if len(o.long) < 40 {
		t.Fatalf("curl lists only %d short options", len(o.long))
	}
	return o
}

// all replaces the options of calls by their long names.
func (o options) all(calls []call) []call {
	var all []call
	for _, c := range calls {
		all = append(all, o.expand(c))
	}
	return all
}

func (o options) expand(c call) (expanded call) {
	for i := 0; i < len(c); i++ {
		arg := c[i]
		if len(arg) < 2 || arg[0] != '-' || strings.HasPrefix(arg, "--") || i == len(c)-1 {
			expanded = append(expanded, o.full(arg))
			if o.takes[o.full(arg)] && i+1 < len(c)-1 {
				i++
				expanded = append(expanded, c[i])
			}
			continue
		}
		for letters := arg[1:]; letters != ""; letters = letters[1:] {
			name := o.long[letters[0]]
			expanded = append(expanded, name)
			if !o.takes[name] {
				continue
			}
			if letters = letters[1:]; letters == "" && i+1 < len(c)-1 {
				i++
				letters = c[i]
			}
			expanded = append(expanded, letters)
			break
		}
	}
	return expanded
}

// full completes an abbreviated long name.
func (o options) full(arg string) string {
	if _, known := o.takes[arg]; known || !strings.HasPrefix(arg, "--") || len(arg) < 4 {
		return arg
	}
	found := ""
	for name := range o.takes {
		if strings.HasPrefix(name, arg) {
			if found != "" {
				return arg
			}
			found = name
		}
	}
	if found == "" {
		return arg
	}
	return found
}

// leavesLoopback reports whether a call would bypass the proxy on loopback.
func leavesLoopback(c call) bool {
	for _, arg := range c {
		switch {
		case strings.HasPrefix(arg, "--proxy") && arg != "--proxy-header", strings.HasPrefix(arg, "--socks"), strings.HasPrefix(arg, "--dns"):
			return true
		}
		switch arg {
		case "--preproxy", "--noproxy", "--interface", "--unix-socket", "--abstract-unix-socket", "--resolve", "--connect-to", "--doh-url", "--config":
			return true
		}
	}
	return false
}
