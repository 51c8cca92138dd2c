package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
)

// secret is a placeholder for input, which nothing checked here may contain.
const secret = "ZqXw7Secret"

// newEngine returns an engine whose tools all run do, and its log.
func newEngine(t *testing.T, do func(context.Context, convert.Input) (convert.Result, error)) (*Engine, *contract.Contract, *bytes.Buffer) {
	t.Helper()
	c := check.Value(contract.Load())(t)
	var list []convert.Tool
	for _, tool := range c.Tools() {
		list = append(list, convert.Tool{Name: tool.Name, Convert: do})
	}
	var log bytes.Buffer
	e, err := New(c, list, Config{ExecTimeout: time.Hour, WorkSlots: 4, Log: slog.New(slog.NewTextHandler(&log, nil))})
	check.OK(t, err)
	return e, c, &log
}

const (
	single = `{"input":{"mediaType":"application/json","value":"1"}}`
	chain  = `{"version":1,"input":{"mediaType":"application/json","value":"1"},"steps":[{"id":"first","tool":"json_format"},{"id":"second","tool":"json_format"}]}`
)

func decode(t *testing.T, c *contract.Contract, operation, body string) contract.Call {
	t.Helper()
	call, failure := c.Decode(operation, body)
	if failure != nil {
		t.Fatal(failure)
	}
	return call
}

func TestToolsMatchDocument(t *testing.T) {
	c := check.Value(contract.Load())(t)
	var all []convert.Tool
	for _, tool := range c.Tools() {
		all = append(all, convert.Tool{Name: tool.Name})
	}
	missing := fmt.Sprintf("the OpenAPI document has the tool %q, but no package implements it", all[0].Name)
	for want, list := range map[string][]convert.Tool{
		`the OpenAPI document has no tool "other"`: append(all[:len(all):len(all)], convert.Tool{Name: "other"}),
		missing: all[1:],
	} {
		if _, err := New(c, list, Config{WorkSlots: 1}); err == nil || err.Error() != want {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

// A pipeline ends within the document's limit, however long each of its tools may
// take. A single call has only its tool's limit.
// Rules: PIPE-11, ERR-9.
func TestDeadlines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var end time.Time
		e, c, _ := newEngine(t, func(ctx context.Context, in convert.Input) (convert.Result, error) {
			end, _ = ctx.Deadline()
			return convert.Result{Value: in.Value}, nil
		})
		for _, test := range []struct {
			operation, body string
			want            time.Duration
		}{
			{"json_format", single, time.Hour},
			{contract.Pipeline, chain, time.Duration(c.Limits().PipelineSeconds) * time.Second},
		} {
			check.Value(e.Run(t.Context(), decode(t, c, test.operation, test.body), nil))(t)
			if !end.Equal(time.Now().Add(test.want)) {
				t.Errorf("%s: the tool has %v, want %v", test.operation, time.Until(end), test.want)
			}
		}
	})
}

// The output of a single call is bounded by its characters, whatever their bytes;
// the outputs of a pipeline by their total bytes.
func TestBudgets(t *testing.T) {
	var text []byte
	e, c, _ := newEngine(t, func(_ context.Context, in convert.Input) (convert.Result, error) {
		if in.Limit.Exceeded(text) {
			return convert.Result{}, in.Limit.Failure()
		}
		return convert.Result{Value: string(text)}, nil
	})
	limits := c.Limits()
	for _, test := range []struct {
		operation, body, character string
		most                       int // of that character
		path, step                 string
	}{
		{"json_format", single, "x", limits.OutputCharacters, "/input/value", ""},
		{"json_format", single, "\U0001F600", limits.OutputCharacters, "/input/value", ""},
		{contract.Pipeline, chain, "x", limits.PipelineBytes / 2, "/steps/1", "second"},
		{contract.Pipeline, chain, "é", limits.PipelineBytes / 4, "/steps/1", "second"},
	} {
		call := decode(t, c, test.operation, test.body)
		text = bytes.Repeat([]byte(test.character), test.most)
		if _, err := e.Run(t.Context(), call, nil); err != nil {
			t.Errorf("%s of %d %s: %v", test.operation, test.most, test.character, err)
		}
		text = append(text, 'x')
		_, err := e.Run(t.Context(), call, nil)
		var failure *convert.Failure
		if !errors.As(err, &failure) || failure.Code != convert.OutputTooLarge || *failure.Path != test.path || failure.Step != test.step {
			t.Errorf("%s of more than %d %s: %v", test.operation, test.most, test.character, err)
		}
	}
}

// An internal error in a tool is logged with the tool and the type. The response
// has neither, and nothing of the error's message leaves the process.
func TestFaultsAreLogged(t *testing.T) {
	for want, do := range map[string]func(context.Context, convert.Input) (convert.Result, error){
		`level=ERROR msg="a tool panicked" tool=json_format type=string stack=`: func(context.Context, convert.Input) (convert.Result, error) {
			panic(secret)
		},
		`level=ERROR msg="a tool failed with an error that is not a failure" tool=json_format type=*errors.errorString`: func(context.Context, convert.Input) (convert.Result, error) {
			return convert.Result{}, errors.New(secret)
		},
	} {
		e, c, log := newEngine(t, do)
		_, err := e.Run(t.Context(), decode(t, c, contract.Pipeline, chain), nil)
		var failure *convert.Failure
		if !errors.As(err, &failure) || failure.Code != convert.InternalError || failure.Path != nil || failure.Step != "first" {
			t.Errorf("want an internal error of the first step, got %v", err)
		}
		if !strings.Contains(log.String(), want) || strings.Contains(log.String()+err.Error(), secret) {
			t.Errorf("want %s, got %s", want, log)
		}
		if e.Busy() != 0 {
			t.Error("the slot is not given back")
		}
	}
}

// Pipeline errors that the schema cannot express are rejected before the first step, with the location and the step.
func TestPlanRefusals(t *testing.T) {
	e, c, _ := newEngine(t, func(context.Context, convert.Input) (convert.Result, error) {
		t.Error("a step ran")
		return convert.Result{}, nil
	})
	const begin = `{"version":1,"input":{"mediaType":"application/json","value":"1"},"steps":[{"id":"a","tool":"json_format"},`
	for _, test := range []struct {
		body       string
		code       convert.Code
		path, step string
	}{
		{begin + `{"id":"a","tool":"json_to_yaml"}]}`, convert.DuplicateStepID, "/steps/1/id", "a"},
		{begin + `{"id":"b","tool":"json_to_yaml"}],"returnStepIds":["b","c"]}`, convert.UnknownStepID, "/returnStepIds/1", ""},
		{begin + `{"id":"b","tool":"jwt_decode"}]}`, convert.MediaTypeMismatch, "/steps/1/tool", "b"},
		{strings.Replace(chain, "application/json", "text/plain", 1), convert.UnsupportedMediaType, "/input/mediaType", "first"},
	} {
		_, err := e.Run(t.Context(), decode(t, c, contract.Pipeline, test.body), nil)
		var failure *convert.Failure
		if !errors.As(err, &failure) || failure.Code != test.code || *failure.Path != test.path || failure.Step != test.step {
			t.Errorf("%s: want %s at %s of %q, got %+v", test.body, test.code, test.path, test.step, err)
		}
		if test.code == convert.MediaTypeMismatch && failure.Detail != "The step accepts application/jwt, but the step before it produces application/json." {
			t.Errorf("the detail does not name both media types: %s", failure.Detail)
		}
	}
}
