package contract

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract/contracttest"
	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/schema"
)

// TestTableMatchesDocument validates mutated examples with kin-openapi, which reads the whole document: the
// generated table accepts the same bodies and finds the same first violation.
func TestTableMatchesDocument(t *testing.T) {
	c := loaded(t)
	oracles := oraclesOf(t)
	random := rand.New(rand.NewPCG(16, 5))
	outcomes := map[string]int{}
	for _, example := range contracttest.Examples(t) {
		for range 3000 {
			text := check.Value(json.Marshal(example.Request))(t)
			body := check.Value(jsondoc.Decode(string(text)))(t)
			for range 1 + random.IntN(2) {
				body = mutate(random, body)
			}
			want := "accepted"
			if err := oracles[example.Operation].VisitJSON(body); err != nil {
				want = oracleSays(err)
			}
			got := "accepted"
			if broken := c.operations[example.Operation].Check(body); broken != nil {
				got = broken.Pointer() + " " + keyword(broken)
			}
			text, _ = json.Marshal(body)
			if want != got {
				t.Fatalf("%s: kin-openapi says %q, the table %q: %s", example.Operation, want, got, text)
			}
			_, word, _ := strings.Cut(got, " ")
			outcomes[word]++
		}
	}
	for _, word := range []string{"", "required", "properties", "enum", "type", "minimum", "maximum", "maxItems", "minItems", "pattern", "discriminator", "uniqueItems"} {
		if outcomes[word] == 0 {
			t.Errorf("no body breaks %q: %v", word, outcomes)
		}
	}
}

// oraclesOf returns the request schemas as kin-openapi reads them, by operation.
func oraclesOf(tb testing.TB) map[string]*openapi3.Schema {
	tb.Helper()
	oracles := map[string]*openapi3.Schema{}
	for _, item := range contracttest.Document(tb).Paths.Map() {
		oracles[item.Post.OperationID] = item.Post.RequestBody.Value.Content["application/json"].Schema.Value
	}
	step := contracttest.Document(tb).Components.Schemas["PipelineStep"].Value
	step.Discriminator = &openapi3.Discriminator{PropertyName: "tool", Mapping: map[string]openapi3.MappingRef{}}
	for _, ref := range step.OneOf {
		step.Discriminator.Mapping[ref.Value.Properties["tool"].Value.Enum[0].(string)] = openapi3.MappingRef(*ref)
	}
	tb.Cleanup(func() { step.Discriminator = nil })
	return oracles
}

// oracleSays returns kin-openapi's location and keyword of the first violation.
func oracleSays(err error) string {
	var found *openapi3.SchemaError
	for err != nil {
		var next *openapi3.SchemaError
		if !errors.As(err, &next) {
			break
		}
		found, err = next, next.Origin
		if next.SchemaField == "discriminator" {
			break
		}
	}
	var pointer strings.Builder
	for _, name := range found.JSONPointer() {
		pointer.WriteString("/" + name)
	}
	return pointer.String() + " " + sameWord(found.SchemaField)
}

func keyword(v *schema.Violation) string { return sameWord(v.Keyword) }

// sameWord maps keywords that differ: a null that is not allowed violates type, and a number that doesn't fit
// an int32 exceeds the maximum that every number has.
func sameWord(word string) string {
	switch word {
	case "nullable":
		return "type"
	case "format":
		return "maximum"
	}
	return word
}

// mutate changes one location of a value.
func mutate(random *rand.Rand, value any) any {
	if random.IntN(4) == 0 {
		return replacement(random)
	}
	switch value := value.(type) {
	case map[string]any:
		names := slices.Sorted(maps.Keys(value))
		switch n := random.IntN(10); {
		case n == 0 || len(names) == 0:
			value[[]string{"x", "indent", "options", "unit", "Input"}[random.IntN(5)]] = replacement(random)
		case n == 1:
			delete(value, names[random.IntN(len(names))])
		default:
			name := names[random.IntN(len(names))]
			value[name] = mutate(random, value[name])
		}
		return value
	case []any:
		switch n := random.IntN(8); {
		case n == 0 || len(value) == 0:
			return append(value, replacement(random))
		case n == 1:
			return value[:len(value)-1]
		case n == 2:
			return append(value, value[random.IntN(len(value))])
		case n == 3:
			return slices.Repeat(value, 21)
		}
		i := random.IntN(len(value))
		value[i] = mutate(random, value[i])
		return value
	}
	return replacement(random)
}

func replacement(random *rand.Rand) any {
	all := []any{nil, true, "", "text/plain", "json_format", "a b", strings.Repeat("é", 70), "curl", "seconds",
		json.Number("0"), json.Number("1"), json.Number("9"), json.Number("-1"), json.Number("2.0"), json.Number("1.5"),
		json.Number(fmt.Sprint(random.IntN(1 << 40))), []any{}, []any{"a", "a"}, map[string]any{}, map[string]any{"indent": json.Number("3")}}
	return all[random.IntN(len(all))]
}
