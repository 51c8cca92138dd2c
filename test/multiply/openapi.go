package multiply

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// share is what can be shared in an OpenAPI document: an object of a kind that a reference may point to.
type share struct {
	name string
	kind string            // of kinds
	part                   // {self} is a reference to the share itself
	also map[string]string // members of other sections of components, by section
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

// referrer refers to a share: with pieces among the paths, and with its own
// components. {inside} is kind.inside, {ref} the reference.
type referrer struct {
	name       string
	paths      part              // members of paths; the piece {list} is kind.list
	root       part              // members of the root that contain references
	components string            // a piece of the share's own section
	chain      string            // a component of the share's own section: {next} refers to the next one, the last one refers to the share, and {ref} in paths to the first
	fixed      map[string]string // one component, by section
	kinds      []string          // all others if it is empty
}

var schemas = []string{"schema", "form schema"}

const eight = `"get":{{inside}},"put":{{inside}},"post":{{inside}},"delete":{{inside}},"options":{{inside}},"head":{{inside}},"patch":{{inside}},"trace":{{inside}}`

var referrers = []referrer{
	{name: "paths", paths: part{"", `"/p{n}":{"get":{{inside}}},`, ""}},
	{name: "methods", paths: part{"", `"/p{n}":{` + eight + `},`, ""}},
	{name: "one operation", paths: part{`"/a":{"post":{`, "{list}", `}}`}},
	{name: "callbacks", paths: part{`"/a":{"post":{"callbacks":{`, `"c{n}":{"{$url}":{"post":{{inside}}}},`, `}}}`}},
	{name: "webhooks", paths: part{head: `"/a":{}`}, root: part{`"webhooks":{`, `"w{n}":{"post":{{inside}}},`, `},`}},
	{name: "path item of paths", fixed: map[string]string{"pathItems": `{` + eight + `}`},
		paths: part{"", `"/p{n}":{ref path item},`, ""}},
	{name: "components", paths: part{head: `"/a":{"get":{{inside}}}`}, components: `"c{n}":{ref},`},
	{name: "chain", chain: "{next}", paths: part{"", `"/p{n}":{"get":{{inside}}},`, ""}},
	{name: "doubling properties", kinds: schemas, paths: part{head: `"/a":{"get":{{inside}}}`},
		chain: `{"properties":{"a":{next},"b":{next}}}`},
	{name: "doubling allOf", kinds: schemas, paths: part{head: `"/a":{"get":{{inside}}}`},
		chain: `{"allOf":[{next},{next}]}`},
	{name: "doubling oneOf", kinds: schemas, paths: part{head: `"/a":{"get":{{inside}}}`},
		chain: `{"oneOf":[{next},{next}],"items":{next},"not":{next}}`},
	{name: "shared parameters", kinds: []string{"parameter"}, paths: part{"", `"/p{n}":{"parameters":[{ref}],` + methods + `},`, ""}},
	{name: "shared response of paths", kinds: []string{"header", "media type", "link", "example", "schema"},
		fixed: map[string]string{"responses": `{"description":"a","headers":{"A":{header},"B":{header}},"links":{"l":{link}},"content":{"a/a":{content},"a/b":{content},"a/c":{content},"a/d":{content}}}`},
		paths: part{"", `"/p{n}":{"get":{"responses":{"200":{ref response},"201":{ref response},"202":{ref response},"203":{ref response}}}},`, ""}},
	{name: "allOf", kinds: schemas, paths: part{jsonPost + `{"allOf":[`, `{ref},`, `]}}}}}}`}},
	{name: "oneOf", kinds: schemas, paths: part{jsonPost + `{"oneOf":[`, `{ref},`, `]}}}}}}`}},
	{name: "anyOf", kinds: schemas, paths: part{jsonPost + `{"anyOf":[`, `{ref},`, `]}}}}}}`}},
	{name: "prefixItems", kinds: schemas, paths: part{jsonPost + `{"type":"array","prefixItems":[`, `{ref},`, `]}}}}}}`}},
	{name: "parameters' schemas", kinds: schemas, paths: part{`"/a":{"get":{"parameters":[`, `{"name":"q{n}","in":"query","style":"deepObject","schema":{ref}},`, `]}}`}},
	{name: "parameters' content", kinds: append(schemas, "media type"), paths: part{`"/a":{"get":{"parameters":[`, `{"name":"q{n}","in":"query","content":{"application/json":{content}}},`, `]}}`}},
	{name: "headers' schemas", kinds: schemas, paths: part{`"/a":{"get":{` + okResponse + `"headers":{`, `"H{n}":{"schema":{ref}},`, `}}}}}`}},
	{name: "encoding headers", kinds: []string{"header"}, paths: part{`"/a":{"post":{"requestBody":{"content":{"multipart/form-data":{"schema":{"properties":{"a":{}}},"encoding":{"a":{"headers":{`, `"H{n}":{ref},`, `}}}}}}}}`}},
	{name: "examples of parameters", kinds: []string{"example"}, paths: part{`"/a":{"get":{"parameters":[`, `{"name":"q{n}","in":"query","examples":{"a":{ref},"b":{ref}}},`, `]}}`}},
}

const jsonPost = `"/a":{"post":{` + jsonBody + `{"schema":`

// itemReferrers refer to a path item, which appears outside operations.
var itemReferrers = []referrer{
	{name: "paths", paths: part{"", `"/p{n}":{ref},`, ""}},
	{name: "paths of short names", paths: part{"", `"/{n}":{ref},`, ""}},
	{name: "paths with parameters", paths: part{"", `"/{n}/{a}/{b}":{ref},`, ""}},
	{name: "callbacks", paths: part{`"/a":{"post":{"callbacks":{`, `"c{n}":{"{$url}":{ref}},`, `}}}`}},
	{name: "webhooks", paths: part{head: `"/a":{}`}, root: part{`"webhooks":{`, `"w{n}":{ref},`, `},`}},
	{name: "components", paths: part{head: `"/a":{ref}`}, components: `"c{n}":{ref},`},
	{name: "chain", chain: "{next}", paths: part{"", `"/p{n}":{ref},`, ""}},
}

// rootReferrers refer to properties of the root that apply to all operations.
var rootReferrers = []referrer{
	{name: "paths", paths: part{"", `"/p{n}":{"get":{}},`, ""}},
	{name: "methods", paths: part{"", `"/p{n}":{` + methods + `},`, ""}},
	{name: "path item of paths", fixed: map[string]string{"pathItems": `{` + methods + `}`}, paths: part{"", `"/p{n}":{ref path item},`, ""}},
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
		for _, s := range shares {
			list := referrers
			switch s.kind {
			case "path item":
				list = itemReferrers
			case "root":
				list = rootReferrers
			}
			for _, r := range list {
				if len(r.kinds) > 0 && !slices.Contains(r.kinds, s.kind) {
					continue
				}
				all = append(all, Document{w.format, s.kind + " of " + s.name, r.name, w.mediaType,
					func(shared, refers int) string { return w.document(s, r, shared, refers) }})
			}
		}
	}
	return all
}

// document combines a share and a referrer. Anchors precede their aliases: the
// share's component comes first, then those of the referrer, then the paths.
func (w way) document(s share, r referrer, shared, refers int) string {
	k := kinds[s.kind]
	ref, own, root := "", s.part, ""
	parts := &components{}
	for _, section := range slices.Sorted(maps.Keys(s.also)) {
		parts.add(section, s.also[section])
	}
	if k.section == "" {
		root = own.text(shared)
	} else {
		ref = w.refer(k.section, "s")
		self := ref
		if w.yaml() {
			self = pointer(k.section, "s") // no alias is part of its anchor
		}
		own.piece = strings.ReplaceAll(own.piece, "{self}", self)
		parts.add(k.section, w.define(k.section, "s", own.text(shared)))
	}
	for _, section := range slices.Sorted(maps.Keys(r.fixed)) {
		parts.add(section, w.define(section, "t", w.resolve(r.fixed[section], k, ref)))
	}
	if r.components != "" {
		parts.add(k.section, fill(w.resolve(r.components, k, ref), refers))
		refers = 0
	}
	if r.chain != "" {
		if r.paths.piece != "" {
			refers /= 2
		}
		parts.add(k.section, w.chain(r.chain, k, ref, refers))
		ref = w.refer(k.section, "c0")
	}
	if r.root.piece != "" {
		root += r.root.head + fill(w.resolve(r.root.piece, k, ref), refers) + r.root.tail
		refers = 0
	}
	p := r.paths
	if p.piece == "{list}" {
		p = part{p.head + k.list.head, k.list.piece, k.list.tail + p.tail}
	}
	p = part{w.resolve(p.head, k, ref), w.resolve(p.piece, k, ref), w.resolve(p.tail, k, ref)}
	text := `{"openapi":"` + w.version + `","info":{"title":"a","version":"1"},"components":{` + parts.String() + `},` + root + `"paths":{` + p.text(refers) + `}}`
	if w.yaml() {
		return "--- " + text // if it began with a brace, it would be read as JSON
	}
	return text
}

func (w way) yaml() bool { return w.mediaType == yamlType }

// chain returns components that each refer to the next one, the last one to the share. They are written from the last
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

// resolve replaces the placeholders by references.
func (w way) resolve(text string, k kind, ref string) string {
	text = strings.ReplaceAll(text, "{inside}", k.inside)
	content, header, link := ref, "{}", "{}"
	switch k.section {
	case "schemas":
		content = `{"schema":` + ref + `}`
	case "examples":
		content = `{"examples":{"a":` + ref + `}}`
	case "headers":
		content, header = "{}", ref
	case "links":
		content, link = "{}", ref
	}
	return strings.NewReplacer("{ref}", ref, "{content}", content, "{header}", header, "{link}", link,
		"{ref path item}", w.refer("pathItems", "t"), "{ref response}", w.refer("responses", "t")).Replace(text)
}

// components are the members of components, by section.
type components struct {
	order   []string
	members map[string]string
}

func (c *components) add(section, members string) {
	if c.members == nil {
		c.members = map[string]string{}
	}
	if c.members[section] == "" {
		c.order = append(c.order, section)
	} else {
		members = "," + members
	}
	c.members[section] += members
}

func (c *components) String() string {
	var b strings.Builder
	for i, section := range c.order {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + section + `":{` + c.members[section] + `}`)
	}
	return b.String()
}
