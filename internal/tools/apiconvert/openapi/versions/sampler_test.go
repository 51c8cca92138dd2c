package versions

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// sampler makes values that a schema may accept or refuse: some that follow its keywords, and some of these changed in
// one place.
type sampler struct {
	*rand.Rand
	root map[string]any
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

func number(v any) (n float64) {
	if lexeme, is := v.(json.Number); is {
		n, _ = lexeme.Float64()
	}
	return n
}

// instance returns a value for a schema.
func (s sampler) instance(schema any) any {
	v := s.follow(schema, 0)
	if s.IntN(2) == 0 {
		return s.changed(v)
	}
	return v
}

// arbitrary returns a value that doesn't depend on a schema.
func (s sampler) arbitrary() any {
	return pick(s.Rand, []any{nil, true, false, json.Number("0"), json.Number("1"), json.Number("3"), json.Number("5"), json.Number("7"),
		json.Number("2.5"), json.Number("-1"), "", "a", "b", "ab", "abcd", "x-1", "5", []any{}, []any{"a", json.Number("1")},
		[]any{nil, "a"}, map[string]any{}, map[string]any{"a": json.Number("1")}, map[string]any{"b": "a", "x-1": nil}})
}

// follow returns a value that follows the keywords of a schema.
func (s sampler) follow(schema any, depth int) any {
	o := object(schema)
	if o == nil || depth > 6 || s.IntN(12) == 0 {
		return s.arbitrary()
	}
	if ref, is := o["$ref"].(string); is && (len(o) == 1 || s.IntN(2) == 0) {
		if strings.HasPrefix(ref, "#/") {
			return s.follow(at(s.root, placeOf(ref)), depth+1)
		}
		return s.arbitrary()
	}
	if c, has := o["const"]; has {
		return c
	}
	if list := array(o["enum"]); len(list) > 0 && s.IntN(5) > 0 {
		return pick(s.Rand, list)
	}
	for _, name := range []string{"allOf", "anyOf", "oneOf"} {
		if list := array(o[name]); len(list) > 0 && s.IntN(2) == 0 {
			return s.merged(s.follow(pick(s.Rand, list), depth+1), o, depth)
		}
	}
	for _, name := range []string{"then", "else", "if", "not"} {
		if o[name] != nil && s.IntN(4) == 0 {
			return s.merged(s.follow(o[name], depth+1), o, depth)
		}
	}
	return s.typed(o, s.typeOf(o), depth)
}

// merged adds the members of an object that the keywords of o describe.
func (s sampler) merged(v any, o map[string]any, depth int) any {
	if into := object(v); into != nil {
		into = maps.Clone(into)
		maps.Copy(into, object(s.typed(o, "object", depth)))
		return into
	}
	return v
}

// typeOf returns a type that a schema allows or its keywords suggest.
func (s sampler) typeOf(o map[string]any) string {
	if list := array(o["type"]); len(list) > 0 {
		return fmt.Sprint(pick(s.Rand, list))
	}
	if t, is := o["type"].(string); is {
		return t
	}
	types := []string{"string", "number", "object", "array"}
	for name, t := range map[string]string{
		"properties": "object", "required": "object", "additionalProperties": "object", "patternProperties": "object", "minProperties": "object",
		"dependentRequired": "object", "dependentSchemas": "object", "propertyNames": "object", "unevaluatedProperties": "object",
		"items": "array", "prefixItems": "array", "contains": "array", "minItems": "array", "maxItems": "array", "unevaluatedItems": "array",
		"minimum": "number", "maximum": "number", "exclusiveMinimum": "number", "exclusiveMaximum": "number", "multipleOf": "number",
		"minLength": "string", "maxLength": "string", "pattern": "string",
	} {
		if o[name] != nil {
			types = append(types, t, t, t)
		}
	}
	slices.Sort(types)
	return pick(s.Rand, types)
}

// typed returns a value of a type that follows the keywords of o.
func (s sampler) typed(o map[string]any, kind string, depth int) any {
	switch kind {
	case "object":
		return s.object(o, depth)
	case "array":
		list := []any{}
		for _, item := range array(o["prefixItems"]) {
			if s.IntN(6) > 0 {
				list = append(list, s.follow(item, depth+1))
			}
		}
		for range s.IntN(4) {
			if o["contains"] != nil && s.IntN(2) == 0 {
				list = append(list, s.follow(o["contains"], depth+1))
			}
			list = append(list, s.follow(o["items"], depth+1))
		}
		return list
	case "number", "integer":
		n := float64(s.IntN(8))
		for _, name := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"} {
			if o[name] != nil && s.IntN(2) == 0 {
				n = number(o[name]) + float64(s.IntN(3)-1)
			}
		}
		if kind == "number" && s.IntN(4) == 0 {
			n += 0.5
		}
		return json.Number(fmt.Sprint(n))
	case "string":
		if n := int(max(number(o["minLength"]), number(o["maxLength"]))); n > 0 && n < 100 {
			return strings.Repeat("a", n+s.IntN(3)-1)
		}
		return pick(s.Rand, []string{"", "a", "b", "ab", "x-1", "abc"})
	case "boolean":
		return s.IntN(2) == 0
	}
	return nil
}

func (s sampler) object(o map[string]any, depth int) map[string]any {
	out := map[string]any{}
	properties := object(o["properties"])
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if s.IntN(10) < 6 {
			out[name] = s.follow(properties[name], depth+1)
		}
	}
	for _, name := range array(o["required"]) {
		if name, is := name.(string); is && s.IntN(8) > 0 && out[name] == nil {
			out[name] = s.follow(properties[name], depth+1)
		}
	}
	patterns := object(o["patternProperties"])
	for _, name := range []string{"a", "b", "c", "x-1", "x-b"} {
		if s.IntN(6) > 0 || properties[name] != nil {
			continue
		}
		of := o["additionalProperties"]
		for _, pattern := range slices.Sorted(maps.Keys(patterns)) {
			if strings.HasPrefix(name, strings.Trim(pattern, "^.*$")) && s.IntN(3) > 0 {
				of = patterns[pattern]
			}
		}
		out[name] = s.follow(of, depth+1)
	}
	return out
}

// changed returns a copy of v that differs in one place.
func (s sampler) changed(v any) any {
	switch v := v.(type) {
	case map[string]any:
		v = maps.Clone(v)
		names := slices.Sorted(maps.Keys(v))
		if len(names) == 0 || s.IntN(4) == 0 {
			v[pick(s.Rand, []string{"a", "b", "c", "x-1", "z"})] = s.arbitrary()
			return v
		}
		if name := pick(s.Rand, names); s.IntN(3) == 0 {
			delete(v, name)
		} else {
			v[name] = s.changed(v[name])
		}
		return v
	case []any:
		v = slices.Clone(v)
		if len(v) == 0 || s.IntN(4) == 0 {
			return append(v, s.arbitrary())
		}
		if i := s.IntN(len(v)); s.IntN(3) == 0 {
			v = slices.Delete(v, i, i+1)
		} else {
			v[i] = s.changed(v[i])
		}
		return v
	}
	return s.arbitrary()
}

// generator makes schemas with the keywords of a version.
type generator struct {
	*rand.Rand
	version Version
	names   []string // of schemas to refer to
	self    string   // the schema that is made
}

type schemaMap = map[string]any

// generateDocument returns a document with three schemas that may refer to each other.
func generateDocument(random *rand.Rand, version Version) string {
	g := generator{Rand: random, version: version}
	schemas := schemaMap{}
	for i, name := range []string{"U", "T", "S"} { // each may refer to those before it
		g.names, g.self = []string{"U", "T"}[:i], name
		schemas[name] = g.object(2 - i)
	}
	root := schemaMap{"info": schemaMap{"title": "t", "version": "1"}, "paths": schemaMap{}}
	if version == V20 {
		root["swagger"], root["definitions"] = "2.0", schemas
		parameters := []any{}
		for i, in := range []string{"query", "header", "formData"} {
			p := schemaMap{"name": "p", "in": in, "type": "integer", "minimum": g.IntN(5)}
			if g.IntN(2) == 0 {
				p = schemaMap{"name": "p", "in": in, "type": "array", "collectionFormat": pick(random, []string{"csv", "ssv", "pipes"}),
					"items": schemaMap{"type": "string", "maxLength": i}, "maxItems": 1 + g.IntN(3)}
			} else if in == "formData" && g.IntN(3) == 0 {
				p = schemaMap{"name": "p", "in": in, "type": "file"}
			}
			parameters = append(parameters, p)
		}
		responses := schemaMap{"200": schemaMap{"description": "", "schema": g.object(1)}}
		root["paths"] = schemaMap{"/a": schemaMap{"post": schemaMap{"parameters": parameters, "responses": responses}}}
	} else {
		root["openapi"], root["components"] = version.Text(), schemaMap{"schemas": schemas}
	}
	text, err := json.Marshal(root)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// feature adds keywords to a schema; since is the first version that has them.
type feature struct {
	since Version
	add   func(g generator, s schemaMap, depth int)
}

func (g generator) number() any  { return pick(g.Rand, []any{0, 1, 2, 3, 5, 2.5}) }
func (g generator) name() string { return pick(g.Rand, []string{"a", "b", "c", "x-1"}) }
func (g generator) value() any {
	return pick(g.Rand, []any{1, 2, 3, 2.5, "a", "b", "ab", true, nil, schemaMap{"a": 1}, []any{"a"}})
}

func (g generator) list(depth, least int) []any {
	list := []any{}
	for range least + g.IntN(3) {
		list = append(list, g.schema(depth+1))
	}
	return list
}

func (g generator) named(depth int, names ...string) schemaMap {
	out := schemaMap{}
	for range 1 + g.IntN(2) {
		out[pick(g.Rand, names)] = g.schema(depth + 1)
	}
	return out
}

func (g generator) ref() schemaMap {
	return g.refTo(pick(g.Rand, g.names))
}

func (g generator) refTo(name string) schemaMap {
	return schemaMap{"$ref": map[bool]string{true: "#/definitions/", false: "#/components/schemas/"}[g.version == V20] + name}
}

// schema returns a schema, which may be true or false.
func (g generator) schema(depth int) any {
	if g.version >= V31 && g.IntN(15) == 0 {
		return g.IntN(2) == 0
	}
	if len(g.names) > 0 && g.IntN(6) == 0 {
		return g.ref()
	}
	return g.object(depth)
}

// object returns a schema that is an object.
func (g generator) object(depth int) schemaMap {
	s := schemaMap{}
	if g.IntN(3) > 0 {
		features["type"].add(g, s, depth)
	}
	names := slices.Sorted(maps.Keys(features))
	for range 1 + g.IntN(4) {
		if f := features[pick(g.Rand, names)]; f.since <= g.version && depth < 4 {
			f.add(g, s, depth)
		}
	}
	return s
}
