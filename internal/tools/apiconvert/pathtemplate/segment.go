package pathtemplate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/infer"
	"github.com/convertd/convertd/internal/tools/apiconvert/percent"
	"github.com/convertd/convertd/internal/tools/apiconvert/placeholder"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// kind classifies a segment. Segments of kind identifier and above are open.
type kind uint8

const (
	literal    kind = iota // fixed text, possibly with placeholders in it
	possible               // a year, a date or a small number: an identifier only if other paths have one here
	identifier             // a value that identifies one resource of its kind
	filled                 // a value that a script variable expanded to
	variable               // {{name}}
	parameter              // {name}
)

// segment is one slash-separated part of a path.
type segment struct {
	text  string   // as in the path
	value string   // the name of a variable or parameter, otherwise the unescaped segment
	kind  kind     // literal until classify sets it
	names []string // names of the parameters in it
}

// split splits a path at its slashes, except those in the name of a variable.
func split(path string) []segment {
	if path == "" {
		return nil
	}
	path = strings.TrimPrefix(path, "/")
	list := make([]segment, 0, 1+strings.Count(path, "/"))
	var s segment
	start, at := 0, 0 // of the segment and the part
	for _, part := range request.SplitPath(path) {
		switch part.Kind {
		case request.VariablePart:
			s.kind, s.value = variable, part.Text
		case request.ParameterPart:
			s.kind, s.value = parameter, part.Text
			s.names = append(s.names, part.Text)
		case request.LiteralPart:
			for i := range len(part.Text) {
				if part.Text[i] == '/' {
					list = append(list, s.end(path[start:at+i]))
					s, start = segment{}, at+i+1
				}
			}
		}
		at += len(part.String())
	}
	return append(list, s.end(path[start:]))
}

// end returns the segment with its text. It is a literal if it has anything next to a variable or parameter, except the
// dollar sign of ${name}.
func (s segment) end(text string) segment {
	whole := request.Part{Kind: request.VariablePart, Text: s.value}
	if s.kind == parameter {
		whole.Kind = request.ParameterPart
	}
	if s.text = text; text != whole.String() && (s.kind != parameter || text != "$"+whole.String()) {
		s.kind = literal
	}
	return s
}

// classify sets the kind of the segment i of a path. isPath reports that the segments before it are a path on their own.
func (p *path) classify(i int, t *tree, isPath bool) {
	s := &p.segments[i]
	if s.kind == variable {
		generated := strings.HasPrefix(s.value, "$") // by Postman
		switch {
		case t.kinds == Identifiers && generated:
			s.kind = identifier
		case t.kinds < Variables, t.kinds == Variables && (generated || t.variables[s.value].Secret):
			s.kind = literal
		}
	}
	if s.kind != literal || strings.ContainsAny(s.text, "{}") {
		return
	}
	s.value = percent.Decode(s.text)
	switch name := placeholder.Segment(s.value); {
	case typeNames[name] && infer.IsStandIn(s.value):
		s.kind = identifier
	case name != "":
		s.kind, s.value = parameter, name
	case placeholder.IsDummy(s.value):
		s.kind = identifier
	case t.kinds < Identifiers:
	case words.IsDate(s.text), p.counts(i):
		s.kind = possible
	case words.IsIdentifier(s.value), isPath && p.isItem(s.text),
		p.noun != "" && strings.Contains(s.value, "/"): // an encoded slash is part of a value
		s.kind = identifier
	case p.filler(s.value, t) != "" && !words.IsVersion(s.text):
		s.kind = filled
	}
}

// filler returns the variable of a script that a segment of the path is the value of, or "".
func (p *path) filler(value string, t *tree) string { return cmp.Or(p.Filled[value], t.filled[value]) }

// typeNames are the names of types that Postman writes in angle brackets instead of a value. Others, such as <uuid>, name
// the parameter, too.
var typeNames = words.Set(`integer long number float double boolean string byte binary dateTime`)

// coded matches a prefix and a code: file-abc123, ord_8fk2, INV-2024-001.
var coded = expression.Lazy(`^([A-Za-z]+(?:-[A-Za-z]+)*)[-_]([0-9A-Za-z]*[0-9][0-9A-Za-z]*(?:-[0-9]+)*)$`)

// isItem reports whether a segment consists of a prefix and a code after a plural: OPS-7 in /issues/OPS-7.
func (p *path) isItem(text string) bool {
	parts := coded().FindStringSubmatch(text)
	_, plural := singular(p.noun)
	return plural && parts != nil && !words.IsVersion(parts[2]) && !counting[strings.ToLower(parts[1])]
}

// counts reports whether segment i is a number that doesn't identify anything: a year, a month or day after it, a
// version, a status (/errors/404), or how many or which of several (/top/10, /page/2).
func (p *path) counts(i int) bool {
	text := p.segments[i].text
	switch {
	case words.IsYear(text):
		return true
	case !words.IsNumber(text) || len(text) > maxCount:
		return false
	case p.noun == "": // /1/indexes
		return len(text) <= 2
	}
	before := p.segments[i-1]
	switch word := lastWord(before.text); {
	case counting[word], statuses[word] && len(text) == 3 && text >= "100" && text <= "599":
		return true
	case len(text) > 2:
		return false
	case versioned[strings.ToLower(before.text)]: // /rest/api/2/issue
		return len(p.segments) > i+1
	}
	return before.kind == possible && (words.IsYear(before.text) || i > 1 && words.IsYear(p.segments[i-2].text) && len(before.text) <= 2)
}

// maxCount is the maximum number of digits of a count.
const maxCount = 4

// The words before numbers that aren't identifiers. A plural is followed by an identifier: /pages/2.
var (
	counting = words.Set(`page top first last latest next previous limit offset skip take count size level step part delay
		day week month quarter year rank position random version stage tier per q`)
	statuses  = words.Set(`error errors status http code codes`)
	versioned = words.Set(`api rest version`)
)

// lastWord returns the last word of a segment.
func lastWord(text string) string {
	if list := words.Split(text); len(list) > 0 {
		return list[len(list)-1]
	}
	return ""
}

// maxName limits the length of a generated name.
const maxName = 80

// identifierName returns the name of the identifier of noun: userGroupId for user-group. A noun that is already an
// identifier is its own name.
func identifierName(noun string) string {
	name := words.Camel(noun)
	if name == "" || words.IsDigit(name[0]) || len(name) > maxName {
		return "id"
	}
	name = strings.ToLower(name[:1]) + name[1:]
	switch lower := strings.ToLower(name); {
	case words.IsCode(noun), lower == "id", lower == "uuid", lower == "guid", strings.HasSuffix(name, "Id"), strings.HasSuffix(name, "ID"):
		return name
	}
	return name + "Id"
}

// singular returns the words of a segment with the last one in the singular: order-item for order-items and orderItems.
// plural reports whether it was a plural.
func singular(text string) (noun string, plural bool) {
	list := words.Split(text)
	if len(list) == 0 {
		return "", false
	}
	one := words.SingularLast(list)
	return strings.Join(one, "-"), !slices.Equal(one, list)
}
