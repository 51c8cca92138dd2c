package wire

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Values for generated scripts: some that look like secrets, and some that don't.
var (
	plainValues  = []string{"plain1", "a b", "x&y=z", "ü", "50%", "a'b", "1.5", "x/y"}
	secretValues = append([]string{"hunter2!9x", "AKlive_9f3Ks92mQp01aa", "tr0ub4dor & 3", "pa'ss9W0rd"}, plainValues...)
)

// bindings are ways to write a value, with setup lines. N is the number of the value and V the value: as it is, which is
// allowed in double quotes, or in single quotes as Q.
var bindings = []struct{ setup, use string }{
	{"", "V"},
	{"vN=Q", "$vN"},
	{"vN=${vN:-Q}", "$vN"},
	{`vN="${vN:-V}"`, "${vN}"},
	{`: "${vN:=V}"`, "$vN"},
	{`: ${vN=Q}`, "$vN"},
	{"", "${vN:-V}"},
	{"", "${vN-V}"},
	{"", `${vN:-${wN:-V}}`},
	{"wN=Q", `${vN:-$wN}`},
	{"export vN=Q", "$vN"},
	{"wN=Q; vN=$wN", "$vN"},
	{`vN=x; vN="V"`, "$vN"},
	{"vN=$(printf %s Q)", "$vN"},
	{"", "$(echo Q)"},
	{`readonly vN="V"`, "${vN}"},
	{`vN=Q.old`, "${vN%.old}"},
	{"read -r vN <<< Q", "$vN"},
	{"read -r -d '' vN <<'E' || true\nV\nE", "$vN"},
	{"IFS= read -r vN <<< Q", "$vN"},
	{"printf -v vN '%s' Q", "$vN"},
}

// arguments bind values by the position of an argument, which the script is not passed.
var argumentBindings = []struct{ setup, use string }{
	{`vN="${N:-V}"`, "$vN"},
	{"vN=${N-Q}", "$vN"},
	{"", "${N:-V}"},
}

// options of curl with a value in double quotes.
var optionForms = []string{
	`-H "X-A: V"`, `--header "Authorization: Bearer V"`, `-d "a=V"`, `--data-raw "{\"password\":\"V\"}" -H 'Content-Type: application/json'`,
	`-F "f=V"`, `-F 'f=@file;type=text/x-a' -F "password=V"`, `-u "bob:V"`, `-G --data-urlencode "q=V"`, `--data-urlencode "token=V"`,
	`-b "sid=V"`, `-A "V"`, `-e "V"`, `-X PUT --data-binary "V" -H 'Content-Type: text/plain'`, `-T file`, `--oauth2-bearer "V"`, `-XPATCH -d "V"`,
	`-H "X-Api-Key: V"`, `-sS -f -H "a: V" -X DELETE`, `-I`,
}

// contexts hold a command, C, or a command whose value is an argument of a function: V.
var contexts = []string{
	"C", "C", "( C )", "{ C; }", "if true; then C; fi", "C && :", "true && C", "C | cat", "C > out", `x=$(C)`, "f() { C; }; f", "! C", "C || true",
	"for i in 1; do C; done", `while read -r i; do C; break; done < ids.txt`, "case a in a) C;; esac", "sh -c :; C", "sudo C", "C &\nwait", `eval true; C`,
}

// construct returns a script of commands whose values are bound in one of the ways above. With unique, no value occurs
// twice.
func construct(seed uint64, values []string, unique bool) script {
	r := rand.New(rand.NewPCG(seed, 9))
	pick := func(all []string) string { return all[r.IntN(len(all))] }
	var b strings.Builder
	n := 0
	bound := func(text string, values []string) string {
		for strings.Contains(text, "V") {
			n++
			value := pick(values)
			if unique {
				value += fmt.Sprint(n)
			}
			binding := bindings[r.IntN(len(bindings))]
			if n <= 9 && r.IntN(4) == 0 {
				binding = argumentBindings[r.IntN(len(argumentBindings))]
			}
			// dash and bash disagree about a single quote in ${NAME:-value}.
			if strings.Contains(binding.setup+binding.use, "V}") {
				value = strings.ReplaceAll(value, "'", "")
			}
			expand := strings.NewReplacer("N", fmt.Sprint(n), "V", value, "Q", "'"+strings.ReplaceAll(value, "'", `'\''`)+"'")
			if binding.setup != "" {
				b.WriteString(expand.Replace(binding.setup) + "\n")
			}
			text = strings.Replace(text, "V", expand.Replace(binding.use), 1)
		}
		return text
	}
	noBlanks := slices.DeleteFunc(slices.Clone(values), func(value string) bool { return strings.Contains(value, " ") })
	for range 6 {
		url := `"http://h.test/I"`
		switch r.IntN(4) {
		case 0:
			url = bound(`"http://h.test/I?token=V"`, noBlanks)
		case 1:
			url = bound(`"http://h.test/I?a=1&q=V"`, noBlanks)
		}
		url = strings.ReplaceAll(url, "I", fmt.Sprint(n))
		command := "curl " + bound(pick(optionForms), values) + " " + url
		if r.IntN(3) == 0 {
			command = "curl " + url + " \\\n  " + bound(pick(optionForms), values)
		}
		b.WriteString(strings.Replace(pick(contexts), "C", command, 1) + "\n")
	}
	return script{Name: fmt.Sprint("constructed ", seed), Text: b.String()}
}
