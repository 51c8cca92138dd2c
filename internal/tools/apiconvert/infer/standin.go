package infer

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/sample"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// standIns maps the placeholders that Postman writes for values when it generates a collection from an OpenAPI
// document, such as "<long>", to the type and format they name (openapi-to-postman, typesMap).
var standIns = map[string]struct{ kind, format string }{
	"integer": {"integer", ""}, "long": {"integer", "int64"},
	"number": {"number", ""}, "float": {"number", "float"}, "double": {"number", "double"},
	"boolean": {"boolean", ""},
	"string":  {"string", ""}, "date": {"string", "date"}, "dateTime": {"string", "date-time"},
	"byte": {"string", "byte"}, "binary": {"string", "binary"}, "password": {"string", "password"},
	// Postman writes other formats under their own names.
	"uuid": {"string", "uuid"}, "email": {"string", "email"}, "uri": {"string", "uri"}, "url": {"string", "url"},
	"hostname": {"string", "hostname"}, "ipv4": {"string", "ipv4"}, "ipv6": {"string", "ipv6"}, "time": {"string", "time"},
}

// IsStandIn reports whether a string is a placeholder that names the type of a value.
func IsStandIn(text string) bool {
	_, ok := standIns[placeholderName(text)]
	return ok
}

func placeholderName(text string) string {
	if inner, ok := strings.CutPrefix(text, "<"); ok {
		inner, _ = strings.CutSuffix(inner, ">")
		if len(inner) == len(text)-len("<>") {
			return inner
		}
	}
	return ""
}

// OnlyStandIns reports whether a sample holds placeholders that name a type, and no other values.
func OnlyStandIns(v *tree.Value) bool {
	some, others := false, false
	leaves(v, maxInferred, func(leaf *tree.Value) {
		is := leaf.Kind() == tree.String && IsStandIn(leaf.Text())
		some, others = some || is, others || !is
	})
	return some && !others
}

// Fill replaces each placeholder in a sample with a value of the type that it names, the same value that package
// sample uses.
func Fill(v *tree.Value) {
	leaves(v, maxInferred, func(leaf *tree.Value) {
		if value := StandIn(leaf.Text()); value != nil {
			leaf.Become(value)
		}
	})
}

// StandIn returns the value that Fill replaces a placeholder with, or nil if text isn't one.
func StandIn(text string) *tree.Value {
	in, ok := standIns[placeholderName(text)]
	switch {
	case !ok:
		return nil
	case in.kind == "integer" || in.kind == "number":
		return tree.NewNumber("1")
	case in.kind == "boolean":
		return tree.NewBool(true)
	}
	return tree.NewString(sample.OfFormat(in.format))
}

// leaves calls visit for each value that isn't an array or object.
func leaves(v *tree.Value, levels int, visit func(leaf *tree.Value)) {
	switch {
	case v == nil || levels == 0:
	case v.Kind() == tree.Array || v.Kind() == tree.Object:
		for _, value := range v.Values() {
			leaves(value, levels-1, visit)
		}
	default:
		visit(v)
	}
}
