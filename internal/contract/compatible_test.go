package contract

import (
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/verify"
	"github.com/convertd/convertd/openapi"
)

// TestCompatible compares the OpenAPI document with the baseline; test/drift compares the schemas, too.
// Rules: VER-1, VER-4.
func TestCompatible(t *testing.T) {
	baseline := []byte(check.File(t, "../../openapi/baseline-1.0.0.yaml"))
	for _, broken := range check.Value(verify.Compatible(baseline, openapi.YAML))(t) {
		t.Errorf("%s: until 1.0.0 is released, change openapi/baseline-1.0.0.yaml, too", broken)
	}
}
