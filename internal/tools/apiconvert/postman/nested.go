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

// opened is a name that has begun in a text: what stands in it so far, with the
// values of the names in it, with those names, and as it is written when it
// turns out to be no name.
type opened struct{ values, names, text []byte }

func (o *opened) add(value, name, text string) {
	o.values = append(o.values, value...)
	o.names = append(o.names, name...)
	o.text = append(o.text, text...)
}

// resolve writes a text with plain variables only. What cannot be in a name
// ends all that are open. It is linear.
func (n *nesting) resolve(text string) string {
	n.budget.Text(len(text))
	out := make([]byte, 0, len(text))
	var open []opened
	forget := func() {
		for _, o := range open {
			out = append(append(out, "{{"...), o.text...)
		}
		open = open[:0]
	}
	for i := 0; i < len(text); {
		c := text[i:][:1]
		switch last := len(open) - 1; {
		case c == "{":
			run := len(text[i:]) - len(strings.TrimLeft(text[i:], "{"))
			begun := run / 2
			if run%2 == 1 || len(open)+begun > maxResolved {
				forget() // a brace alone is in no name: the last two of a run open one
				begun = min(begun, 1)
				out = append(out, text[i:i+run-2*begun]...)
			}
			open = append(open, make([]opened, begun)...)
			i += run
			continue
		case last >= 0 && strings.HasPrefix(text[i:], "}}"):
			name := n.name(&open[last])
			if open = open[:last]; last == 0 {
				out = append(out, "{{"+name+"}}"...)
			} else {
				open[last-1].add(n.known(name), name, "{{"+name+"}}")
			}
			i += len("}}")
			continue
		case c == "}" || c != " " && !request.VariableName(c):
			forget()
			out = append(out, c...)
		case last >= 0:
			open[last].add(c, c, c)
		default:
			out = append(out, c...)
		}
		i++
	}
	forget()
	return string(out)
}

// name is a name with the values of those in it where that is the name of a
// variable of the collection, with their names otherwise: no value stands where
// its author has not written it himself. It is as it stands in the text where
// that makes no name.
func (n *nesting) name(o *opened) string {
	if made := string(o.values); n.values[made] != nil {
		return made
	}
	if made := string(o.names); request.VariableName(made) {
		return made
	}
	return string(o.text)
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
