package writer

import (
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
)

// hereDocument ends the line of the command at dst, which has a blank behind it,
// and appends the command's here-document (XCU 2.7.4), if it has one. Its end is
// quoted unless there are variables in it.
func (c *command) hereDocument(dst []byte) []byte {
	if c.text == "" {
		return append(dst[:len(dst)-1], '\n')
	}
	text := strings.ReplaceAll(c.w.vars.expand(nil, c.text), "\x00", "")
	end := delimiter(text)
	if !request.HasVariable(text) {
		return append(append(append(dst, "<<'"+end+"'\n"...), text...), end+"\n"...)
	}
	dst = append(dst, "<<"+end+"\n"...)
	escape := strings.NewReplacer(`\`, `\\`, "$", `\$`, "`", "\\`")
	for _, p := range request.Split(text) {
		if p.Kind == request.VariablePart {
			dst = append(dst, "${"+c.w.vars.name(p.Text)+"}"...)
		} else {
			dst = append(dst, escape.Replace(p.Text)...)
		}
	}
	return append(dst, end+"\n"...)
}

// delimiter is a word that is no line of the text.
func delimiter(text string) string {
	taken := map[string]bool{}
	for line := range strings.Lines(text) {
		if line = strings.TrimSuffix(line, "\n"); strings.HasPrefix(line, "EOF") {
			taken[line] = true
		}
	}
	end := "EOF"
	for n := 2; taken[end]; n++ {
		end = "EOF_" + strconv.Itoa(n)
	}
	return end
}
