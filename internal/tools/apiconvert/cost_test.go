package apiconvert

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
)

// differentTargets returns the targets, of those that only write the same document as YAML one, with -short none.
func differentTargets() []string {
	return slices.DeleteFunc(everyTarget(), func(name string) bool { return targets[name].yaml && name != "openapi-3.1-yaml" })
}

// everyTarget returns the targets; with -short, without those that only write the same document as YAML.
func everyTarget() (names []string) {
	for _, name := range slices.Sorted(maps.Keys(targets)) {
		if !testing.Short() || !targets[name].yaml {
			names = append(names, name)
		}
	}
	return names
}

// spend converts within a budget and returns the cost.
func spend(b *budget.Budget, mediaType, text, target string) (cost converttest.Cost, err error) {
	cost = converttest.Measure(func() int {
		_, err = convertWithin(context.Background(), b, convert.Input{
			Artifact: convert.Artifact{MediaType: mediaType, Value: text},
			Options:  convert.Options{"target": target},
			Limit:    convert.NewOutputLimit(convert.MaxOutputCharacters, 4*convert.MaxOutputCharacters),
		})
		return b.Spent()
	})
	return cost, err
}

// serviceBudget returns the budget of a request within the service's limits.
func serviceBudget(ctx context.Context, text string) *budget.Budget {
	return budget.New(ctx, len(text), convert.MaxOutputCharacters)
}

// The cost of documents with many parts, or with parts that refer to each other in any pattern, is linear in
// their length. With -short each is converted to only one target.
func TestLinearReferences(t *testing.T) {
	size := check.Sample(6<<10, 8<<10, 8<<10)
	names := differentTargets()
	for _, f := range growing {
		for _, target := range names {
			checkLinear(t, f, target, 4*size)
		}
	}
	for i, f := range references() {
		for _, target := range slices.Concat(names, names)[i%len(names):][:check.Sample(1, 1, len(names))] {
			checkLinear(t, f, target, size)
		}
	}
}

// checkLinear compares the costs of documents of size, 2×size and 4×size bytes.
func checkLinear(t *testing.T, f family, target string, size int) {
	t.Helper()
	var costs [3]converttest.Cost
	for i := range costs {
		costs[i], _ = spend(budget.NewMeter(), f.mediaType, sized(f.text, size<<i), target)
	}
	if converttest.Superlinear(costs[0], costs[1], costs[2]) {
		t.Errorf("%s to %s: %d KiB and twice and four times as much cost %+v", f.name, target, size>>10, costs)
	}
}

// A part that many others share is charged for each use, so the budget limits the cost of any document. A
// conversion checks its deadline often, whatever it is doing: it allocates little between two checks. Except
// in make test-all, each document is converted to only two targets.
func TestMultiplying(t *testing.T) {
	size, names := check.Sample(64<<10, 256<<10, 1<<20), differentTargets()
	for i, f := range multiplying {
		text, to := sized(f.text, size), names
		if !check.All() {
			to = []string{names[i%len(names)], names[(i/len(names)+i+3)%len(names)]}
		}
		for _, target := range to {
			checkAllocated(t, f.name, f.mediaType, text, target)
		}
	}
}

// checkAllocated fails when a conversion allocates more than a document may cost, in total or between two checks of its
// context. The most that a document of 1 MiB allocates today is 434 MiB, and 68 MiB between two checks.
func checkAllocated(t *testing.T, name, mediaType, text, target string) {
	t.Helper()
	ctx := &looks{Context: t.Context()}
	cost, err := spend(serviceBudget(ctx, text), mediaType, text, target)
	ctx.Err()
	if most := 200<<20 + 300*len(text); cost.Bytes > most {
		t.Errorf("%s: %d bytes to %s allocate %d MiB (%v)", name, len(text), target, cost.Bytes>>20, err)
	}
	if most := 32<<20 + 40*len(text); ctx.most > uint64(most) && !converttest.Race {
		t.Errorf("%s: %d bytes to %s allocate %d KiB between two looks at the context (%v)", name, len(text), target, ctx.most>>10, err)
	}
}

// looks is a context that records the most bytes allocated between two checks of it.
type looks struct {
	context.Context
	before, most uint64
}

func (l *looks) Err() error {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	now := sample[0].Value.Uint64()
	if l.before > 0 {
		l.most = max(l.most, now-l.before)
	}
	l.before = now
	return nil
}

// An OpenAPI document as large companies publish them, with 400 operations that share schemas, parameters and
// responses, is not too complex.
func TestHonestDescription(t *testing.T) {
	schema := `{"type":"object","required":["id"],"properties":{"id":{"type":"integer"},"next":{"$ref":"#/components/schemas/s%d"},` +
		list(20, `"field_%d":{"type":"string","description":"What the field holds, as authors say it."}`) + `}}`
	operation := func(i int) string {
		return fmt.Sprintf(`"/things/{id}/p%d":{"parameters":[{"$ref":"#/components/parameters/id"}],"post":{"operationId":"o%d","parameters":[%s],`+
			`"requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/s%d"}}}},`+
			`"responses":{"200":{"description":"OK","content":{"application/json":{"schema":{"type":"array","items":{"$ref":"#/components/schemas/s%d"}}}}},"404":{"$ref":"#/components/responses/missing"}}}}`,
			i, i, list(10, `{"$ref":"#/components/parameters/q%d"}`), i%200, (i+7)%200)
	}
	var paths, schemas []string
	for i := range 400 {
		paths = append(paths, operation(i))
	}
	for i := range 200 {
		schemas = append(schemas, fmt.Sprintf(`"s%d":`, i)+strings.Replace(schema, "%d", fmt.Sprint((i*7+1)%200), 1))
	}
	text := head31 + `"paths":{` + strings.Join(paths, ",") + `},"components":{"schemas":{` + strings.Join(schemas, ",") + `},"parameters":{"id":{"name":"id","in":"path","required":true,"schema":{"type":"integer"}},` +
		list(10, `"q%d":{"name":"q%d","in":"query","schema":{"type":"string"}}`) + `},"responses":{"missing":{"description":"Not found"}}}}`
	for target := range targets {
		var f *convert.Failure
		if _, err := tryCall("application/json", text, target); errors.As(err, &f) && f.Code == convert.TooComplex {
			t.Errorf("%d bytes to %s: %v", len(text), target, err)
		}
	}
}

// FuzzCost checks that no input allocates more than its length allows.
func FuzzCost(f *testing.F) {
	names := slices.Sorted(maps.Keys(targets))
	mediaTypes := []string{"application/json", "application/yaml", "text/plain"}
	for i, h := range hostile {
		f.Add(slices.Index(mediaTypes, h.mediaType), i%len(names), h.prefix+strings.Repeat(h.piece, 200)+h.suffix)
	}
	for i, m := range multiplying {
		f.Add(slices.Index(mediaTypes, m.mediaType), i%len(names), sized(m.text, 16<<10))
	}
	f.Fuzz(func(t *testing.T, mediaType, target int, text string) {
		if mediaType < 0 || mediaType >= len(mediaTypes) || target < 0 || target >= len(names) || !utf8.ValidString(text) || len(text) > 1<<20 {
			return
		}
		checkAllocated(t, "fuzzed", mediaTypes[mediaType], text, names[target])
	})
}
