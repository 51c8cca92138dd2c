package contract

import (
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract/contracttest"
	"github.com/convertd/convertd/openapi"
)

// TestCompatible compares the OpenAPI document with the baseline; test/drift compares the schemas.
// Rules: VER-1, VER-4.
func TestCompatible(t *testing.T) {
	var baseline, current map[string]any
	check.OK(t, yaml.Unmarshal([]byte(check.File(t, "../../openapi/baseline-1.0.0.yaml")), &baseline))
	check.OK(t, yaml.Unmarshal(openapi.YAML, &current))
	for _, broken := range contracttest.Compatible(baseline, current) {
		t.Error(broken)
	}
}
