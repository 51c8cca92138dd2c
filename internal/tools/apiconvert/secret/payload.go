package secret

import (
	"net/url"
	"strings"

	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// maxInner is how many texts of JSON may stand in strings of one another.
const maxInner = 3

// payload replaces the secrets in a body or in a value that may be one: JSON
// and forms by their names, every text by shape.
func (r *Redactor) payload(text string, depth int) string {
	trimmed := strings.TrimLeft(text, " \t\r\n")
	switch {
	case trimmed == "":
		return text
	case (trimmed[0] == '{' || trimmed[0] == '[') && strings.Contains(text, `"`) && depth < maxInner:
		return r.json(text, depth)
	case isForm(text):
		// The & lets the first pair be found like the others.
		return r.data("&" + text)[1:]
	}
	return r.data(text)
}

// isForm reports whether a text looks like name=value&name=value.
func isForm(text string) bool {
	return !strings.ContainsAny(text, " \t\r\n\"<>/?") && strings.Contains(text, "=")
}

// level is an array or object of a JSON text that is still open.
type level struct {
	object bool
	name   string // of the member whose value comes next; an array's own
	outer  string // the name that the whole object is the value of
	pair   string // what a member called name or key says
}

// jsonText goes over JSON text that need not be quite JSON: variables may
// stand in it unquoted, and it may end anywhere.
type jsonText struct {
	r      *Redactor
	text   string
	depth  int
	levels []level
	out    []byte
	last   int // text before it is in out
}

// json replaces the secrets in JSON text and leaves the rest of it, white
// space included, byte for byte as it is.
func (r *Redactor) json(text string, depth int) string {
	j := jsonText{r: r, text: text, depth: depth}
	for i := 0; i < len(text); {
		if text[i] <= ' ' {
			i++
			continue
		}
		i = j.next(i)
	}
	if j.last == 0 {
		return text
	}
	return string(append(j.out, text[j.last:]...))
}

// next reads what begins at i and returns where the next thing begins.
func (j *jsonText) next(i int) int {
	switch c := j.text[i]; c {
	case '{':
		if n := variableAt(j.text[i:]); n > 0 {
			return i + n
		}
		j.levels = append(j.levels, level{object: true, outer: j.name()})
	case '[':
		j.levels = append(j.levels, level{name: j.name()})
	case '}', ']':
		if n := len(j.levels); n > 0 {
			j.levels = j.levels[:n-1]
		}
	case ',':
		if top := j.top(); top != nil && top.object {
			top.name = ""
		}
	case '"':
		return j.string(i)
	default:
		if isDigit(c) {
			return j.number(i)
		}
	}
	return i + 1
}

func (j *jsonText) top() *level {
	if len(j.levels) == 0 {
		return nil
	}
	return &j.levels[len(j.levels)-1]
}

// name is what the value that comes next is the value of.
func (j *jsonText) name() string {
	top := j.top()
	if top == nil {
		return ""
	}
	if top.object && top.name == "value" {
		if top.pair != "" {
			return top.pair
		}
		return top.outer
	}
	return top.name
}

// variableAt returns the length of a {{name}} at the start of text, 0 if
// there is none.
func variableAt(text string) int {
	if !strings.HasPrefix(text, "{{") {
		return 0
	}
	if n := strings.Index(text[:min(len(text), 208)], "}}"); n > 0 && request.VariableName(text[2:n]) {
		return n + 2
	}
	return 0
}

// string reads the string at i: a member's name or a value.
func (j *jsonText) string(i int) int {
	end := i + 1
	for end < len(j.text) && j.text[end] != '"' {
		if j.text[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(j.text) {
		return len(j.text)
	}
	end++
	content := j.text[i+1 : end-1]
	if strings.Contains(content, `\`) {
		content = string(jsondoc.AppendContent(nil, j.text[i:end]))
	}
	behind := strings.TrimLeft(j.text[end:min(len(j.text), end+64)], " \t\r\n")
	top := j.top()
	if top != nil && top.object && strings.HasPrefix(behind, ":") {
		top.name = content
		if clean := j.r.identifier(content); clean != content {
			j.put(i, end, clean)
		}
		return end
	}
	if top != nil && top.object && (top.name == "name" || top.name == "key") {
		top.pair = content
	}
	if placeholder, ok := j.r.named(j.name(), content, anywhere); ok {
		j.put(i, end, placeholder)
	} else if clean := j.r.payload(content, j.depth+1); clean != content {
		j.put(i, end, clean)
	}
	return end
}

func (j *jsonText) number(i int) int {
	end := i
	for end < len(j.text) && (isAlnum(j.text[end]) || j.text[end] == '.' || j.text[end] == '+' || j.text[end] == '-') {
		end++
	}
	name := j.name()
	if digits := j.text[i:end]; j.r.sensitivity(name, anywhere).acceptsNumber(digits) {
		placeholder := j.r.value(digits, name)
		if j.r.fixed {
			placeholder = "0"
		}
		j.out = append(append(j.out, j.text[j.last:i]...), placeholder...)
		j.last = end
	}
	return end
}

// put writes content as a string in the place of what stands from i to end.
func (j *jsonText) put(i, end int, content string) {
	j.out = append(j.out, j.text[j.last:i]...)
	j.out = jsondoc.AppendString(j.out, content)
	j.last = end
}

// tree replaces the secrets in a JSON value that is an example or a default
// of something called name.
func (r *Redactor) tree(v *tree.Value, name string, in place) {
	if v == nil || r.walked[v] {
		return
	}
	r.budget.Pass(0)
	switch v.Kind() {
	case tree.String:
		if placeholder, ok := r.named(name, v.Text(), in); ok {
			v.Become(tree.NewString(placeholder))
		} else if clean := r.payload(v.Text(), 0); clean != v.Text() {
			v.Become(tree.NewString(clean))
		}
	case tree.Number:
		digits, _ := v.Scalar()
		if !r.sensitivity(name, in).acceptsNumber(digits) {
			return
		}
		placeholder := tree.NewString(r.value(digits, name))
		if r.fixed {
			placeholder = tree.NewInt(0)
		}
		v.Become(placeholder)
	case tree.Array:
		r.walked[v] = true
		for _, element := range v.Elements() {
			r.tree(element, name, in)
		}
	case tree.Object:
		r.walked[v] = true
		pair := v.Get("name").Text()
		if pair == "" {
			pair = v.Get("key").Text()
		}
		for member, value := range v.Members() {
			r.tree(value, memberName(member, pair, name), anywhere)
		}
		r.rename(v)
	}
}

// memberName is what a member's value is the value of: value in
// {"name": "password", "value": …} of a password.
func memberName(member, pair, outer string) string {
	if member != "value" {
		return member
	}
	if pair != "" {
		return pair
	}
	return outer
}

// rename takes the secrets out of an object's own names.
func (r *Redactor) rename(v *tree.Value) {
	for _, name := range v.Names() {
		if clean := r.identifier(name); clean != name {
			v.Rename(name, clean)
		}
	}
}

// query replaces the value of a query parameter, which is percent-encoded.
func (r *Redactor) query(name, value string) string {
	decoded, err := url.QueryUnescape(value)
	if err != nil {
		decoded = value
	}
	if plain, err := url.QueryUnescape(name); err == nil {
		name = plain
	}
	if placeholder, ok := r.named(name, decoded, inQuery); ok {
		return r.urlValue(placeholder)
	}
	if clean := r.payload(decoded, 0); clean != decoded {
		if r.fixed || !request.HasVariable(clean) {
			return url.QueryEscape(clean)
		}
		return escapeAroundVariables(clean)
	}
	return value
}

// urlValue returns a placeholder as it may stand in a URL.
func (r *Redactor) urlValue(placeholder string) string {
	if r.fixed {
		return inName
	}
	return placeholder
}

func escapeAroundVariables(text string) string {
	var out strings.Builder
	for _, part := range request.Split(text) {
		if part.Kind == request.VariablePart {
			out.WriteString("{{" + part.Text + "}}")
		} else {
			out.WriteString(url.QueryEscape(part.Text))
		}
	}
	return out.String()
}

// header replaces what a header's value holds of secrets.
func (r *Redactor) header(name, value string) string {
	switch strings.ToLower(name) {
	case "authorization", "proxy-authorization":
		return r.authorization(value)
	case "cookie":
		return r.cookies(value, ";")
	case "set-cookie":
		pair, attributes, _ := strings.Cut(value, ";")
		return r.cookies(pair, ";") + value[len(pair):len(value)-len(attributes)] + attributes
	}
	if placeholder, ok := r.named(name, value, anywhere); ok {
		return placeholder
	}
	return r.payload(value, 0)
}

// authorization replaces the credentials behind the scheme's word.
func (r *Redactor) authorization(value string) string {
	scheme, credentials, ok := strings.Cut(value, " ")
	if !ok {
		return r.credential(value, "authorization")
	}
	if strings.EqualFold(scheme, "basic") {
		r.noteBasic(credentials)
	}
	return scheme + " " + r.credential(credentials, "token")
}

// cookies replaces the values of name=value pairs.
func (r *Redactor) cookies(text, separator string) string {
	pairs := strings.Split(text, separator)
	for i, pair := range pairs {
		if name, value, ok := strings.Cut(pair, "="); ok {
			pairs[i] = name + "=" + r.cookie(strings.TrimSpace(name), value)
		}
	}
	return strings.Join(pairs, separator)
}

// cookie replaces a cookie's value. What can be no session is kept: flags,
// small numbers, a language.
func (r *Redactor) cookie(name, value string) string {
	if passwordLike.accepts(value) && (tokenLike.accepts(value) || r.sensitivity(name, anywhere) != harmless) {
		return r.value(value, name)
	}
	return value
}
