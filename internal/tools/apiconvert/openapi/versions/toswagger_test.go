package versions

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi2"
	"github.com/getkin/kin-openapi/openapi2conv"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// validate20 is the oracle for Swagger 2.0: kin-openapi must parse the document, know every property, and consider
// the equivalent OpenAPI 3 document valid.
func validate20(text string) error {
	var doc openapi2.T
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		return err
	}
	if doc.Swagger != "2.0" {
		return errors.New("of another version")
	}
	v3, err := openapi2conv.ToV3(&doc)
	if err != nil {
		return err
	}
	if doc.Paths != nil && v3.Paths == nil { // the conversion drops them if there are none
		v3.Paths = openapi3.NewPaths()
	}
	return v3.Validate(context.Background(), openapi3.DisableExamplesValidation(), openapi3.DisableSchemaDefaultsValidation())
}

// TestSwaggerUpAndDown checks that 2.0 → 3.x → 2.0 keeps the meaning of a document. The comparison uses OpenAPI 3.0,
// which has the media types at each body and response.
func TestSwaggerUpAndDown(t *testing.T) {
	count := 0
	for name, text := range corpus(t) {
		source := read(t, text)
		if from, _ := Of(source.Root); from != V20 {
			continue
		}
		count++
		want, _ := rewritten(t, text, V30)
		for via := V30; via <= Newest; via++ {
			up, _ := rewritten(t, text, via)
			down, warnings := rewritten(t, output(t, up.Root), V20)
			got, _ := rewritten(t, output(t, down.Root), V30)
			if diff := cmp.Diff(meaning(t, want.Root), meaning(t, got.Root)); diff != "" {
				t.Errorf("%s by %s (-before +after):\n%s\n%q", name, via.Text(), diff, warnings)
			}
			for _, w := range warnings {
				if !strings.HasPrefix(w, "changed.remote_reference") {
					t.Errorf("%s by %s: %s", name, via.Text(), w)
				}
			}
		}
	}
	if count < 5 {
		t.Errorf("the corpus has %d descriptions of Swagger 2.0", count)
	}
}

// meaning returns a document without the order of its members. A reference that is the only element of an allOf is
// equivalent to one next to the siblings of the allOf.
func meaning(tb testing.TB, root *tree.Value) any {
	var v any
	check.OK(tb, json.Unmarshal([]byte(output(tb, root)), &v))
	alone(v)
	return v
}

func alone(v any) {
	for _, element := range array(v) {
		alone(element)
	}
	members := object(v)
	for _, member := range members {
		alone(member)
	}
	if all := array(members["allOf"]); len(all) == 1 && len(object(all[0])) == 1 && object(all[0])["$ref"] != nil {
		members["$ref"] = object(all[0])["$ref"]
		delete(members, "allOf")
	}
}
