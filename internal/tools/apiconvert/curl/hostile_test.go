package curl

import (
	"errors"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/extract"
)

// hostile are commands, each a prefix and a string that is repeated until a request is full.
var hostile = []converttest.Growing{
	{"", "curl http://x/\n"}, {"", "curl x;"}, {"curl ", "x "}, {"curl ", "{a,b}"}, {"curl ", "{"}, {"curl ", "["}, {"curl ", "[]"},
	{"curl ", "{{"}, {"curl ", "{{a}}"}, {"curl ", "{a}"}, {"curl ", "\\{"}, {"curl ", "[1-9]"}, {"curl ", "[1-9999999999999999999] "},
	{"curl ", "http://x/{a,b,c,d}{e,f,g,h} "}, {"curl x", "/.."}, {"curl x", "/."}, {"curl x/", "?"}, {"curl x", "@"}, {"curl x", "&a=b"},
	{"curl x ", "-d a "}, {"curl x ", "-d @f "}, {"curl x ", "-H a:b "}, {"curl x ", "-H a: "}, {"curl x ", "-H $'a:b\\nc:d' "},
	{"curl x ", "-F a=b "}, {"curl x -F 'a=", ";"}, {"curl x -F 'a=@", ","}, {"curl x -F 'a=", "\\\\"}, {"curl x -F 'a=b", ";type=c/d"},
	{"curl x -F 'a=b;type=c/d", ";e=f"}, {"curl x ", "-b a=b "}, {"curl x ", "--next x "}, {"curl x ", "-s:k "}, {"curl x ", "-:x "}, {"curl x ", "-k "}, {"curl x -", "s"},
	{"curl x -", "?"}, {"curl x ", "--zz "}, {"curl x ", "--zz$a "}, {"curl x ", "--url-query a "}, {"curl x -G ", "-d a "},
	{"curl x ", "--variable a=b "}, {"curl x --variable a=bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb --expand-data '", "{{a}}"},
	{"curl ", "$a "}, {"curl ", "$a"}, {"curl -H a:b -H c:d ", "http://x/ "}, {"curl x -d '", "{\"a\":"}, {"curl x -d '[", "{{a}},"},
	{"sudo ", "sudo "}, {"sudo ", "-u "}, {"env ", "a=b "}, {"docker exec ", "a "}, {"sh -c '", "curl x;"}, {"sh -c \"sh -c 'curl ", "a "},
	{"echo url=x | curl ", "-K - "}, {"curl -K - <<E\n", "url=x\n"}, {"curl -K - <<E\n", "-d \"a\\\""}, {"curl -K - x <<E\n", "next\n"},
	{"cat >f <<E\n" + strings.Repeat("a", 1000) + "\nE\ncurl x ", "-d @f "}, {"cat >f <<E\n" + strings.Repeat("a\n", 500) + "E\n", "curl -d @f\n"},
	{"", "{ curl x; } | y; "}, {"", "{ curl x;"}, {"", "{ curl x; { :; } | y; } | "},
	{"", "sh -c 'curl x'\n"}, {"curl x --data-urlencode '", "é"}, {"curl x --data-urlencode '", "{{"}, {"curl x -u '", ":"},
}

// TestHostile checks that reading takes time linear in the length of a command.
func TestHostile(t *testing.T) {
	converttest.Linear(t, hostile, func(text string) int {
		b := budget.NewMeter()
		_, _ = Read(&extract.Script{Text: text}, false, b, nil)
		return b.Spent()
	})
}

func TestBounds(t *testing.T) {
	long := strings.Repeat("x", 1000)
	for name, text := range map[string]string{
		"requests":     strings.Repeat("curl a/ b/ c/ d/ e/ f/ g/ h/ i/ j/\n", 6_000),
		"URLs":         "curl " + strings.Repeat("a/ ", maxRequests+1),
		"globbed URLs": "curl " + strings.Repeat("{a,b,c,d}{e,f,g,h} ", maxRequests/16+1),
		"data":         "curl -d " + strings.Repeat(long, 500) + strings.Repeat(" http://x/", 40),
		"headers":      "curl " + strings.Repeat("-H a:b ", 20_000) + strings.Repeat(" x/", 40),
		"settings":     "curl " + strings.Repeat("-o a ", 20_000) + strings.Repeat(" x/", 40),
		"fields":       "curl " + strings.Repeat("-F a=b ", 20_000) + strings.Repeat(" x/", 40),
		"query":        "curl -G -d " + strings.Repeat(long, 500) + strings.Repeat(" http://x/", 40),
	} {
		_, err := Read(&extract.Script{Text: text}, false, nil, nil)
		var failure *convert.Failure
		if !errors.As(err, &failure) || failure.Code != convert.TooComplex {
			t.Errorf("%s: want %s, got %v", name, convert.TooComplex, err)
		}
	}
	api, err := Read(&extract.Script{Text: strings.Repeat("curl http://x/\n", 30_000)}, false, nil, nil)
	if err != nil || len(api.Requests) != 30_000 {
		t.Errorf("30,000 commands: %v", err)
	}
	file := "cat >f <<E\n" + strings.Repeat(long, 1000) + "\nE\n"
	api, err = Read(&extract.Script{Text: file + strings.Repeat("curl http://x/ -d @f\n", 40)}, false, nil, nil)
	if err != nil || api.Requests[0].Bodies[0].Kind == request.File || api.Requests[39].Bodies[0].Kind != request.File {
		t.Errorf("a file of 1 MB is not read at first, or more than %d bytes are inserted: %v", maxInserted, err)
	}
}
