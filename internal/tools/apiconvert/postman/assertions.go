package postman

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// What assertions of Postman's sandbox are made of, in script text as essence
// leaves it. Nothing is run: what does not look like one of these is not
// understood.
const (
	asserted = `(?:pm\.response|responseCode)\.(?:code|status|name)(?:\.toString\(\))?`
	literal  = `("[^"]*"|[0-9]{3}\b)`
)

var (
	// pm.expect(subject).chain, pm.response.chain
	expectation = expression.Lazy(`pm\.(?:expect\(((?:[^()]|\([^()]*\))*)\)|response)((?:\.[A-Za-z]+(?:\([^()]*\))?)+)`)
	// what a chain is made of: .to, .equal(201)
	link = expression.Lazy(`\.([A-Za-z]+)(?:\(([^()]*)\))?`)
	// the status as a subject, perhaps with a message
	subject = expression.Lazy(`^` + asserted + `(?:,"[^"]*")?$`)
	// tests["name"]=condition of the first sandbox, assert.equal(status,literal)
	older  = expression.Lazy(`tests\[[^\]]*\]=([^=].*)`)
	assert = expression.Lazy(`assert\.(?:e|strictE|deepE)qual\(` + asserted + `,` + literal)
	// status===literal, literal===status, [literals].includes(status), responseCode.name.has("OK")
	condition = expression.Lazy(`(?:^|[^!.\w])(?:` + asserted + `===?` + literal + `|` + literal + `===?` + asserted +
		`|\[([^\]]*)\]\.includes\(` + asserted + `\)|responseCode\.name\.has\(("[^"]*")\))`)
)

// worded are the statuses that to.be names (npm chai-postman), and one that
// people write beside them.
var worded = map[string]string{
	"ok": "200", "created": "201", "accepted": "202", "badRequest": "400", "unauthorized": "401", "forbidden": "403",
	"notFound": "404", "rateLimited": "429", "info": "1XX", "success": "2XX", "redirection": "3XX", "clientError": "4XX",
	"serverError": "5XX", "error": "4XX,5XX",
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
	list, known := r.tests[script.String()]
	if !known {
		list = r.statusesOf(script.String())
		r.tests[script.String()] = list
	}
	return list
}

// statusesOf are the statuses that a script asserts, each once, in order.
func (r *reader) statusesOf(script string) []string {
	r.budget.Text(scriptCost * len(script))
	var list []string
	known := aliases{}
	for statement := range strings.FieldsFuncSeq(essence(script), func(c rune) bool { return c == ';' || c == '\n' }) {
		known.note(statement)
		if len(known) > 0 && len(statement) <= maxStatement {
			statement = known.expand(statement)
			r.budget.Text(scriptCost * len(statement))
		}
		for name := range strings.SplitSeq(strings.Join(assertions(statement), ","), ",") {
			if name == "" {
				continue
			}
			if status := statusNamed(name); status != "" && !slices.Contains(list, status) && len(list) < maxAsserted {
				list = append(list, status)
			}
		}
	}
	return list
}

// scriptCost is how much more it costs to look for assertions in a text than
// to go through it.
const scriptCost = 8

// assertions are the statuses that a statement asserts, as they are named.
func assertions(statement string) []string {
	var named []string
	if !strings.Contains(statement, "response") {
		return nil
	}
	if strings.Contains(statement, "pm.") {
		for _, match := range expectation().FindAllStringSubmatch(statement, maxAsserted) {
			named = append(named, expected(match[1], match[2])...)
		}
	}
	if strings.Contains(statement, "tests[") {
		for _, match := range older().FindAllStringSubmatch(statement, maxAsserted) {
			named = append(named, conditions(match[1])...)
		}
	}
	if strings.Contains(statement, "assert.") {
		for _, match := range assert().FindAllStringSubmatch(statement, maxAsserted) {
			named = append(named, match[1])
		}
	}
	return named
}

// conditions are the statuses that hold where a condition does, none where one
// is negated.
func conditions(text string) []string {
	if strings.Contains(text, "!(") {
		return nil
	}
	var named []string
	for _, match := range condition().FindAllStringSubmatch(text, maxAsserted) {
		named = append(named, match[1:]...)
	}
	return named
}

// expected are the statuses that a chain says of its subject, "" for the
// response itself.
func expected(of, chain string) []string {
	if strings.Contains(chain, ".not.") {
		return nil
	}
	var named []string
	status, response := subject().MatchString(of), of == "" || of == "pm.response"
	for _, match := range link().FindAllStringSubmatch(chain, maxAsserted) {
		word, arguments := match[1], match[2]
		switch word {
		case "status":
			if response {
				named = append(named, arguments)
			}
		case "property":
			if name, value, _ := strings.Cut(arguments, ","); response && (name == `"code"` || name == `"status"`) {
				named = append(named, value)
			}
		case "equal", "equals", "eql", "eqls", "eq":
			switch {
			case status:
				named = append(named, arguments)
			case subject().MatchString(arguments):
				named = append(named, of)
			case arguments == "true":
				named = append(named, conditions(of)...)
			}
		case "oneOf":
			if status {
				named = append(named, arguments)
			}
		case "within":
			if from, to, _ := strings.Cut(arguments, ","); status {
				named = append(named, classes(from, to)...)
			}
		case "include", "includes", "contain", "contains":
			if subject().MatchString(arguments) {
				named = append(named, of)
			}
		case "true":
			named = append(named, conditions(of)...)
		default:
			if response {
				named = append(named, worded[word])
			}
		}
	}
	return named
}

// classes are those of the statuses from one to another.
func classes(from, to string) []string {
	var list []string
	if statusNamed(from) == from && statusNamed(to) == to && from != "" && to != "" {
		for class := from[0]; class <= to[0]; class++ {
			list = append(list, string(class)+"XX")
		}
	}
	return list
}

// statusNamed is the status that an assertion names by its number, its class or
// its reason phrase; "" for none.
func statusNamed(text string) string {
	text = strings.Trim(text, `"[]`)
	if len(text) == 3 && text[0] >= '1' && text[0] <= '5' && (digits(text) || text[1:] == "XX") {
		return text
	}
	return request.StatusOf(text)
}

// aliases are the names that a script gives to the response, its status and
// literals, with what they stand for.
type aliases map[string]string

// How many aliases one script has, how long what they stand for is, and in how
// long a statement they are looked for, in bytes.
const (
	maxAliases   = 20
	maxAliased   = 80
	maxStatement = 1 << 13
)

var (
	// what is assigned, to its end; what of it is an alias
	assigned = expression.Lazy(`^([\w$.]+|"[^"]*"|\[[^\]]*\])(?:$|[,)}])`)
	aliased  = expression.Lazy(`^(?:pm|pm\.[\w.]+|responseCode[\w.]*|"[^"]*"|[0-9]{3}|\[[^\]]*\])$`)
	// the names in a statement, and the strings, which hold none
	nameOrText = expression.Lazy(`"[^"]*"|[A-Za-z_$.][\w$.]*`)
	// {code,status:text}= and the parameters of a function: (error,response)=>
	members  = expression.Lazy(`\{([\w$,:]*)\}$`)
	callback = expression.Lazy(`\bfunction[ \w$]*\(([\w$,]*)\)|\(([\w$,]*)\)=>`)
)

// note notes what a statement sets names to; a name that is set to anything else
// is no alias any more.
func (a aliases) note(statement string) {
	for end, rest, found := strings.Cut(statement, "="); found; end, rest, found = strings.Cut(rest, "=") {
		if strings.HasPrefix(rest, "=") { // == and === set nothing
			rest = strings.TrimLeft(rest, "=")
			continue
		}
		value := ""
		if match := assigned().FindStringSubmatch(rest[:min(len(rest), maxAliased)]); match != nil {
			value = a.expand(match[1])
		}
		if match := members().FindStringSubmatch(end[max(0, len(end)-maxAliased):]); match != nil {
			for member := range strings.SplitSeq(match[1], ",") {
				member, name, renamed := strings.Cut(member, ":")
				if !renamed {
					name = member
				}
				a.set(name, value+"."+member)
			}
		}
		bare := strings.TrimRight(end, nameCharacters)
		if name := end[len(bare):]; !strings.HasSuffix(bare, ".") {
			a.set(name, value)
		}
	}
	if len(a) == 0 {
		return
	}
	for _, match := range callback().FindAllStringSubmatch(statement, maxAliases) {
		for name := range strings.SplitSeq(match[1]+","+match[2], ",") {
			delete(a, name)
		}
	}
}

func (a aliases) set(name, value string) {
	if name != "" && aliased().MatchString(value) && len(a) < maxAliases {
		a[name] = value
	} else {
		delete(a, name)
	}
}

// expand writes what aliases stand for in their places.
func (a aliases) expand(text string) string {
	if len(a) == 0 {
		return text
	}
	return nameOrText().ReplaceAllStringFunc(text, func(name string) string {
		first, rest, ok := strings.Cut(name, ".")
		if a[first] == "" {
			return name
		} else if ok {
			rest = "." + rest
		}
		return a[first] + rest
	})
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
			after, line := script[min(i+n, len(script)-1)], strings.Contains(script[i:i+n], "\n")
			if space := between(out[len(out)-1], after, line); space != 0 {
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

// What names are made of, and strings that are kept.
const (
	nameCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$"
	wordCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -'"
)
