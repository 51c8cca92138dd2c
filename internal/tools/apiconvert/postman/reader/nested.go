package reader

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/postman/collection"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// maxResolved limits the nesting of variables in names, as Postman limits how often it replaces the variables
// of a string.
const maxResolved = 19

// nest replaces variables within the names of variables by their values, in all strings of the collection:
// {{host_{{env}}}} becomes {{host_dev}}. Later code only sees plain variables.
func (r *reader) nest(root *tree.Value) {
	n := nesting{reader: r, values: map[string]*tree.Value{}, plain: map[string]string{}}
	var top *warning.Place
	n.collect(root)
	n.texts(root, top)
	n.items(root.Get("item"), top.Field("item"))
}

// nesting is the state of resolving names in one collection.
type nesting struct {
	*reader
	values map[string]*tree.Value // of variables by their names
	plain  map[string]string      // values with all variables in them resolved, "" where that failed
	depth  int                    // of the variable whose value is being resolved
}

// collect collects the variables of a value and of its items. Of several variables with one name it takes the
// first that is not disabled.
func (n *nesting) collect(v *tree.Value) {
	for _, one := range v.Get("variable").Elements() {
		n.budget.Parts(1)
		if name := one.Get("key").Text(); n.values[name] == nil && !one.Get("disabled").Bool() {
			n.values[name] = one
		}
	}
	for _, item := range v.Get("item").Elements() {
		n.collect(item)
	}
}

func (n *nesting) items(list *tree.Value, at *warning.Place) {
	for i, item := range list.Elements() {
		n.texts(item, at.Index(i))
		n.items(item.Get("item"), at.Index(i).Field("item"))
	}
}

// texts resolves the strings of a value except those in its items and scripts.
func (n *nesting) texts(v *tree.Value, at *warning.Place) {
	for name, member := range v.Members() {
		if name != "item" && name != "event" {
			n.value(member, at)
		}
	}
}

func (n *nesting) value(v *tree.Value, at *warning.Place) {
	if v.Kind() == tree.String {
		if text := v.Text(); strings.Count(text, "{{") > 1 && strings.Contains(text, "}}") {
			if resolved := n.resolve(text); resolved != text {
				n.warnings.Add(warning.NestedVariables, at)
				v.Become(tree.NewString(resolved))
			}
		}
		return
	}
	for _, inner := range v.Values() {
		n.value(inner, at)
	}
}

// resolve returns a string with plain variables only.
func (n *nesting) resolve(text string) string {
	n.budget.Text(len(text))
	out := make([]byte, 0, len(text))
	for {
		i := strings.Index(text, "{{")
		if i < 0 {
			return string(append(out, text...))
		}
		name, size := n.name(text[i:], 1)
		if size > 0 {
			out = append(append(out, text[:i]...), "{{"+name+"}}"...)
		} else {
			size = 1
			out = append(out, text[:i+size]...)
		}
		text = text[i+size:]
	}
}

// name returns the name within the braces at the start of a text and the length of both, 0 if it is not a name.
// It replaces names within it by their values if that produces the name of a variable of the collection, and
// otherwise keeps them: a value only appears where the author put it. It takes linear time, because the length
// and the nesting of a name are limited.
func (n *nesting) name(text string, depth int) (name string, size int) {
	var values, names []byte
	for i := len("{{"); i < min(len(text), maxNested); {
		c := text[i : i+1]
		switch {
		case strings.HasPrefix(text[i:], "}}"):
			name = text[len("{{"):i]
			if made := string(values); n.values[made] != nil {
				name = made
			} else if made := string(names); request.VariableName(made) {
				name = made
			}
			return name, i + len("}}")
		case strings.HasPrefix(text[i:], "{{") && depth < maxResolved:
			inner, size := n.name(text[i:], depth+1)
			if size == 0 {
				return "", 0
			}
			values, names = append(values, n.known(inner)...), append(names, inner...)
			i += size
		case c != " " && !request.VariableName(c):
			return "", 0
		default:
			values, names = append(values, c...), append(names, c...)
			i++
		}
	}
	return "", 0
}

// known returns the value of a variable without variables in it, or "" if there is no value that can be in a
// name.
func (n *nesting) known(name string) string {
	if value, done := n.plain[name]; done {
		return value
	}
	n.budget.Parts(1)
	variable := n.values[name]
	if n.depth >= maxResolved || variable == nil || variable.Get("type").Text() == collection.SecretType {
		return ""
	}
	n.plain[name] = "" // ends a cycle
	n.depth++
	defer func() { n.depth-- }()
	text := collection.ValueText(variable.Get("value"))
	if !request.VariableName(text) && !strings.Contains(text, "{{") || len(text) > maxNested {
		return ""
	}
	var value strings.Builder
	for _, part := range request.Split(n.resolve(text)) {
		if part.Kind == request.VariablePart {
			if part.Text = n.known(part.Text); part.Text == "" {
				return ""
			}
		}
		value.WriteString(part.Text)
	}
	if !request.VariableName(value.String()) {
		return ""
	}
	n.plain[name] = value.String()
	return value.String()
}

// maxNested caps the bytes of a name, and of the value of a variable within one,
// before the variables in them are resolved.
const maxNested = 4096
