package spans

import (
	"strings"

	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/site"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// level is an array or object of a JSON text that is still open.
type level struct {
	object bool
	name   string // of the member whose value comes next; an array's own
	outer  string // the name that the whole object is the value of
	pair   string // what a member called name or key says
}

// maxLevels is how deep names are followed in JSON text, which need not be
// balanced.
const maxLevels = jsondoc.MaxDepth

// jsonReader goes over JSON text that need not be quite JSON: variables may
// appear in it unquoted, names too, and it may end anywhere.
type jsonReader struct {
	text   string
	yield  func(Span)
	levels []level
	beyond int // levels that are not followed
}

// json opens JSON text: the strings and numbers of which are the values
// of their members' names, and the names themselves.
func json(text, _ string, yield func(Span)) {
	j := jsonReader{text: text, yield: yield}
	for i := 0; i < len(text); {
		if text[i] <= ' ' {
			i++
			continue
		}
		i = j.next(i)
	}
}

// next reads what begins at i and returns where the next thing begins.
func (j *jsonReader) next(i int) int {
	switch c := j.text[i]; {
	case c == '{' && request.VariableLength(j.text[i:]) > 0:
		return i + request.VariableLength(j.text[i:])
	case c == '{' || c == '[':
		j.open(c)
	case c == '}' || c == ']':
		if j.beyond > 0 {
			j.beyond--
		} else if n := len(j.levels); n > 0 {
			j.levels = j.levels[:n-1]
		}
	case c == ',':
		if top := j.top(); top != nil && top.object {
			top.name = ""
		}
	case c == '"':
		return j.string(i)
	case words.IsDigit(c):
		return j.number(i)
	case words.IsAlnum(c) || c == '_':
		return j.bareName(i)
	}
	return i + 1
}

func (j *jsonReader) open(c byte) {
	switch {
	case len(j.levels) == maxLevels:
		j.beyond++
	case c == '{':
		j.levels = append(j.levels, level{object: true, outer: j.name()})
	default:
		j.levels = append(j.levels, level{name: j.name()})
	}
}

// top returns the innermost level, nil if none is followed.
func (j *jsonReader) top() *level {
	if len(j.levels) == 0 || j.beyond > 0 {
		return nil
	}
	return &j.levels[len(j.levels)-1]
}

// name is what the value that comes next is the value of.
func (j *jsonReader) name() string {
	switch top := j.top(); {
	case top == nil:
		return ""
	case top.object:
		return site.MemberOf(top.name, top.pair, top.outer)
	default:
		return top.name
	}
}

// string reads the string at i: a member's name or a value. One that does not
// end goes to the end of the text.
func (j *jsonReader) string(i int) int {
	end := i + 1
	for end < len(j.text) && j.text[end] != '"' {
		if j.text[end] == '\\' {
			end++
		}
		end++
	}
	end = min(end, len(j.text))
	s := Span{From: i + 1, To: end, Role: site.Field, Written: &JSONString}
	end = min(end+1, len(j.text))
	if top := j.top(); top != nil && top.object {
		after := strings.TrimLeft(j.text[end:min(len(j.text), end+64)], " \t\r\n")
		switch {
		case strings.HasPrefix(after, ":"):
			top.name = JSONString.Decode(j.text[s.From:s.To])
			s.Role = site.MemberName
			j.yield(s)
			return end
		case top.name == "name" || top.name == "key":
			top.pair = JSONString.Decode(j.text[s.From:s.To])
		}
	}
	s.Name = j.name()
	j.yield(s)
	return end
}

func (j *jsonReader) number(i int) int {
	end := i
	for end < len(j.text) && (words.IsAlnum(j.text[end]) || j.text[end] == '.' || j.text[end] == '+' || j.text[end] == '-') {
		end++
	}
	j.yield(Span{From: i, To: end, Role: site.Field, Name: j.name(), Number: true})
	return end
}

// bareName reads a name without quotes, as in JavaScript and in the arguments
// of GraphQL, or a literal.
func (j *jsonReader) bareName(i int) int {
	end := i + run(j.text[i:], "_-")
	if top := j.top(); top != nil && top.object && strings.HasPrefix(strings.TrimLeft(j.text[end:min(len(j.text), end+8)], " "), ":") {
		top.name = j.text[i:end]
	}
	return end
}

// escaped opens text within the quotes of some language, without them.
func escaped(text, mediaType string, yield func(Span)) {
	yield(Span{To: len(text), Role: site.Body, MediaType: mediaType, Written: &JSONString})
}
