package shell

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/posix"
)

// hostile are strings that are repeated until they fill a request. Each could trigger more than linear time or stack.
var hostile = growing(
	"(", ")", "((", "((a;", "$(", "$((", "`", "\\`", "\"$(", "\"", "'", "$'", "$'\\", "\\", "\\\n", "{", "{ ", "}",
	"${", "${a:-", "\"${a:-", "${a", "$a", "$", "$$a", "<<a", "<<a\n", "<<a\n a\n", "<<a<<b\n", "<<-a\n", "<", "<a", "<a>", "x<a>",
	"<(", ">", "<<<", "<<<a", "&", "?a&", "?a&b", "|", "a|", "cat|", "a;", "a\n", "a=b;", "a=$a;", "a=1$a$a\n", "a+=b\n", "a+=(b)\n",
	"a=(", "a=(\"${a[@]}\" \"${a[@]}\" b)\n", "if a;", "for a in b;do ", "case a in ", "case a in b)", "function ", "a()", "a() {",
	"[[ ", "[[ a\n", "# a\n", "#\n", "$ a\n", "$ curl a\n> b\n", "# curl -a\n", "```\n", "```sh\na\n```\n", "\r", "\r\n", "\uFEFF", "é", "\x00",
	"echo a|", "echo $(echo ", "\"$(echo ", "`echo ", "echo `", "curl 'a'\n", "curl http://x/ -H 'a: b' -d c\n", "curl \\\n -d a\n",
	"-a\n", "curl a\n-b\n", "(a=1;", "{ a=1;", "if a=1;", "$(a=1;", "for a in b\r\n", "case a in b\r\n", "a=(b\r\n", "[[ a\r\n", "cat <<E\n$(cat <<F\n", "x(", "x()", "curl x(", "curl x(a)", "(curl -", "${a.", "${{a",
	"$(cat <<E\nx\nE\n) ", "printf %s ", "printf '%s%s' a b c|c\n", "a@b$ curl -c\n", "&&", "||", "!", "time ",
	"curl -a <<E\n", "It's.\ncurl -a <<E\n", "A b c.\n- curl -a 'b\n", "Don't.\na=b\n", "A b c d ", "It's\n# a\n## example\ncurl -a\n", "```a\ncurl -b\n```\n",
	"f() { curl a\n", "f() { curl a;}\nf\n", "f() { curl $1;f;}\nf $@ a\n", "f() { if [ $1 ]; then curl a; else ", "f() { f() { curl a; }; f; }; f\n",
	"eval curl\n", "eval ", "eval 'curl a;'\n", "trap 'curl a' EXIT\n", "a[b]=c\n", "a[b]=$a\n", "a=([b]=c)\n", "${a[b]}", "a+=([b]=c)\n", "a=\"${a[*]}\"\n",
	"f() { [ $1 ] && curl a; }; f\n", "curl “", "curl “a“a ", "curl ‘a’ ", "curl –a ", "curl — ",
	"curl ^\n", "curl ^\"", "curl ^\"a^\n\n", "curl \"{\"\"", "curl a%a ^\n", "curl a^&b ^\n", "C:\\> curl -a\n", "curl \"^%^", "curl \"a\"^\n", "$#%>",
)

// hostilePowerShell are such strings for PowerShell, each after a line that only PowerShell has.
var hostilePowerShell = after("$x = 1\n",
	"(", "@(", "@{", "@{a=", "$(", "\"$(", "\"", "'", "`", "`\n", "@'\n", "@\"\n$(", "[a]", "[", "{", "}", "${", "$a", "$a.b", "$a=$a+$a\n", "$x += 'a'\n",
	"$x=@{a=$x;b=$x}\n", "$x.add('a',$x)\n", "$x=@($x,$x)\n", "irm ", "irm a\n", "irm -a ", "irm @x ", "irm @{a=1} ", "curl.exe -d a ", "curl.exe a,", "1,", "a|",
	"'a'+", "'{0}' -f ", "-f ", "if(", "if($x){", "foreach(", "function f {", "<#", "# a\n", "PS C:\\> irm a\n>> b\n", "irm a `\n", "$x[", "::", "[a]::b(", ".b(", "a.b.c=",
	"@{a=1;b=2}|ConvertTo-Json\n", "$x=$x|ConvertTo-Json\n", "curl.exe --% \"a\n", "& '", "param(", "[char]10+", "irm a>b ", "$x=@{uri='a'};irm @x\n", "New-Object a(", "Get-Content a|", "curl a\n", "curl `\n",
)

// hostileCmd are such strings for Windows cmd.
var hostileCmd = after("@echo off\n",
	"if a==b ", "if a==b (", "else ", "for %a in (b) do ", "for %a in (b) do (", "a&", "a|", "(a)|", "rem &", "%1", "%a%", "echo \"",
)

func after(start string, pieces ...string) []converttest.Growing {
	all := growing(pieces...)
	for i := range all {
		all[i][0] = start
	}
	return all
}

func growing(pieces ...string) []converttest.Growing {
	var all []converttest.Growing
	for _, piece := range pieces {
		all = append(all, converttest.Growing{"", piece})
	}
	return all
}

// fill repeats text up to size bytes.
func fill(text string, size int) string { return converttest.Growing{"", text}.Text(size) }

// TestHostile checks that reading takes time linear in the length of the input.
func TestHostile(t *testing.T) {
	converttest.Linear(t, slices.Concat(hostile, hostilePowerShell, hostileCmd), func(text string) int {
		b := budget.NewMeter()
		_, _ = Read(text, b)
		return b.Spent()
	})
}

// callsOfCalls returns functions f0 to fn; each calls the one before it ten times.
func callsOfCalls(n int) string {
	text := "f0() { curl a; }\n"
	for i := 1; i <= n; i++ {
		text += fmt.Sprintf("f%d() {%s}\n", i, strings.Repeat(fmt.Sprintf(" f%d;", i-1), 10))
	}
	return text + fmt.Sprintf("f%d\n", n)
}

func TestBounds(t *testing.T) {
	for name, text := range map[string]string{
		"nesting":   fill("$(", 4*posix.MaxNesting),
		"quotes":    fill("\"$(", 4*posix.MaxNesting),
		"braces":    fill("${a:-", 6*posix.MaxNesting),
		"commands":  fill("a\n", 2*(posix.MaxCommands+1)),
		"words":     fill("a ", 2*(posix.MaxWords+1)),
		"redirects": fill(">a", 2*(posix.MaxWords+1)),
		"functions": callsOfCalls(12),
		"doubling":  "a=0123456789\n" + fill("a=$a$a\n", 7*40),
		"elements":  "a=(b)\n" + strings.Repeat("a=(\"${a[@]}\" \"${a[@]}\")\n", 40),
		"documents": strings.Repeat("cat <<E\n$(", posix.MaxNesting+1) + strings.Repeat("\n)\nE\n", posix.MaxNesting+1),
		"unknowns":  "curl " + strings.Repeat("`date` ", 10_000),
	} {
		_, err := Read(text, nil)
		var failure *convert.Failure
		if !errors.As(err, &failure) || failure.Code != convert.TooComplex && name != "documents" {
			t.Errorf("%s: want %s, got %v", name, convert.TooComplex, err)
		}
	}
	calls := "f() { curl http://x/$1; : " + strings.Repeat("x", posix.MaxExpansion/20) + "; }\n" + strings.Repeat("f 1\n", 40)
	if script, err := Read(calls, nil); err != nil || len(script.Commands) < 40 {
		t.Errorf("calls that would take more than %d bytes are not read again, and refuse nothing: %v", posix.MaxExpansion/2, err)
	}
	script, err := Read(strings.Repeat("curl http://x/\n", 30_000), nil)
	if err != nil || len(script.Commands) != 30_000 {
		t.Errorf("30,000 commands: %v", err)
	}
}
