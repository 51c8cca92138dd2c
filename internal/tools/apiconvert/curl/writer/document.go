package writer

import (
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
)

// hereDocument ends the command line in dst, which ends with a blank, and appends the command's here-document (XCU
// 2.7.4), if it has one. The delimiter is quoted unless the document contains variables.
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

// delimiter returns a word that is not a line of text.
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
