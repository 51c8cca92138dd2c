package reader

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/postman/collection"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// collect collects the values of the variables of a collection or folder and of its items. Of several variables with
// one name, Postman uses the first that is not disabled.
func (r *reader) collect(v *tree.Value) {
	for _, one := range v.Get("variable").Elements() {
		if name := one.Get("key").Text(); r.values[name] == nil && !one.Get("disabled").Bool() {
			r.values[name] = one
		}
	}
	for _, item := range v.Get("item").Elements() {
		r.collect(item)
	}
}

// nest replaces variables within the names of variables by their values, in all strings of a value except those in
// its items and scripts: {{host_{{env}}}} becomes {{host_dev}}. Later code only sees plain variables.
func (r *reader) nest(v *tree.Value, at *tree.Value) {
	for name, member := range v.Members() {
		if name != "item" && name != "event" {
			r.nestText(member, at)
		}
	}
}

// maxNested limits the nesting of variables in names.
const maxNested = 3

func (r *reader) nestText(v *tree.Value, at *tree.Value) {
	for _, inner := range v.Values() {
		r.nestText(inner, at)
	}
	text := v.Text()
	for i := 0; i < maxNested && hasNested(text); i++ {
		text = nestedName().ReplaceAllStringFunc(text, r.plainName)
	}
	if text != v.Text() {
		r.warnings.Add(warning.ChangedNestedVariables, at)
		v.Become(tree.NewString(text))
	}
}

// hasNested reports whether a text opens a variable within another.
func hasNested(text string) bool {
	if strings.Count(text, "{{") < 2 {
		return false
	}
	for before := range strings.SplitSeq(text, "}}") {
		if strings.Count(before, "{{") > 1 {
			return true
		}
	}
	return false
}

// nestedName matches a variable whose name contains plain variables.
var nestedName = expression.Lazy(`\{\{(?:[^{}]*\{\{[^{}]+\}\})+[^{}]*\}\}`)

// plainName replaces the variables in a name by their values if that produces the name of a variable of the
// collection, and otherwise by their names: a value only appears where the author put it.
func (r *reader) plainName(nested string) string {
	var values, names strings.Builder
	for _, part := range request.Split(nested[len("{{") : len(nested)-len("}}")]) {
		names.WriteString(part.Text)
		if v := r.values[part.Text]; part.Kind == request.VariablePart && v.Get("type").Text() != collection.SecretType {
			if value, _ := v.Get("value").Scalar(); request.VariableName(value) {
				part.Text = value
			}
		}
		values.WriteString(part.Text)
	}
	switch {
	case r.values[values.String()] != nil:
		return "{{" + values.String() + "}}"
	case request.VariableName(names.String()):
		return "{{" + names.String() + "}}"
	}
	return nested
}
