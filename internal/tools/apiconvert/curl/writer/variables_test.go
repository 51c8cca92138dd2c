package writer

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
)

// TestWord checks that a shell expands a word to the original string.
func TestWord(t *testing.T) {
	sh := converttest.Program(t, "sh")
	texts := []string{
		"", " ", "a", "it's", "''", `"`, `\`, `\\'`, "$X", "`id`", "$(id)", "a\nb", "a\n", "!x", "*", "~", "é 🎉", "-n", "%s", "a\tb", "\x01",
		"{{V}}", "{{V}}/a", "a{{V}}b", "{{V}}{{V}}", "{{V}}_x", "{{V}}[0]", `"{{V}}"`, "'{{V}}'", "$ {{V}}", "{{V}}`", "{{camelCase}}", "{{ x }}", "{{}}", `\{{V}}`, "{{V}}\n",
	}
	for _, text := range texts {
		v := newVariables(&request.API{}, nil)
		word := string(v.word(nil, text))
		cmd := exec.Command(sh, "-c", "printf %s "+word)
		cmd.Env = []string{"V=v $X `a` '\"\\", "camelCase=c"}
		out, err := cmd.Output()
		want := strings.NewReplacer("{{V}}", "v $X `a` '\"\\", "{{camelCase}}", "c").Replace(text)
		if err != nil || string(out) != want {
			t.Errorf("%q: %s gives %q, %v", text, word, out, err)
		}
	}
}

// TestExpand checks that expanding recursive or huge variables terminates.
func TestExpand(t *testing.T) {
	api := &request.API{Variables: []*request.Variable{
		{Name: "a", Value: "x{{b}}"}, {Name: "b", Value: "y{{a}}"}, {Name: "s", Value: "no", Secret: true},
	}}
	v := newVariables(api, nil)
	if got := v.expand(nil, "{{a}} {{s}} {{c}}"); got != "xy{{a}} {{s}} {{c}}" {
		t.Error(got)
	}
	big := &request.API{}
	for i := range 60 {
		next := "{{v" + strconv.Itoa(i+1) + "}}"
		big.Variables = append(big.Variables, &request.Variable{Name: "v" + strconv.Itoa(i), Value: next + next + "z"})
	}
	if got := newVariables(big, nil).expand(nil, "{{v0}}"); len(got) > 64<<20 {
		t.Errorf("%d bytes", len(got))
	}
}
