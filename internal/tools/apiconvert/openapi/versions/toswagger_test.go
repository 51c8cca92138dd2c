package versions

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/getkin/kin-openapi/openapi2"
	"github.com/getkin/kin-openapi/openapi2conv"
	"github.com/getkin/kin-openapi/openapi3"
)

// validate20 is the oracle for Swagger 2.0: kin-openapi reads it, knows every
// member, and finds what it stands for in OpenAPI 3 valid.
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
	return v3.Validate(context.Background(), openapi3.DisableExamplesValidation(), openapi3.DisableSchemaDefaultsValidation())
}

func TestCorpusToSwagger(t *testing.T) {
	for name, text := range corpus(t) {
		doc, warnings := rewrite(t, text, V20)
		out := output(t, doc.Root)
		if dir := os.Getenv("VERSIONS_OUT"); dir != "" {
			os.WriteFile(filepath.Join(dir, "20-"+name+".json"), []byte(out), 0o644)
		}
		if err := validate20(out); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, w := range warnings {
			t.Logf("%s: %s", name, w)
		}
	}
}
