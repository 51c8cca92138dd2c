package postman

import (
	"regexp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// The assertions of Postman's sandbox that name statuses, in script text as
// essence leaves it. Nothing is run: what does not look like one of these is
// not understood. The last group of each is what it names.
var assertions = []*regexp.Regexp{
	// pm.response.to.have.status(201)
	regexp.MustCompile(`pm\.response\.to\.have\.status\(([^()]*)\)`),
	regexp.MustCompile(`pm\.expect\(pm\.response\)\.to\.have\.status\(([^()]*)\)`),
	// pm.expect(pm.response.code).to.equal(201), .to.eql, .to.be.eq …
	regexp.MustCompile(`pm\.expect\((?:pm\.response|responseCode)\.(?:code|status)(?:,"[^"]*")?\)\.to\.(?:be\.|deep\.)*(?:equal|equals|eql|eqls|eq)\(([^()]*)\)`),
	// pm.expect(pm.response.code).to.be.oneOf([200, 201])
	regexp.MustCompile(`pm\.expect\((?:pm\.response|responseCode)\.code(?:,"[^"]*")?\)\.to\.be\.oneOf\(\[([^()\]]*)\]`),
	// pm.expect([200, 201]).to.include(pm.response.code)
	regexp.MustCompile(`pm\.expect\(\[([^()\]]*)\](?:,"[^"]*")?\)\.to\.(?:include|contain)\((?:pm\.response|responseCode)\.code\)`),
	// pm.response.to.be.ok
	regexp.MustCompile(`pm\.response\.to\.be\.([A-Za-z]+)\b`),
}

// older are the assertions of the first sandbox: tests["name"] = a condition.
var (
	older     = regexp.MustCompile(`tests\[[^\]\n]*\]=([^=;\n][^;\n]*)`)
	condition = regexp.MustCompile(`(?:^|[^!.\w])(?:responseCode|pm\.response)\.code===?([0-9]{3})\b`)
)

// worded are the statuses that to.be names (npm chai-postman).
var worded = map[string]string{
	"ok": "200", "accepted": "202", "badRequest": "400", "unauthorized": "401", "forbidden": "403", "notFound": "404",
	"rateLimited": "429", "info": "1XX", "success": "2XX", "redirection": "3XX", "clientError": "4XX", "serverError": "5XX",
}

// maxAsserted is of how many statuses of one request responses are made.
const maxAsserted = 20

// asserted makes responses of the statuses that a request's test scripts
// assert and that no response was saved of. Those of the folders around it hold
// where nothing is known of its own.
func (r *reader) asserted(read *request.Request, item *tree.Value, outer []string) {
	statuses := r.statuses(item)
	if len(statuses) == 0 && len(read.Responses) == 0 {
		statuses = outer
	}
	known := map[string]bool{}
	for _, response := range read.Responses {
		known[response.Status] = true
	}
	for _, status := range statuses {
		if !known[status] {
			read.Responses = append(read.Responses, &request.Response{Status: status})
		}
	}
}

// statuses are those that the test scripts of a part assert, each once, in
// order.
func (r *reader) statuses(v *tree.Value) []string {
	var script strings.Builder
	for _, event := range v.Get("event").Elements() {
		if event.Get("listen").Text() != "test" || event.Get("disabled").Bool() {
			continue
		}
		exec := event.Get("script").Get("exec")
		script.WriteString(exec.Text())
		for _, line := range exec.Elements() {
			script.WriteString(line.Text())
			script.WriteByte('\n')
		}
		script.WriteByte('\n')
	}
	if !strings.Contains(script.String(), "response") { // as each of the assertions does
		return nil
	}
	r.budget.Text(scriptCost * script.Len())
	text := essence(script.String())
	type named struct {
		at   int
		text string
	}
	var all []named
	for _, pattern := range assertions {
		for _, match := range pattern.FindAllStringSubmatchIndex(text, maxAsserted) {
			all = append(all, named{match[0], text[match[2]:match[3]]})
		}
	}
	for _, match := range older.FindAllStringSubmatchIndex(text, maxAsserted) {
		if !strings.Contains(text[match[2]:match[3]], ".code==") {
			continue
		}
		for _, code := range condition.FindAllStringSubmatch(text[match[2]:match[3]], maxAsserted) {
			all = append(all, named{match[0], code[1]})
		}
	}
	slices.SortStableFunc(all, func(a, b named) int { return a.at - b.at })
	var list []string
	for _, one := range all {
		for text := range strings.SplitSeq(one.text, ",") {
			if status := statusNamed(text); status != "" && !slices.Contains(list, status) && len(list) < maxAsserted {
				list = append(list, status)
			}
		}
	}
	return list
}

// scriptCost is how much more it costs to look for assertions in a text than
// to go through it.
const scriptCost = 8

// statusNamed is the status that an assertion names by its number, its reason
// phrase or a word of to.be; "" for none.
func statusNamed(text string) string {
	text = strings.Trim(text, `"`)
	if len(text) == 3 && text[0] >= '1' && text[0] <= '5' && digits(text) {
		return text
	}
	if status := worded[text]; status != "" {
		return status
	}
	return request.StatusOf(text)
}

// essence is script text without comments and without white space where it
// means nothing, quotes made alike, strings that are no words made empty. Text
// within strings is so none of the script.
func essence(script string) string {
	out := make([]byte, 0, len(script))
	out = append(out, '\n')
	for i := 0; i < len(script); {
		switch c := script[i]; {
		case strings.HasPrefix(script[i:], "//"):
			i += lengthTo(script[i:], "\n")
		case strings.HasPrefix(script[i:], "/*"):
			i += lengthTo(script[i:], "*/") + len("*/")
		case c == '"' || c == '\'' || c == '`':
			text, n := stringLiteral(script[i:])
			out = append(append(append(out, '"'), text...), '"')
			i += n
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			n := len(script[i:]) - len(strings.TrimLeft(script[i:], " \t\r\n"))
			if space := between(out[len(out)-1], script[min(i+n, len(script)-1)], strings.Contains(script[i:i+n], "\n")); space != 0 {
				out = append(out, space)
			}
			i += n
		default:
			out = append(out, c)
			i++
		}
	}
	return string(out)
}

// lengthTo is how many bytes stand before the end, all where there is none.
func lengthTo(text, end string) int {
	if i := strings.Index(text, end); i >= 0 {
		return i
	}
	return len(text)
}

// between is what stays of white space between two characters: a space between
// words, an end of line where it may end a statement.
func between(before, after byte, line bool) byte {
	word := func(c byte) bool {
		return c == '_' || c == '$' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
	}
	switch {
	case line && strings.IndexByte(".,)]=+|&?:", after) < 0 && strings.IndexByte(".,([=+|&?:", before) < 0:
		return '\n'
	case word(before) && word(after):
		return ' '
	}
	return 0
}

// maxWords is how long a string may be that is kept as it is, in bytes.
const maxWords = 40

// stringLiteral is what is kept of the literal at the start of a text, and its
// length. One in single or double quotes ends at its line's end.
func stringLiteral(text string) (kept string, n int) {
	for n = 1; n < len(text); n++ {
		switch c := text[n]; {
		case c == '\\':
			n++
		case c == '\n' && text[0] != '`':
			return "", n
		case c == text[0]:
			if kept = text[1:n]; len(kept) > maxWords || strings.Trim(kept, wordCharacters) != "" {
				kept = ""
			}
			return kept, n + 1
		}
	}
	return "", len(text)
}

const wordCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -'"
