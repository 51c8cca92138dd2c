package multiply

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// object is what can be shared in an OpenAPI document: an object of a kind that a reference may point to.
type object struct {
	name string
	kind string // of kinds
	part        // {self} is a reference to the object itself; a component named h exists in some sections
}

// kind is what all objects of a kind have in common.
type kind struct {
	section string // of components
	inside  string // members of an operation that has one {ref}
	list    part   // members of one operation that has many
}

const (
	okResponse = `"responses":{"200":{"description":"a",`
	jsonBody   = `"requestBody":{"content":{"application/json":`
	methods    = `"get":{},"put":{},"post":{},"delete":{},"options":{},"head":{},"patch":{},"trace":{}`
)

var kinds = map[string]kind{
	"path item": {section: "pathItems"},
	"parameter": {"parameters", `"parameters":[{ref}]`, part{`"parameters":[`, `{ref},`, `]`}},
	"response": {"responses", `"responses":{"200":{ref},"201":{ref},"default":{ref}}`,
		part{`"responses":{`, `"x{n}":{ref},`, `}`}},
	"header": {"headers", okResponse + `"headers":{"H":{ref}}}}`,
		part{okResponse + `"headers":{`, `"H{n}":{ref},`, `}}}`}},
	"request body": {"requestBodies", `"requestBody":{ref}`, part{`"requestBody":{ref},"callbacks":{`, `"c{n}":{"{$url}":{"post":{"requestBody":{ref}}}},`, `}`}},
	"media type": {"mediaTypes", `"requestBody":{"content":{"application/json":{ref},"text/plain":{ref}}}`,
		part{`"requestBody":{"content":{`, `"text/t{n}":{ref},`, `}}`}},
	"example": {"examples", jsonBody + `{"examples":{"a":{ref}}}}}`,
		part{jsonBody + `{"examples":{`, `"e{n}":{ref},`, `}}}}`}},
	"schema": {"schemas", jsonBody + `{"schema":{ref}}}}`,
		part{jsonBody + `{"schema":{"properties":{`, `"p{n}":{ref},`, `}}}}}`}},
	"form schema": {"schemas", `"requestBody":{"content":{"application/x-www-form-urlencoded":{"schema":{ref}}}}`,
		part{`"requestBody":{"content":{"multipart/form-data":{"schema":{"properties":{`, `"p{n}":{ref},`, `}}}}}`}},
	"link":     {"links", okResponse + `"links":{"l":{ref}}}}`, part{okResponse + `"links":{`, `"l{n}":{ref},`, `}}}`}},
	"callback": {"callbacks", `"callbacks":{"c":{ref}}`, part{`"callbacks":{`, `"c{n}":{ref},`, `}`}},
	"root":     {},
}

// use refers to an object, with pieces among the paths and with its own components. {inside} is kind.inside, {ref} the
// reference.
type use struct {
	name  string
	paths part     // members of paths; the piece {list} is kind.list
	chain string   // a component of the object's own section: {next} refers to the next one, the last one refers to the object, and {ref} in paths to the first
	item  string   // a component of the section pathItems, {ref item}
	kinds []string // all others if it is empty
}

var schemas = []string{"schema", "form schema"}

const eight = `"get":{{inside}},"put":{{inside}},"post":{{inside}},"delete":{{inside}},"options":{{inside}},"head":{{inside}},"patch":{{inside}},"trace":{{inside}}`

var uses = []use{
	{name: "paths", paths: part{"", `"/p{n}":{"get":{{inside}}},`, ""}},
	{name: "methods", paths: part{"", `"/p{n}":{` + eight + `},`, ""}},
	{name: "one operation", paths: part{`"/a":{"post":{`, "{list}", `}}`}},
	{name: "callbacks", paths: part{`"/a":{"post":{"callbacks":{`, `"c{n}":{"{$url}":{"post":{{inside}}}},`, `}}}`}},
	{name: "webhooks", paths: part{`"/a":{}},"webhooks":{`, `"w{n}":{"post":{{inside}}},`, ``}},
	{name: "path item of paths", item: `{` + eight + `}`, paths: part{"", `"/p{n}":{ref item},`, ""}},
	{name: "chain", chain: "{next}", paths: part{"", `"/p{n}":{"get":{{inside}}},`, ""}},
	{name: "doubling properties", kinds: schemas, paths: part{head: `"/a":{"get":{{inside}}}`},
		chain: `{"properties":{"a":{next},"b":{next}}}`},
	{name: "doubling allOf", kinds: schemas, paths: part{head: `"/a":{"get":{{inside}}}`},
		chain: `{"allOf":[{next},{next}]}`},
	{name: "doubling oneOf", kinds: schemas, paths: part{head: `"/a":{"get":{{inside}}}`},
		chain: `{"oneOf":[{next},{next}],"items":{next},"not":{next}}`},
	{name: "shared parameters", kinds: []string{"parameter"}, paths: part{"", `"/p{n}":{"parameters":[{ref}],` + methods + `},`, ""}},
	{name: "allOf", kinds: schemas, paths: part{jsonPost + `{"allOf":[`, `{ref},`, `]}}}}}}`}},
	{name: "oneOf", kinds: schemas, paths: part{jsonPost + `{"oneOf":[`, `{ref},`, `]}}}}}}`}},
	{name: "anyOf", kinds: schemas, paths: part{jsonPost + `{"anyOf":[`, `{ref},`, `]}}}}}}`}},
	{name: "prefixItems", kinds: schemas, paths: part{jsonPost + `{"type":"array","prefixItems":[`, `{ref},`, `]}}}}}}`}},
	{name: "parameters' schemas", kinds: schemas, paths: part{`"/a":{"get":{"parameters":[`, `{"name":"q{n}","in":"query","style":"deepObject","schema":{ref}},`, `]}}`}},
	{name: "parameters' content", kinds: schemas, paths: part{`"/a":{"get":{"parameters":[`, `{"name":"q{n}","in":"query","content":{"application/json":{"schema":{ref}}}},`, `]}}`}},
	{name: "headers' schemas", kinds: schemas, paths: part{`"/a":{"get":{` + okResponse + `"headers":{`, `"H{n}":{"schema":{ref}},`, `}}}}}`}},
	{name: "encoding headers", kinds: []string{"header"}, paths: part{`"/a":{"post":{"requestBody":{"content":{"multipart/form-data":{"schema":{"properties":{"a":{}}},"encoding":{"a":{"headers":{`, `"H{n}":{ref},`, `}}}}}}}}`}},
	{name: "examples of parameters", kinds: []string{"example"}, paths: part{`"/a":{"get":{"parameters":[`, `{"name":"q{n}","in":"query","examples":{"a":{ref},"b":{ref}}},`, `]}}`}},
}

const jsonPost = `"/a":{"post":{` + jsonBody + `{"schema":`

// itemUses refer to a path item, which appears outside operations.
var itemUses = []use{
	{name: "paths", paths: part{"", `"/p{n}":{ref},`, ""}},
	{name: "paths of short names", paths: part{"", `"/{n}":{ref},`, ""}},
	{name: "paths with parameters", paths: part{"", `"/{n}/{a}/{b}":{ref},`, ""}},
	{name: "callbacks", paths: part{`"/a":{"post":{"callbacks":{`, `"c{n}":{"{$url}":{ref}},`, `}}}`}},
	{name: "webhooks", paths: part{`"/a":{}},"webhooks":{`, `"w{n}":{ref},`, ``}},
	{name: "chain", chain: "{next}", paths: part{"", `"/p{n}":{ref},`, ""}},
}

// rootUses refer to properties of the root that apply to all operations.
var rootUses = []use{
	{name: "paths", paths: part{"", `"/p{n}":{"get":{}},`, ""}},
	{name: "methods", paths: part{"", `"/p{n}":{` + methods + `},`, ""}},
	{name: "path item of paths", item: `{` + methods + `}`, paths: part{"", `"/p{n}":{ref item},`, ""}},
}

// way is how a format uses one object in many places.
type way struct {
	format, version, mediaType string
	define                     func(section, name, value string) string
	refer                      func(section, name string) string
}

func pointer(section, name string) string {
	return `{"$ref":"#/components/` + section + `/` + name + `"}`
}

func defined(_, name, value string) string { return `"` + name + `":` + value }

func anchored(section, name, value string) string {
	return `"` + name + `": &` + section + name + " " + value
}

const jsonType, yamlType = "application/json", "application/yaml"

var ways = []way{
	{"openapi-3.0", "3.0.3", jsonType, defined, pointer},
	{"openapi-3.1", "3.1.0", jsonType, defined, pointer},
	{"openapi-3.2", "3.2.0", jsonType, defined, pointer},
	{"openapi-yaml", "3.1.0", yamlType, defined, pointer},
	{"yaml-alias", "3.1.0", yamlType, anchored, func(section, name string) string { return " *" + section + name + " " }},
	{"yaml-merge", "3.0.3", yamlType, anchored, func(section, name string) string { return "{<<: *" + section + name + " }" }},
}

func openAPI() []Document {
	var all []Document
	for _, w := range ways {
		for _, o := range objects {
			list := uses
			switch o.kind {
			case "path item":
				list = itemUses
			case "root":
				list = rootUses
			}
			for _, u := range list {
				if len(u.kinds) > 0 && !slices.Contains(u.kinds, o.kind) {
					continue
				}
				all = append(all, Document{w.format, o.kind + " of " + o.name, u.name, w.mediaType,
					func(shared, refers int) string { return w.document(o, u, shared, refers) }})
			}
		}
	}
	return all
}

// components are members of components, by section, to which objects refer.
var components = map[string]string{
	"parameters":      `"h":{"name":"h","in":"header","example":` + someText + `}`,
	"headers":         `"h":{"example":` + someText + `}`,
	"schemas":         `"h":{"type":"object","properties":{"a":{"example":` + someText + `},"b":{"type":"array","minItems":50,"items":{"example":` + someText + `}}}}`,
	"securitySchemes": `"k":{"type":"apiKey","in":"query","name":"k"},"k0":{"type":"http","scheme":"basic"}`,
}

// document combines an object and its use. Anchors precede their aliases: the object's section of components comes
// first, then the others, then the paths.
func (w way) document(o object, u use, shared, refers int) string {
	k, own := kinds[o.kind], o.part
	ref, root := "", ""
	var list []string
	add := func(section, members string) {
		if always := components[section]; always != "" {
			members += "," + always
		}
		list = append(list, `"`+section+`":{`+strings.Trim(members, ",")+`}`)
	}
	if k.section == "" {
		root = own.text(shared)
	} else {
		ref = w.refer(k.section, "s")
		self := ref
		if w.mediaType == yamlType {
			self = pointer(k.section, "s") // no alias is part of its anchor
		}
		own.piece = strings.ReplaceAll(own.piece, "{self}", self)
		members := w.define(k.section, "s", own.text(shared))
		if u.chain != "" {
			if u.paths.piece != "" {
				refers /= 2
			}
			members += "," + w.chain(u.chain, k, ref, refers)
			ref = w.refer(k.section, "c0")
		}
		add(k.section, members)
	}
	references := strings.NewReplacer("{ref}", ref, "{ref item}", w.refer("pathItems", "t"))
	resolved := func(text string) string { return references.Replace(strings.ReplaceAll(text, "{inside}", k.inside)) }
	if u.item != "" {
		add("pathItems", w.define("pathItems", "t", resolved(u.item)))
	}
	for _, section := range slices.Sorted(maps.Keys(components)) {
		if section != k.section {
			add(section, "")
		}
	}
	p := u.paths
	if p.piece == "{list}" {
		p = part{p.head + k.list.head, k.list.piece, k.list.tail + p.tail}
	}
	p = part{resolved(p.head), resolved(p.piece), resolved(p.tail)}
	text := `{"openapi":"` + w.version + `","info":{"title":"a","version":"1"},"components":{` + strings.Join(list, ",") + `},` + root + `"paths":{` + p.text(refers) + `}}`
	if w.mediaType == yamlType {
		return "--- " + text // if it began with a brace, it would be read as JSON
	}
	return text
}

// chain returns components that each refer to the next one, the last one to the object. They are written from the last
// to the first, because anchors must precede aliases.
func (w way) chain(value string, k kind, ref string, size int) string {
	length := times(w.define(k.section, "c00000", strings.ReplaceAll(value, "{next}", w.refer(k.section, "c00000"))), size)
	var list []string
	for n := length; n >= 0; n-- {
		text := ref
		if n < length {
			text = strings.ReplaceAll(value, "{next}", w.refer(k.section, fmt.Sprint("c", n+1)))
		}
		if strings.HasPrefix(text, " *") {
			text = "{<<:" + text + "}" // an alias cannot have an anchor
		}
		list = append(list, w.define(k.section, fmt.Sprint("c", n), text))
	}
	return strings.Join(list, ",")
}
