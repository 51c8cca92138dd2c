package places

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/convertd/convertd"
)

// Options returns a tool's options in the Go package for those of a request.
func Options(t testing.TB, tool string, given map[string]any) convertd.Options {
	t.Helper()
	options := reflect.New(reflect.TypeOf(functions[tool]).In(2))
	text, err := json.Marshal(given)
	if err == nil && given != nil {
		err = json.Unmarshal(text, options.Interface())
	}
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return options.Elem().Interface().(convertd.Options)
}
