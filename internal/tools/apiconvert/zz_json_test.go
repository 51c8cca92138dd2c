package apiconvert

import (
	"os"
	"testing"
)

func TestWriteJSON(t *testing.T) {
	if os.Getenv("BIGJSON") == "" {
		t.Skip()
	}
	b, _ := os.ReadFile("/tmp/api/big.yml")
	os.WriteFile("/tmp/api/big.json", []byte(call(t, "application/yaml", string(b), "openapi-3.0-json").Value), 0o644)
}
