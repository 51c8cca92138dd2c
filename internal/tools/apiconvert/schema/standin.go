package schema

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// standIns are the texts that Postman writes for values when it makes a
// collection of a description, "<long>", with the type and format they name
// (openapi-to-postman, typesMap).
var standIns = map[string]struct{ kind, format string }{
	"integer": {"integer", ""}, "long": {"integer", "int64"},
	"number": {"number", ""}, "float": {"number", "float"}, "double": {"number", "double"},
	"boolean": {"boolean", ""},
	"string":  {"string", ""}, "date": {"string", "date"}, "dateTime": {"string", "date-time"},
	"byte": {"string", "byte"}, "binary": {"string", "binary"}, "password": {"string", "password"},
	// Other formats it writes as they are.
	"uuid": {"string", "uuid"}, "email": {"string", "email"}, "uri": {"string", "uri"}, "url": {"string", "url"},
	"hostname": {"string", "hostname"}, "ipv4": {"string", "ipv4"}, "ipv6": {"string", "ipv6"}, "time": {"string", "time"},
}

// IsStandIn reports whether a text only names the type of a value.
func IsStandIn(text string) bool {
	_, ok := standIns[standInName(text)]
	return ok
}

func standInName(text string) string {
	if inner, ok := strings.CutPrefix(text, "<"); ok {
		inner, _ = strings.CutSuffix(inner, ">")
		if len(inner) == len(text)-len("<>") {
			return inner
		}
	}
	return ""
}

// OnlyStandIns reports whether a sample holds texts that name a type, and no
// other value.
func OnlyStandIns(v *tree.Value) bool {
	some, others := false, false
	leaves(v, maxInferred, func(leaf *tree.Value) {
		is := leaf.Kind() == tree.String && IsStandIn(leaf.Text())
		some, others = some || is, others || !is
	})
	return some && !others
}

// Fill puts a value of the type in the place of each text of a sample that only
// names it, as samples of descriptions have it.
func Fill(v *tree.Value) {
	leaves(v, maxInferred, func(leaf *tree.Value) {
		in, ok := standIns[standInName(leaf.Text())]
		if !ok {
			return
		}
		switch in.kind {
		case "integer", "number":
			leaf.Become(tree.NewNumber("1"))
		case "boolean":
			leaf.Become(tree.NewBool(true))
		default:
			text := plainText
			if sample, known := samples[in.format]; known {
				text = sample
			}
			leaf.Become(tree.NewString(text))
		}
	})
}

// leaves calls visit for what is no array or object.
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
