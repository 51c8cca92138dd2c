package places

import (
	"context"
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

// Run calls a tool's function in the Go package.
func Run(ctx context.Context, t testing.TB, tool string, input convertd.Artifact, given map[string]any) (*convertd.Result, error) {
	t.Helper()
	f, in := reflect.ValueOf(functions[tool]), reflect.ValueOf(input)
	if f.Type().In(1).Kind() == reflect.String { // the tool accepts one media type
		in = reflect.ValueOf(input.Value)
	}
	out := f.Call([]reflect.Value{reflect.ValueOf(ctx), in, reflect.ValueOf(Options(t, tool, given))})
	err, _ := out[1].Interface().(error)
	return out[0].Interface().(*convertd.Result), err
}
