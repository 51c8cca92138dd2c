package postman

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// maxResolved is how many variables may stand in one another, which is how
// often Postman replaces the variables of a text.
const maxResolved = 19

// nest replaces the variables that stand in the names of variables by their
// values, in all texts of the collection: {{host_{{env}}}} becomes
// {{host_dev}}. Everything behind it knows plain variables only.
func (r *reader) nest(root *tree.Value) {
	n := nesting{reader: r, values: map[string]*tree.Value{}, plain: map[string]string{}}
	var whole *warning.Place
	n.collect(root)
	n.texts(root, whole)
	n.items(root.Get("item"), whole.Field("item"))
}

// nesting is the resolving of names in one collection.
type nesting struct {
	*reader
	values map[string]*tree.Value // of variables by their names
	plain  map[string]string      // values with all variables in them resolved, "" where that failed
	depth  int                    // of the variable whose value is being resolved
}

// collect takes the variables of a part and of the items in it; of those of one
// name the first that is not disabled.
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

// texts resolves the texts of a part but those of its items and scripts.
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
	for _, member := range v.Members() {
		n.value(member, at)
	}
	for _, element := range v.Elements() {
		n.value(element, at)
	}
}

// name is where the name of a variable stands in a text.
type name struct {
	from, to int
	inner    []name // names within it, in order
}

// resolve writes a text with plain variables only.
func (n *nesting) resolve(text string) string {
	n.budget.Text(len(text))
	var out strings.Builder
	last := 0
	for _, outer := range nestedNames(text) {
		out.WriteString(text[last:outer.from])
		out.WriteString(n.written(text, outer))
		last = outer.to
	}
	out.WriteString(text[last:])
	return out.String()
}

// nestedNames finds the names with names in them. What cannot be in a name ends
// all that are open. It is linear.
func nestedNames(text string) []name {
	var found, open []name
	forget := func() {
		for _, o := range open {
			for _, inner := range o.inner {
				if inner.inner != nil {
					found = append(found, inner)
				}
			}
		}
		open = open[:0]
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '{':
			run := len(text[i:]) - len(strings.TrimLeft(text[i:], "{"))
			if i += run - 1; run%2 == 1 || len(open)+run/2 > maxResolved {
				forget() // a brace alone is in no name: the last two of a run open one
				run = 2 * min(run/2, 1)
			}
			for k := run/2 - 1; k >= 0; k-- {
				open = append(open, name{from: i + 1 - 2*k})
			}
		case c == '}' && len(open) > 0 && strings.HasPrefix(text[i:], "}}"):
			closed := open[len(open)-1]
			open = open[:len(open)-1]
			closed.to = i
			if len(open) > 0 {
				outer := &open[len(open)-1]
				outer.inner = append(outer.inner, closed)
			} else if closed.inner != nil {
				found = append(found, closed)
			}
			i++
		case c == '}' || !request.VariableName(text[i:i+1]) && c != ' ':
			forget()
		}
	}
	forget()
	return found
}

// written is a name with the values of those in it where that is the name of a
// variable of the collection, with their names otherwise: no value stands where
// its author has not written it himself. It is as it stands in the text where
// that makes no name.
func (n *nesting) written(text string, outer name) string {
	var values, names strings.Builder
	last := outer.from
	for _, inner := range outer.inner {
		literal, own := text[last:inner.from-len("{{")], n.written(text, inner)
		values.WriteString(literal + n.known(own))
		names.WriteString(literal + own)
		last = inner.to + len("}}")
	}
	rest := text[last:outer.to]
	if made := values.String() + rest; n.values[made] != nil {
		return made
	}
	if made := names.String() + rest; request.VariableName(made) {
		return made
	}
	return text[outer.from:outer.to]
}

// known is the value of a variable without variables in it; "" when there is
// none that can be in a name.
func (n *nesting) known(name string) string {
	if value, done := n.plain[name]; done {
		return value
	}
	n.budget.Parts(1)
	variable := n.values[name]
	if n.depth >= maxResolved || variable == nil || variable.Get("type").Text() == secretType {
		return ""
	}
	n.plain[name] = "" // a circle ends here
	n.depth++
	defer func() { n.depth-- }()
	text := valueText(variable.Get("value"))
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

// maxNested is how long the value of a variable may be that stands in a name,
// in bytes, before its own variables are resolved.
const maxNested = 4096
