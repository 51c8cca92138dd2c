package sample

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/tools/apiconvert/documenttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

type object = map[string]any

// randomSchema returns a schema that some value is valid against.
func randomSchema(random *rand.Rand, levels int) object {
	pick := func(list ...any) any { return list[random.IntN(len(list))] }
	s := object{}
	set := func(keyword string, value any) {
		if random.IntN(3) == 0 {
			s[keyword] = value
		}
	}
	switch kind := random.IntN(8); {
	case kind == 0:
		return object{"enum": []any{pick("a", 1, nil, true), "b"}}
	case kind == 1:
		return object{"const": pick("a", 1.5, false)}
	case kind == 2:
		s["type"] = pick("integer", "number")
		low := random.IntN(40) - 20
		set("minimum", low)
		set("maximum", low+random.IntN(20)+10)
		set("multipleOf", pick(1, 2, 5, 0.5))
	case kind == 3 || levels == 0:
		s["type"] = pick("string", []any{"string", "null"})
		if random.IntN(2) == 0 {
			s["format"] = pick("date", "date-time", "uuid", "email", "uri", "unknown")
			break
		}
		if random.IntN(3) == 0 {
			s["pattern"] = pick("^[a-z]{2,8}$", "^[A-Z]{3}-\\d{4}$", "^\\+?[0-9]{8}$", "^(red|green)$", "^[0-9a-f]+$")
			break
		}
		least := random.IntN(12)
		set("minLength", least)
		set("maxLength", least+random.IntN(5))
	case kind == 4:
		s["type"] = "array"
		s["items"] = randomSchema(random, levels-1)
		set("minItems", random.IntN(3))
		set("maxItems", 3)
	case kind == 5:
		return object{"allOf": []any{randomObjectSchema(random, levels-1, "ab"), randomObjectSchema(random, levels-1, "cd")}}
	case kind == 6:
		return object{pick("oneOf", "anyOf").(string): []any{object{"type": "null"}, randomSchema(random, levels-1)}}
	default:
		return randomObjectSchema(random, levels, allNames)
	}
	return s
}

// allNames are the properties of a schema that isn't a part of another.
const allNames = "abcd"

// randomObjectSchema returns the schema of an object with some of the properties. Parts of allOf would contradict each
// other's additionalProperties.
func randomObjectSchema(random *rand.Rand, levels int, names string) object {
	properties, required := object{}, []any{}
	for _, name := range names {
		if random.IntN(2) == 0 {
			properties[string(name)] = randomSchema(random, max(levels-1, 0))
		}
		if random.IntN(3) == 0 {
			required = append(required, string(name))
		}
	}
	s := object{"type": "object", "properties": properties, "required": required}
	if names == allNames && random.IntN(4) == 0 {
		s["additionalProperties"] = randomSchema(random, max(levels-1, 0))
		delete(s, "required")
	}
	return s
}

// TestRandomSchemas checks that the sample of a random schema is valid against it.
func TestRandomSchemas(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	for range 1000 {
		schema := check.Value(json.Marshal(randomSchema(random, 4)))(t)
		root := documenttest.Parse(t, string(schema))
		v, stop := New(tree.NewReferences(root), tree.NewQuota(tree.MaxNodes, nil)).Make(root, ToServer)
		got := documenttest.Write(t, v)
		if stop != 0 || got == "" {
			t.Fatalf("%s made %q, stop %d", schema, got, stop)
		}
		if ok, err := documenttest.Fits(string(schema), got); err != nil || !ok {
			t.Fatalf("%s does not fit %s: %v", got, schema, err)
		}
	}
}
