package engine

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
)

// drained writes a chunk to the sink and returns the rest.
func drained(_ context.Context, in convert.Input) (convert.Result, error) {
	out, err := in.Limit.Drain(bytes.Repeat([]byte("x"), convert.Chunk))
	return convert.Result{Value: string(out) + "rest"}, err
}

// TestRunStreams checks that only the last step's output is streamed, unless the caller requested it by step id.
func TestRunStreams(t *testing.T) {
	e, c, _ := newEngine(t, drained)
	chunk := strings.Repeat("x", convert.Chunk)
	for body, want := range map[string][2]string{
		single: {chunk, "rest"},
		chain:  {chunk, "rest"},
		strings.Replace(chain, `"steps"`, `"returnStepIds":["first"],"steps"`, 1):  {chunk, "rest"},
		strings.Replace(chain, `"steps"`, `"returnStepIds":["second"],"steps"`, 1): {"", chunk + "rest"},
	} {
		operation := "pipeline"
		if body == single {
			operation = "json_format"
		}
		var written strings.Builder
		response, err := e.Run(context.Background(), decode(t, c, operation, body), &written)
		if err != nil || written.String() != want[0] || response.Output.Value != want[1] {
			t.Errorf("%s: %v; %d bytes written", body, err, written.Len())
		}
	}
}

// TestRunStreamsFails checks that an error of the caller's writer is not an internal error.
func TestRunStreamsFails(t *testing.T) {
	e, c, log := newEngine(t, drained)
	reader, writer := io.Pipe()
	reader.Close()
	_, err := e.Run(context.Background(), decode(t, c, "json_format", single), writer)
	var unwritten *convert.WriteError
	if !errors.As(err, &unwritten) || !errors.Is(err, io.ErrClosedPipe) || log.Len() > 0 {
		t.Errorf("%v: %s", err, log)
	}
}

// TestGrowth checks that the output limit grows with the input, and is never below the contract's limit.
func TestGrowth(t *testing.T) {
	var characters int
	e, c, _ := newEngine(t, func(_ context.Context, in convert.Input) (convert.Result, error) {
		characters = in.Limit.Characters()
		return convert.Result{}, nil
	})
	e.config.Growth = 32
	call := decode(t, c, "json_format", single)
	for size, want := range map[int]int{1: convert.MaxOutputCharacters, 1 << 20: 32 << 20, 64 << 20: jsondoc.MaxText} {
		call.Input.Value = strings.Repeat("1", size)
		if _, err := e.Run(context.Background(), call, nil); err != nil || characters != want {
			t.Errorf("%d bytes: %d characters, %v", size, characters, err)
		}
	}
}

// TestAppendJSON checks that a response has the same bytes whether the tool appended its output or returned it as a
// value, and that it follows what dst contained.
func TestAppendJSON(t *testing.T) {
	const output = "line\n\"quoted\" \\ é"
	e, c, _ := newEngine(t, func(_ context.Context, in convert.Input) (convert.Result, error) {
		if dst := in.Limit.Into(); dst != nil && in.Value != "null" {
			return convert.Result{Into: jsondoc.AppendEscaped(dst, output), Warnings: []string{"a: b"}}, nil
		}
		return convert.Result{Value: output, Warnings: []string{"a: b"}}, nil
	})
	for _, body := range []string{
		single, strings.Replace(single, `"1"`, `"null"`, 1), chain,
		strings.Replace(chain, `"steps"`, `"returnStepIds":["first"],"steps"`, 1),
		strings.Replace(chain, `"steps"`, `"returnStepIds":["first","second"],"steps"`, 1),
	} {
		operation := "pipeline"
		if !strings.Contains(body, `"steps"`) {
			operation = "json_format"
		}
		call := decode(t, c, operation, body)
		response := check.Value(e.Run(context.Background(), call, nil))(t)
		got, err := e.AppendJSON(context.Background(), []byte("before"), call)
		if want := string(response.AppendJSON([]byte("before"))); err != nil || string(got) != want {
			t.Errorf("%s:\nwant %s\ngot  %s, %v", body, want, got, err)
		}
	}
}
