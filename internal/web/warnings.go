package web

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/convertd/convertd/internal/contract"
)

// raised says which conversions raise a warning, and has an example.
type raised struct {
	// Conversions maps a source format of api_convert, or the name of another tool, to its targets without -json and
	// -yaml; another tool has the target "".
	Conversions map[string][]string
	// The example: a key of Conversions, the option target, the input and output, at most 30 lines each, and the warning.
	From, To, Input, Output, Line string
}

//go:embed warnings.json
var raisedJSON []byte

// raisedByCode returns what raises each warning code. TestRaised writes and checks it.
var raisedByCode = sync.OnceValue(func() (list map[string]raised) {
	if err := json.Unmarshal(raisedJSON, &list); err != nil {
		panic(err) // it is built in and tested
	}
	return list
})

// sources and targets are the formats of api_convert in the order of the pages; targets with their names there.
var (
	sources = []string{"Postman", "OpenAPI 3", "Swagger 2.0", "cURL", "HAR"}
	targets = [][2]string{
		{"openapi-3.2", "OpenAPI 3.2"}, {"openapi-3.1", "OpenAPI 3.1"}, {"openapi-3.0", "OpenAPI 3.0"},
		{"swagger-2.0", "Swagger 2.0"}, {"postman-2.1", "Postman"}, {"curl", "cURL"},
	}
)

// openAPI is how many of the targets are OpenAPI documents.
const openAPI = 4

// kind is what some of the warnings have in common.
type kind struct{ id, title, says, remedy string }

var kinds = []kind{
	{"secrets", "Secrets", "The input has credentials.",
		"Before you share the output, read it for secrets that were not recognized. Where you use it, put your own values in place of the placeholders."},
	{"lost", "Lost", "Something in the input is missing from the output, because the target format has no place for it or because it could not be read.",
		"Look at the location in the input that the warning names. If you need what is there, add it to the output by hand, or choose a target that keeps it."},
	{"changed", "Changed", "Something in the input has another form or another location in the output.",
		"Compare the location in the input that the warning names with the output. If something depends on the old form, adapt it."},
	{"added", "Added", "Something in the output was not in the input.",
		"Check it and put your own value there."},
	{"other", "Other", "", "Check what the warning names before you rely on it."},
}

// kindOf returns the kind of a code: its prefix, if it has one.
func kindOf(code string) kind {
	prefix, _, prefixed := strings.Cut(code, ".")
	if strings.Contains(code, "secret") || strings.Contains(code, "placeholder_kept") {
		prefix, prefixed = "secrets", true
	}
	i := slices.IndexFunc(kinds, func(k kind) bool { return prefixed && k.id == prefix })
	if i < 0 {
		i = len(kinds) - 1
	}
	return kinds[i]
}

// origin returns the heading under which the list has a warning: the format, or the tool, that alone raises it.
func (r raised) origin() string {
	var list []string
	for from := range r.Conversions {
		if !slices.Contains(sources, from) {
			return from
		}
		if family := strings.Replace(strings.Replace(from, "Swagger 2.0", "OpenAPI", 1), "OpenAPI 3", "OpenAPI", 1); !slices.Contains(list, family) {
			list = append(list, family)
		}
	}
	if len(list) == 1 {
		return "From " + list[0]
	}
	return "From any format"
}

// names returns the names of targets, "" if there are none.
func names(list []string) string {
	var named []string
	for i, target := range targets {
		if !slices.Contains(list, target[0]) {
			continue
		}
		if named = append(named, target[1]); i == openAPI-1 && len(named) == openAPI {
			named = []string{"OpenAPI"}
		}
	}
	return strings.Join(named, ", ")
}

// to returns the names of the targets to which any source raises the warning.
func (r raised) to() string {
	var all []string
	for _, list := range r.Conversions {
		all = append(all, list...)
	}
	return names(all)
}

// conversions returns a row for each source: the targets that raise the warning, and those that do not.
func (r raised) conversions() (rows []values) {
	for _, source := range sources {
		list := r.Conversions[source]
		var others []string
		for _, target := range targets {
			if !slices.Contains(list, target[0]) {
				others = append(others, target[0])
			}
		}
		if len(list) > 0 {
			rows = append(rows, values{"from": source, "to": names(list), "not": names(others)})
		}
	}
	return rows
}

// addWarnings adds the pages of warning codes.
func (p *pages) addWarnings(site *Site) {
	each := map[string]func() values{}
	for _, warning := range p.config.Contract.Warnings() {
		each[warning.Code] = func() values { return warningValues(warning) }
	}
	p.addCodes(site, "warning", p.warningList, each)
}

// warningList returns the groups of the list: the kinds, each by what raises its warnings.
func (p *pages) warningList() values {
	all := p.config.Contract.Warnings()
	var groups []values
	for _, k := range kinds {
		byOrigin := map[string][]values{}
		for _, w := range all {
			if kindOf(w.Code) == k {
				r := raisedByCode()[w.Code]
				byOrigin[r.origin()] = append(byOrigin[r.origin()], values{"code": w.Code, "meaning": w.Meaning, "to": r.to()})
			}
		}
		var origins []values
		for _, origin := range []string{"From Postman", "From OpenAPI", "From cURL", "From HAR", "From any format"} {
			if codes := byOrigin[origin]; codes != nil {
				origins = append(origins, values{"origin": origin, "codes": codes})
				delete(byOrigin, origin)
			}
		}
		for _, tool := range p.config.Contract.ToolNames() {
			if codes := byOrigin[tool]; codes != nil {
				origins = append(origins, values{"origin": tool, "codes": codes})
			}
		}
		groups = append(groups, values{"id": k.id, "group": k.title, "intro": k.says != "", "says": k.says, "origins": origins})
	}
	return values{"count": len(all), "groups": groups}
}

func warningValues(w contract.Warning) values {
	k, r := kindOf(w.Code), raisedByCode()[w.Code]
	rows, tool := r.conversions(), r.From
	if len(rows) > 0 {
		tool = "api_convert, target " + r.To
	}
	return values{
		"code": w.Code, "meaning": w.Meaning, "says": k.says, "remedy": k.remedy, "located": strings.Contains(w.Code, "."),
		"example": r.Line != "", "input": r.Input, "output": r.Output, "line": r.Line, "tool": tool, "from": r.From,
		"converts": len(rows) > 0, "conversions": rows,
	}
}
