package apiconvert

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/convert"
)

// TestExternalOperations converts documents whose operations are in other files. One warning reports all of them,
// before any other, and nothing that follows from it is reported.
func TestExternalOperations(t *testing.T) {
	for name, source := range map[string]string{
		"3.0": `{"openapi":"3.0.3","info":{"title":"t","version":"1"},"servers":[{"url":"https://h.test"}],"paths":{
			"/a/{id}":{"$ref":"a.yaml"},"/b/{id}":{"get":{"$ref":"b.yaml"},"post":{"$ref":"b.yaml#/post"}}`,
		"3.1": `{"openapi":"3.1.0","info":{"title":"t","version":"1"},"servers":[{"url":"https://h.test"}],"paths":{
			"/a/{id}":{"$ref":"a.yaml"},"/b/{id}":{"get":{"$ref":"b.yaml"},"post":{"$ref":"b.yaml#/post"}}`,
		"2.0": `{"swagger":"2.0","info":{"title":"t","version":"1"},"host":"h.test","schemes":["https"],"paths":{
			"/a/{id}":{"$ref":"a.yaml"},"/b/{id}":{"get":{"$ref":"b.yaml"},"post":{"$ref":"b.yaml#/post"}}`,
	} {
		some := source + `,"/c":{"get":{"description":"ghp_0123456789abcdefghijABCDEFGHIJ012345","responses":{"200":{"description":"OK"}}}}}}`
		for _, target := range slices.Sorted(maps.Keys(targets)) {
			result := call(t, "application/json", some, target)
			want, kept := "lost.external_operations: 1 path and 2 operations in other files. ", 0
			if strings.HasPrefix(target, "openapi") || strings.HasPrefix(target, "swagger") {
				want, kept = "changed"+strings.TrimPrefix(want, "lost"), 3
			}
			if len(result.Warnings) != 2 || !strings.HasPrefix(result.Warnings[0], want) || !strings.HasPrefix(result.Warnings[1], "secrets_replaced") {
				t.Errorf("%s to %s: %q", name, target, result.Warnings)
			}
			if got := strings.Count(result.Value, "$ref"); got != kept {
				t.Errorf("%s to %s: %d references, want %d:\n%s", name, target, got, kept, result.Value)
			}
			_, err := tryCall("application/json", source+"}}", target)
			if failure := (*convert.Failure)(nil); kept == 0 && (!errors.As(err, &failure) || failure.Code != convert.InvalidSource) || kept > 0 && err != nil {
				t.Errorf("%s to %s with no other operations: %v", name, target, err)
			}
		}
	}
}
