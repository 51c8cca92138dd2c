package versions

import (
	"maps"
	"slices"
)

// features has an entry for each keyword, or group of keywords that belong together.
var features map[string]feature

// set returns a feature that sets a keyword.
func set(since Version, name string, value func(g generator, depth int) any) feature {
	return feature{since, func(g generator, s schemaMap, depth int) { s[name] = value(g, depth) }}
}

func init() {
	schema := func(g generator, depth int) any { return g.schema(depth + 1) }
	object := func(g generator, depth int) any { return g.object(depth + 1) }
	count := func(g generator, _ int) any { return g.IntN(4) }
	bound := func(g generator, _ int) any { return g.number() }
	alternatives := func(g generator, depth int) any { return g.list(depth, 1) }
	flag := func(g generator, _ int) any { return g.IntN(2) == 0 }
	value := func(g generator, _ int) any { return g.value() }
	features = map[string]feature{
		"minimum": set(V20, "minimum", bound), "maximum": set(V20, "maximum", bound), "multipleOf": set(V20, "multipleOf", func(g generator, _ int) any { return 1 + g.IntN(3) }),
		"minLength": set(V20, "minLength", count), "maxLength": set(V20, "maxLength", count),
		"pattern":  set(V20, "pattern", func(g generator, _ int) any { return "^a" }),
		"minItems": set(V20, "minItems", count), "maxItems": set(V20, "maxItems", count), "uniqueItems": set(V20, "uniqueItems", flag), "readOnly": set(V20, "readOnly", flag),
		"minProperties": set(V20, "minProperties", count), "maxProperties": set(V20, "maxProperties", count),
		"required": set(V20, "required", func(g generator, _ int) any { return []any{g.name()} }), "allOf": set(V20, "allOf", alternatives),
		"anyOf": set(V30, "anyOf", alternatives), "oneOf": set(V30, "oneOf", alternatives), "not": set(V30, "not", schema),
		"format":  set(V20, "format", func(g generator, _ int) any { return pick(g.Rand, []string{"int32", "date", "byte", "uuid"}) }),
		"default": set(V20, "default", value), "example": set(V20, "example", value),
		"recursion":  set(V20, "properties", func(g generator, _ int) any { return schemaMap{"b": g.refTo(g.self)} }),
		"properties": set(V20, "properties", func(g generator, depth int) any { return g.named(depth, "a", "b", "c") }),
		"additionalProperties": {V20, func(g generator, s schemaMap, depth int) {
			s["additionalProperties"] = any(g.object(depth + 1))
			if g.IntN(2) == 0 {
				s["additionalProperties"] = g.IntN(4) == 0
			}
		}},
		"items": set(V20, "items", schema),
		"enum": {V20, func(g generator, s schemaMap, _ int) {
			list := []any{}
			for range 1 + g.IntN(4) {
				list = append(list, g.value())
			}
			s["enum"] = list
		}},
		"type": {V20, func(g generator, s schemaMap, depth int) {
			types := []any{"string", "integer", "number", "boolean", "array", "object"}
			g.Shuffle(len(types), func(i, j int) { types[i], types[j] = types[j], types[i] })
			s["type"] = types[0]
			if g.version >= V31 && g.IntN(2) == 0 {
				s["type"] = append(types[:g.IntN(4):6], "null")
			} else if g.version >= V31 && g.IntN(3) == 0 {
				s["type"] = slices.Clone(types[:1+g.IntN(3)])
			}
			if g.version < V31 && s["type"] == "array" {
				s["items"] = g.schema(depth + 1)
			}
		}},
		"nullable": {V20, func(g generator, s schemaMap, _ int) {
			s[map[Version]string{V20: "x-nullable", V30: "nullable", V31: "unknown", V32: "unknown"}[g.version]] = true
		}},
		"$ref": {V20, func(g generator, s schemaMap, _ int) {
			if len(g.names) > 0 {
				s["$ref"] = g.ref()["$ref"]
			}
		}},
		"exclusive": {V20, func(g generator, s schemaMap, _ int) {
			if g.version >= V31 {
				s["exclusiveMinimum"], s["exclusiveMaximum"] = g.number(), g.number()
			} else {
				s["minimum"], s["exclusiveMinimum"], s["exclusiveMaximum"] = g.number(), true, true
			}
		}},
	}
	maps.Copy(features, features31(schema, object, count))
}

// features31 has the entries for keywords that are newer than OpenAPI 3.0.
func features31(schema, object, count func(g generator, depth int) any) map[string]feature {
	return map[string]feature{
		"null alternative": {V31, func(g generator, s schemaMap, depth int) {
			s[pick(g.Rand, []string{"anyOf", "oneOf"})] = append(g.list(depth, 1), schemaMap{"type": "null"})
		}},
		"const": set(V31, "const", func(g generator, _ int) any { return g.value() }),
		"if": {V31, func(g generator, s schemaMap, depth int) {
			s["if"] = schema(g, depth)
			s[pick(g.Rand, []string{"then", "else"})] = schema(g, depth)
		}},
		"prefixItems": {V31, func(g generator, s schemaMap, depth int) {
			s["prefixItems"] = g.list(depth, 1)
			if g.IntN(2) == 0 {
				s["items"] = g.IntN(3) == 0
			}
		}},
		"contains": {V31, func(g generator, s schemaMap, depth int) {
			s["contains"] = g.schema(depth + 1)
			if g.IntN(3) == 0 {
				s[pick(g.Rand, []string{"minContains", "maxContains"})] = g.IntN(3)
			}
		}},
		"patternProperties":     set(V31, "patternProperties", func(g generator, depth int) any { return g.named(depth, "^x", "^a", ".*", "b") }),
		"propertyNames":         set(V31, "propertyNames", object),
		"dependentRequired":     set(V31, "dependentRequired", func(g generator, depth int) any { return schemaMap{g.name(): []any{g.name()}} }),
		"dependentSchemas":      set(V31, "dependentSchemas", func(g generator, depth int) any { return g.named(depth, "a", "b") }),
		"unevaluatedProperties": set(V31, "unevaluatedProperties", func(g generator, depth int) any { return g.IntN(4) == 0 }),
		"unevaluatedItems":      set(V31, "unevaluatedItems", func(g generator, depth int) any { return g.IntN(4) == 0 }),
		"contentEncoding":       set(V31, "contentEncoding", func(g generator, _ int) any { return pick(g.Rand, []string{"base64", "base64url"}) }),
		"minContains":           set(V31, "minContains", count),
		"examples":              set(V31, "examples", func(g generator, _ int) any { return []any{g.value()} }),
		"empty enum": {V31, func(g generator, s schemaMap, _ int) {
			if g.IntN(4) == 0 {
				s["enum"] = []any{}
			}
		}},
	}
}
