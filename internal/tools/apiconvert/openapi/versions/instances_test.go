package versions

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/convertd/convertd/internal/check"
)

// The oracle for the meaning of schemas: a schema accepts the same values before and after a rewrite, or a warning at
// the schema says that it is wider or narrower. A validator of JSON Schema 2020-12, to which dialect_test.go translates
// the other versions, judges both sides.

// TestInstances checks generated schemas.
func TestInstances(t *testing.T) {
	for seed := range check.Sample(100, 500, 1500) {
		random := rand.New(rand.NewPCG(33, uint64(seed)))
		text := generateDocument(random, all[seed%len(all)])
		for _, to := range all {
			j := &judge{T: t, random: random, label: fmt.Sprint("seed ", seed), samples: 50}
			if j.compare(text, to); j.compared == 0 {
				t.Fatalf("seed %d compares nothing: %s", seed, text)
			}
		}
	}
}

// TestInstancesOfCases checks the schemas of the cases.
func TestInstancesOfCases(t *testing.T) {
	for _, file := range caseFiles {
		for i, text := range caseDocuments(t, file) {
			from, _ := Of(read(t, text).Root)
			if oracleOf(from)(text) != nil {
				continue
			}
			for _, to := range all {
				j := &judge{T: t, random: rand.New(rand.NewPCG(33, uint64(i))), label: fmt.Sprint(file, " ", i), samples: 50}
				j.compare(text, to)
			}
		}
	}
}

// TestInstancesOfCorpus checks the schemas of real documents.
func TestInstancesOfCorpus(t *testing.T) {
	texts, samples, compared := corpus(t), check.Sample(2, 10, 50), 0
	for i, name := range slices.Sorted(maps.Keys(texts)) {
		text := output(t, read(t, texts[name]).Root)
		targets := all
		if testing.Short() {
			targets = all[i%len(all):][:1]
		}
		for _, to := range targets {
			j := &judge{T: t, random: rand.New(rand.NewPCG(33, 1)), label: name, samples: samples}
			j.compare(text, to)
			compared += j.compared
		}
	}
	if compared < 1000 {
		t.Errorf("only %d schemas were compared", compared)
	}
}

// judge compares the schemas of a document before and after a rewrite.
type judge struct {
	*testing.T
	random   *rand.Rand
	label    string
	samples  int // of each schema
	compared int
	warnings []string
	// inverts is set if a wider schema within another may make that narrower.
	inverts bool
}

var inverting = regexp.MustCompile(`"(?:not|oneOf|if|dependentSchemas|contains|unevaluated\w+)":`)

// compare rewrites a document and compares each schema that both versions of it have.
func (j *judge) compare(text string, to Version) {
	j.Helper()
	doc, warnings := rewritten(j, text, to)
	j.warnings, j.inverts = warnings, inverting.MatchString(text)
	before, after := translate(j, text), translate(j, output(j, doc.Root))
	for _, key := range slices.Sorted(maps.Keys(before.parts)) {
		if after.parts[key] == "" || before.raw[key] || after.raw[key] {
			continue
		}
		source, err := before.compile(key)
		if err != nil {
			continue // the source is invalid
		}
		target, err := after.compile(key)
		if err != nil {
			j.Errorf("%s to %s, %s: %v", j.label, to.Text(), key, err)
			continue
		}
		j.compared++
		s := sampler{Rand: j.random, root: before.readings[len(before.readings)-1]}
		for range j.samples {
			v := s.instance(before.schema(key))
			d := j.difference(source, target, v)
			if d == "narrower" && j.asText(key, after.schema(key)) {
				d = ""
			}
			if d != "" {
				j.Errorf("%s to %s: %s is %s for %s\nsource: %s\ntarget: %s\nwarnings: %q", j.label, to.Text(), key, d,
					inJSON(j, v), inJSON(j, before.schema(key)), inJSON(j, after.schema(key)), warnings)
				break
			}
		}
	}
}

func inJSON(tb testing.TB, v any) string { return string(check.Value(json.Marshal(v))(tb)) }

// asText reports whether a parameter, field or header of any type is written as a string, which accepts the text of any
// value.
func (j *judge) asText(key string, target any) bool {
	return !strings.HasPrefix(key, "schema ") && object(target)["type"] == "string" &&
		slices.ContainsFunc(j.warnings, func(w string) bool { return strings.HasPrefix(w, "changed.parameter_text: ") })
}

// difference returns "wider" or "narrower" if the target is that for a value and no warning says so.
func (j *judge) difference(source, target []*jsonschema.Schema, v any) string {
	before, after := judgments(source, v), judgments(target, v)
	switch {
	case before.accepted == len(source) && after.accepted == 0 && !j.covered("narrower", after.places):
		return "narrower"
	case before.accepted == 0 && after.accepted == len(target) && !j.covered("wider", before.places):
		return "wider"
	}
	return ""
}

// judgment is what the readings of a schema say about a value.
type judgment struct {
	accepted int
	places   []string // of the schemas that refuse it
}

func judgments(readings []*jsonschema.Schema, v any) (is judgment) {
	for _, s := range readings {
		var refused *jsonschema.ValidationError
		if errors.As(s.Validate(v), &refused) {
			is.collect(refused)
		} else {
			is.accepted++
		}
	}
	return is
}

func (is *judgment) collect(e *jsonschema.ValidationError) {
	is.places = append(is.places, placeOf(e.SchemaURL))
	for _, cause := range e.Causes {
		is.collect(cause)
	}
}

// shownPlace matches the places in a warning.
var shownPlace = regexp.MustCompile(`(?:^|[ :;,])(/[^ ;,]*)`)

// covered reports whether a warning with a word is about one of the places or what contains them.
func (j *judge) covered(word string, places []string) bool {
	for _, w := range j.warnings {
		head, sentence, _ := strings.Cut(w, ". ")
		if !strings.Contains(sentence, word) && !(j.inverts && strings.Contains(sentence, "wider")) {
			continue
		}
		// A narrower place is one of the target, which may have moved.
		if word == "narrower" || j.inverts || strings.Contains(head, " more") {
			return true
		}
		for _, shown := range shownPlace.FindAllStringSubmatch(head, -1) {
			if slices.ContainsFunc(places, func(place string) bool { return strings.HasPrefix(place+"/", shown[1]+"/") }) {
				return true
			}
		}
	}
	return false
}
