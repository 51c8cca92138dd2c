package cli

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
)

// TestPanic checks that a panic of a tool is reported as a bug, and that its stack is printed only if the user asks for it.
func TestPanic(t *testing.T) {
	c := check.Value(contract.Load())(t)
	var list []convert.Tool
	for _, name := range c.ToolNames() {
		list = append(list, convert.Tool{Name: name, Convert: func(context.Context, convert.Input) (convert.Result, error) { panic("secret") }})
	}
	var log bytes.Buffer
	before := slog.Default()
	t.Cleanup(func() { slog.SetDefault(before) })
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	for _, value := range []string{"", "1"} {
		log.Reset()
		t.Setenv(stackVariable, value)
		request := Request{Operation: "json_format", Path: "/", Body: map[string]any{}}
		local := check.Value(NewLocal(c, list, request, "", "1.0.0"))(t)
		_, err := local.Convert(t.Context(), convert.Artifact{MediaType: "application/json", Value: "1"}, nil)
		var problem *Problem
		if !errors.As(err, &problem) || !strings.Contains(problem.Hint, "/issues") || !strings.Contains(problem.Hint, stackVariable) {
			t.Errorf("%q: %+v", value, err)
		}
		if printed := log.String(); strings.Contains(printed, "stack=") != (value != "") || strings.Contains(printed, "secret") {
			t.Errorf("%q: %s", value, printed)
		}
	}
}
