package places

import (
	"context"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/convertd/convertd"
)

// functions are the Go package's functions, by tool. A new tool has a line here.
var functions = map[string]any{
	"jwt_decode":       convertd.JWTDecode,
	"json_format":      convertd.JSONFormat,
	"json_to_yaml":     convertd.JSONToYAML,
	"timestamp_to_iso": convertd.TimestampToISO,
	"api_convert":      convertd.APIConvert,
}

func function(t testing.TB, tool string) reflect.Value {
	t.Helper()
	f, ok := functions[tool]
	if !ok {
		t.Fatalf("add %s to functions in test/places/program.go", tool)
	}
	return reflect.ValueOf(f)
}

// Options returns a tool's options in the Go package for those of a request.
func Options(t testing.TB, tool string, given map[string]any) convertd.Options {
	t.Helper()
	options := reflect.New(function(t, tool).Type().In(2))
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
	f, in := function(t, tool), reflect.ValueOf(input)
	if f.Type().In(1).Kind() == reflect.String { // the tool accepts one media type
		in = reflect.ValueOf(input.Value)
	}
	out := f.Call([]reflect.Value{reflect.ValueOf(ctx), in, reflect.ValueOf(Options(t, tool, given))})
	err, _ := out[1].Interface().(error)
	return out[0].Interface().(*convertd.Result), err
}
