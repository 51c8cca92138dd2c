package apiconvert

import (
	"fmt"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
)

// repeated are what a script can repeat: constructs of the shell's grammar (XCU 2.10) and of curl's arguments.
var repeated = []string{
	"VAR_%d=value%d\n", "PASSWORD_%d=Zk9fLq8s%d\n", "K=v%d\n", "K=ab%d; curl -u x:$K http://h\n", "P=p%d; curl \"$P/a\"\n",
	"export V%d=a%d\n", "read -r V%d\n", "curl \"${U%d:-http://h}/p\"\n", "API_KEY%d=\"${1:-AKtest%d}\"\n",
	"a+=(-H \"X: 1\")\n", "a+=(-H \"X%d: %d\")\n", "a%d=(-H \"X: %d\")\ncurl \"${a%d[@]}\" http://h\n", "curl \"${a[@]}\" http://h/%d\n",
	"curl http://h/p%d\n", "curl -u u:pw%dZk8q http://h/p\n", "curl -H \"Authorization: Bearer tokZ%dkq8\" http://h\n", "curl -u u:x%d http://h\n",
	"curl http://h/a http://h/b --next http://h/c%d\n", "curl http://h/[1-3]/%d\n", "curl http://h/p%d | jq .a | tee f%d\n", "curl -K - <<E\nurl=http://h/%d\nE\n",
	"f%d() { :; }\n", "f%d() { :; }\ng\n", "f%d() { curl http://h/$1; }\nf%d a\n", "f%d() { g; }\n", "g a%d\n", "f%d() { ",
	"curl -d @- http://h <<EOF\n{\"a\":%d}\nEOF\n", "curl -d @- http://h <<EOF\n{\"password\":\"Zk%dq8\"}\nEOF\n",
	"T%d=$(curl -s http://h/p%d | jq -r .a)\n", "T=$(curl -s http://h/p | jq -r .a)\n", "curl -H \"X: $T\" http://h\n",
	"if [ \"$X\" = %d ]; then curl http://h/%d; fi\n", "case $1 in a%d) curl http://h/%d;; esac\n", "for v%d in a b; do curl http://h/$v%d; done\n",
	"# comment %d with words\n", "# get the thing %d\ncurl http://h/p%d\n", "sshpass -p Zk8q%d ssh h\n", "echo \"password: Zk8q%d\"\n", "$(echo a%d)", "a%d:$(echo b)", "env A%d=b ",
	"a%d=$(echo b) ",
	"$ curl http://h/p%d\n", "{ ", "( ", "$(", "`", "\"", "'", "\\\n", "<<E%d ",
	" -H \"X%d: %d\" \\\n", " -d a%d=b \\\n", " -F a%d=@f%d \\\n", " http://h/p%d \\\n", " --data-urlencode \"a%d=b c\" \\\n", " -b a%d=b%d \\\n",
	" -H \"X-Api-Key%d: sk%dZk8q\" \\\n", " --next http://h/p%d \\\n", " -H \"X: $V%d\" \\\n", "[1-1]x", "{a}", "a%d=b&", "token%d=Zk8q%ds&", "/p%d", "/100%d",
	"\"k%d\":%d,", "\"password%d\":\"Zk8q%ds\",", "{\"a\":",
}

// enclosing are scripts that something is repeated in: what is before it, which may grow as well, and after it.
var enclosing = []struct{ before, after string }{
	{"", "\ncurl -u a:b http://h/x\n"},
	{"g() { curl http://h/$1; }\n", "\ng z\n"},
	{"g() {\n", "\ncurl http://h/$1\n}\ng a\n"},
	{"for z in 1 2 3; do\n", "\ncurl http://h/$z\ndone\n"},
	{"curl http://h/x \\\n", " -v\n"},
	{"curl http://h/x -d '{", "\"z\":1}'\n"},
	{"curl 'http://h/x", "'\n"},
	{"curl 'http://h/x?", "z=1'\n"},
	{"curl 'http://h/[1-16]/", "'\n"},
	{"export ", "\ncurl http://h/x\n"},
	{"a=(", ")\ncurl \"${a[@]}\" http://h\n"},
	{"curl -d @- http://h <<EOF\n", "\nEOF\n"},
	{"bash -c \"", "curl http://h\"\n"},
}

// growingBefore are what a script can begin with, in n parts.
var growingBefore = []func(n int) string{
	func(int) string { return "" },
	func(n int) string { return "g() { : " + strings.Repeat("word", 3*n) + "; }\n" },
	func(n int) string { return times(n, "curl http://h/p%d\n") },
	func(n int) string { return times(n, "V%d=v%d\n") },
	func(n int) string { return times(n, "curl -u a:Zk8q%ds http://h\n") },
}

// perByte is the most that a script may cost for each byte, in units of the budget. Scripts that cost up to usual are not
// compared with each other: some parts begin to cost something only from a length on.
const perByte, usual = 100, 4

// The cost of a script is linear in its length, whatever it repeats and after whatever. With -short a sample is converted.
func TestLinearScripts(t *testing.T) {
	const size = 3 << 10
	names := differentTargets()
	i := 0
	for _, piece := range repeated {
		for k, a := range enclosing {
			for j, before := range growingBefore {
				if k > 0 && j > 0 {
					break // what grows before is independent of the rest
				}
				if a.before == "a=(" && strings.HasPrefix(piece, "curl") {
					continue // one command with n URLs and n options, which each request has
				}
				i++
				if i%check.Sample(20, 4, 1) != 0 {
					continue
				}
				f := family{
					fmt.Sprintf("%d %q in %q", j, piece, a.before), "text/plain",
					func(n int) string { return before(n) + a.before + times(n, piece) + a.after },
				}
				target := names[i%len(names)]
				var costs [3]converttest.Cost
				for n := range costs {
					costs[n], _ = spend(budget.NewMeter(), f.mediaType, sized(f.text, size<<n), target)
				}
				units := costs[2].Units
				if units > perByte*4*size || units > usual*4*size && converttest.Superlinear(costs[0], costs[1], costs[2]) {
					t.Errorf("%s to %s: %d KiB and twice and four times as much cost %+v", f.name, target, size>>10, costs)
				}
			}
		}
	}
}
