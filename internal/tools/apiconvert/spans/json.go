package spans

import (
	"strings"

	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/site"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// level is an open array or object.
type level struct {
	object bool
	number int    // the number of the object
	name   string // the name of the next value; for an array, its own name
	flag   string // the option of a command, without its dashes, that the last element of an array is
	outer  string // the name of the object itself
}

// maxLevels limits how deep names are tracked. The brackets need not be balanced.
const maxLevels = jsondoc.MaxDepth

// jsonReader scans almost-JSON: variables and names may be unquoted, and the text may end anywhere.
type jsonReader struct {
	text   string
	yield  func(Span)
	levels []level
	beyond int // open levels beyond maxLevels

	objects int
	pairs   map[int]site.Pair // what objects call their values, by the number of the object; the zero value while it is unknown
}

// json yields the strings and numbers of a JSON text, each with the name of its property, and the names themselves.
func json(text, _ string, yield func(Span)) {
	j := jsonReader{text: text, yield: yield, pairs: map[int]site.Pair{}}
	if hasPairs(text) { // the name may come after the value
		first := jsonReader{text: text, pairs: j.pairs}
		first.read()
	}
	j.read()
}

// hasPairs reports whether a property may be called value, val or v.
func hasPairs(text string) bool {
	return strings.Contains(text, `alue"`) || strings.Contains(text, `"#text"`) || strings.Contains(text, `"val"`) || strings.Contains(text, `"v"`)
}

func (j *jsonReader) read() {
	for i := 0; i < len(j.text); {
		if j.text[i] <= ' ' {
			i++
			continue
		}
		i = j.next(i)
	}
}

// next reads the token at i and returns the offset after it.
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
		j.objects++
		j.levels = append(j.levels, level{object: true, number: j.objects, outer: j.name()})
	default:
		j.levels = append(j.levels, level{name: j.name()})
	}
}

// top returns the innermost level, or nil if there is no tracked one.
func (j *jsonReader) top() *level {
	if len(j.levels) == 0 || j.beyond > 0 {
		return nil
	}
	return &j.levels[len(j.levels)-1]
}

// name returns the name of the next value.
func (j *jsonReader) name() string {
	switch top := j.top(); {
	case top == nil:
		return ""
	case top.object:
		pair := j.pairs[top.number]
		return pair.MemberOf(top.name, top.outer)
	default:
		return top.name
	}
}

// string reads the string at i, which is a property name or a value. An unterminated string extends to the end of the
// text.
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
			j.emit(s)
			return end
		case j.yield == nil:
			j.pair(top, s)
			return end
		}
	}
	j.emit(s)
	return end
}

// pair records what a string value may call the value of its object.
func (j *jsonReader) pair(top *level, s Span) {
	if s.To-s.From > 2*maxPairName {
		return
	}
	pair := j.pairs[top.number]
	before := pair
	if pair.Add(top.name, JSONString.Decode(j.text[s.From:s.To])); pair != before {
		j.pairs[top.number] = pair
	}
}

// maxPairName is how long, in bytes, a name may be that is a value.
const maxPairName = 64

func (j *jsonReader) emit(s Span) {
	if j.yield == nil {
		return
	}
	if s.Role != site.MemberName {
		s.Name = j.name()
	}
	if top := j.top(); top != nil && !top.object && !s.Number {
		flag, isFlag := strings.CutPrefix(j.text[s.From:s.To], "--")
		if top.flag != "" && !isFlag {
			s.Name = top.flag
		}
		if top.flag = ""; isFlag && !strings.Contains(flag, "=") {
			top.flag = flag
		}
	}
	j.yield(s)
}

func (j *jsonReader) number(i int) int {
	end := i
	for end < len(j.text) && (words.IsAlnum(j.text[end]) || j.text[end] == '.' || j.text[end] == '+' || j.text[end] == '-') {
		end++
	}
	j.emit(Span{From: i, To: end, Role: site.Field, Number: true})
	return end
}

// bareName reads an unquoted name, as in JavaScript and GraphQL arguments, or a literal.
func (j *jsonReader) bareName(i int) int {
	end := i + run(j.text[i:], "_-")
	if top := j.top(); top != nil && top.object && strings.HasPrefix(strings.TrimLeft(j.text[end:min(len(j.text), end+8)], " "), ":") {
		top.name = j.text[i:end]
	}
	return end
}

// escaped yields text that is escaped like a string in a programming language, but has no quotes.
func escaped(text, mediaType string, yield func(Span)) {
	yield(Span{To: len(text), Role: site.Body, MediaType: mediaType, Written: &JSONString})
}
