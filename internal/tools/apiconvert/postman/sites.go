package postman

import (
	"cmp"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/postman/collection"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/site"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// emitter emits the sites of a collection.
type emitter struct {
	*site.Walk
	host   string        // of the URL that is visited
	within warning.Place // the object of the source that is visited
}

// Sites emits everything in the tree of a v2.1 collection that may hold a secret, in the order of the source.
func Sites(root *tree.Value, emit func(site.Site)) {
	e := emitter{}
	e.Walk = &site.Walk{Templated: true, Visit: e.visit, Emit: func(s site.Site) {
		if s.Role == site.Query {
			s.Name = site.QueryName(e.host+"/", s.Name)
		}
		if s.Place() == nil {
			s.Within = e.within
		}
		emit(s)
	}}
	e.Object(root, shape.Item, site.Site{Role: site.Field})
}

// Declare adds empty variables to a collection.
func Declare(root *tree.Value, names []string) {
	for _, name := range names {
		if root.Get("variable").Kind() != tree.Array {
			root.Set("variable", tree.NewArray())
		}
		root.Get("variable").Append(collection.Variable(name, ""))
	}
}

// visit emits what only several members of an object show. It returns true if nothing else in the object is a site.
func (e *emitter) visit(v *tree.Value, k shape.Kind) bool {
	if v.ID() >= 0 {
		e.within = v
	}
	switch k {
	case shape.CollectionVariable:
		e.variable(v)
		return false
	case shape.CollectionAuth:
		e.auth(v)
	case shape.Event:
		e.script(v.Get("script").Get("exec"))
	case shape.CollectionURL:
		e.host = "." + strings.Join(v.Get("host").Texts(), ".")
		return false
	case shape.Userinfo:
		e.other(v.Get("user"), "username")
		e.Text(v.Get("password"), site.Site{Role: site.Credential, Name: "password"})
	case shape.GraphQL:
		e.Text(v.Get("query"), site.Site{Role: site.Body, MediaType: request.GraphQLType})
		for of, part := range v.Members() {
			if of != "query" {
				e.other(part, "")
			}
		}
	default:
		return false
	}
	return true
}

// other emits members that the format doesn't define, or not completely.
func (e *emitter) other(v *tree.Value, name string) {
	e.Value(v, site.Site{Role: site.Field, Name: name})
}

// variable emits the variable of a collection or a folder. Postman's own
// type secret, which the schema of collections does not list, becomes string.
func (e *emitter) variable(v *tree.Value) {
	name := cmp.Or(v.Get("key").Text(), v.Get("id").Text())
	if name == "" {
		return
	}
	value, _ := v.Get("value").Scalar()
	s := site.Site{Role: site.Variable, Name: name, Marked: v.Get("type").Text() == "secret"}
	e.Emit(s.As(value, func(text string) {
		if text != value {
			v.Set("value", tree.NewString(text))
		}
		if text == "" || s.Marked {
			v.Set("type", tree.NewString("string"))
		}
	}))
}

func (e *emitter) auth(v *tree.Value) {
	kind := v.Get("type").Text()
	for member, parameters := range v.Members() {
		for _, p := range parameters.Elements() {
			key := p.Get("key").Text()
			if !request.IsSecretSetting(key) {
				e.other(p.Get("value"), key)
				continue
			}
			if kind == "apikey" && member == kind {
				key = "apiKey"
			}
			e.Text(p.Get("value"), site.Site{Role: site.Credential, Name: key})
		}
	}
}

// Used returns the names of the variables that a collection refers to. In a written one all strings count, and :name in a
// path. In a source names, descriptions and scripts don't, because no request sends them.
func Used(root *tree.Value, written bool, b *budget.Budget) map[string]bool {
	used := map[string]bool{}
	var look func(v *tree.Value)
	look = func(v *tree.Value) {
		switch text := v.Text(); {
		case written && strings.HasPrefix(text, ":"):
			used[text[1:]] = true
		case request.HasVariable(text):
			b.Text(len(text))
			for _, part := range request.Split(text) {
				used[part.Text] = used[part.Text] || part.Kind == request.VariablePart
			}
		}
		for _, element := range v.Elements() {
			look(element)
		}
		for name, member := range v.Members() {
			if written || name != "event" && name != "description" && name != "name" {
				look(member)
			}
		}
	}
	look(root)
	return used
}

// scriptType is the media type of events' scripts.
const scriptType = "text/javascript"

// script emits the lines of a script as one text.
func (e *emitter) script(exec *tree.Value) {
	source := strings.Join(exec.Texts(), "\n")
	if source == "" {
		return
	}
	e.Emit(site.Site{Role: site.Body, MediaType: scriptType}.As(source, func(text string) {
		text = expand(source, text)
		if exec.Kind() == tree.Array {
			exec.Become(tree.NewStrings(strings.Split(text, "\n")))
		} else {
			exec.Become(tree.NewString(text))
		}
	}))
}

// token matches what isn't code in a script: a comment, a string, a template, or a regular expression with the character
// before it. At the beginning of a line, a slash before a blank divides.
var token = expression.Lazy("//[^\n]*|/\\*(?s:.*?)(?:\\*/|\\z)" + `|"(?:\\(?s:.)|[^"\\\n])*"|'(?:\\(?s:.)|[^'\\\n])*'` +
	"|`(?:\\\\(?s:.)|[^`\\\\])*`" +
	`|(?:[=(,:\[!&|?{};]\s*/(?:` + escaped + `|[^/*\\\[\n])|\n\s*/(?:` + escaped + `|[^/*\\\[\s]))(?:` + escaped + `|[^/\\\[\n])*/`)

// escaped matches an escape or a class in a regular expression.
const escaped = `\\.|\[(?:\\.|[^\]\\\n])*\]`

// placeholder matches a variable that replaced a secret.
var placeholder = expression.Lazy(`\{\{([A-Za-z]\w*)\}\}`)

// expand makes a script look up the variables that replaced secrets in it: JavaScript doesn't expand {{name}}.
func expand(source, text string) string {
	known := map[string]bool{}
	for _, text := range append(token().FindAllString(source, -1), placeholder().FindAllString(source, -1)...) {
		known[text] = true
	}
	var out strings.Builder
	from := 0
	for _, at := range append(token().FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		out.WriteString(placeholder().ReplaceAllStringFunc(text[from:at[0]], func(name string) string {
			if known[name] {
				return name
			}
			return `pm.variables.get("` + name[2:len(name)-2] + `")`
		}))
		literal := text[at[0]:at[1]]
		from = at[1]
		if !known[literal] && placeholder().MatchString(literal) {
			literal = lookup(literal, out.String(), text[from:])
		}
		out.WriteString(literal)
	}
	return out.String()
}

// lookup returns an expression for a string or template with variables, between other code.
func lookup(literal, before, after string) string {
	quote := literal[:1]
	left := strings.TrimRight(before, " \t\r\n")
	switch {
	case !strings.Contains("\"'`", quote), strings.HasSuffix(left, ".replaceIn("):
		return literal
	case quote == "`" && (strings.LastIndex(literal, "${") > strings.LastIndex(literal, "}") || tagged().MatchString(before[max(0, len(before)-1):])):
		return literal // it ends in a nested template, or a function takes it
	}
	expression := "pm.variables.replaceIn(" + literal + ")"
	if m := placeholder().FindStringSubmatch(literal); len(m[0])+2 == len(literal) {
		expression = "pm.variables.get(" + quote + m[1] + quote + ")"
	}
	if strings.HasPrefix(strings.TrimLeft(after, " \t\r\n"), ":") && (strings.HasSuffix(left, "{") || strings.HasSuffix(left, ",")) {
		expression = "[" + expression + "]" // the name of a property
	}
	return expression
}

// tagged matches the last character of code whose value is called with the template after it.
var tagged = expression.Lazy(`[\w$)\]]`)
