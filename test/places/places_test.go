package places

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/convertd/convertd"
	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/cli"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/server"
	"github.com/convertd/convertd/internal/tools"
	"github.com/convertd/convertd/internal/version"
)

// serve starts the service with the same provenance as the other front doors.
func serve(t *testing.T) string {
	t.Helper()
	listener := httptest.NewUnstartedServer(nil)
	base := "http://" + listener.Listener.Addr().String()
	s := check.Value(server.New(config(base), slog.New(slog.DiscardHandler)))(t)
	listener.Config.Handler = s.Handler()
	listener.Start()
	t.Cleanup(listener.Close)
	return base
}

func config(base string) server.Config {
	return server.Config{
		Listen: strings.TrimPrefix(base, "http://"), BaseURL: base, Provider: "convertd", Version: version.Current(""),
		WorkSlots: 2 * runtime.GOMAXPROCS(0), QueueWait: 30 * time.Second, BodyTimeout: 30 * time.Second, ExecTimeout: 30 * time.Second,
	}
}

func post(t *testing.T, url, body string) []byte {
	t.Helper()
	request := check.Value(http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body)))(t)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	response := check.Value(http.DefaultClient.Do(request))(t)
	defer response.Body.Close()
	return check.Value(io.ReadAll(response.Body))(t)
}

// TestFrontDoorsAgree makes the same call over REST and MCP and with the command line's converter and the package, and
// checks that the results are the same bytes, or mean the same.
// Rule: ANS-5.
func TestFrontDoorsAgree(t *testing.T) {
	c := check.Value(contract.Load())(t)
	base := serve(t)
	calls := Calls(t, "../..")
	if len(calls) < 400 {
		t.Fatalf("only %d calls", len(calls))
	}
	refused := 0
	for _, call := range calls {
		body := check.Value(json.Marshal(call.Body))(t)
		rest := post(t, base+call.Path, string(body))
		if !bytes.HasPrefix(rest, []byte(`{"output":`)) {
			refused++
		}
		if got := overMCP(t, base, call, body); got != string(rest) {
			t.Errorf("%s: MCP says %.300s, REST %.300s", call.Name, got, rest)
		}
		limited := bytes.Contains(rest, []byte(`"code":"output_too_large"`)) // the service's limit, not one for files
		if got := onTheCommandLine(t, c, base, call, body); !limited && !bytes.Equal(got, rest) {
			t.Errorf("%s: the command line says %.300s, REST %.300s", call.Name, got, rest)
		}
		inAProgram(t, call, rest)
	}
	t.Logf("%d calls, %d refused", len(calls), refused)
}

func overMCP(t *testing.T, base string, call Call, body []byte) string {
	t.Helper()
	response := post(t, base+"/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+call.Operation+`","arguments":`+string(body)+`}}`)
	var rpc struct {
		Result struct{ Content []struct{ Text string } }
	}
	if err := json.Unmarshal(response, &rpc); err != nil || len(rpc.Result.Content) != 1 {
		t.Fatalf("%s: %v: %s", call.Name, err, response)
	}
	return rpc.Result.Content[0].Text
}

func onTheCommandLine(t *testing.T, c *contract.Contract, base string, call Call, body []byte) []byte {
	t.Helper()
	value := check.Value(jsondoc.Decode(string(body)))(t)
	request := cli.Request{Operation: call.Operation, Path: call.Path, Body: value.(map[string]any)}
	mediaType, text, _ := cli.Input(request.Body)
	local := check.Value(cli.NewLocal(c, tools.All(), request, base, version.Current("")))(t)
	response, err := local.Convert(t.Context(), convert.Artifact{MediaType: mediaType, Value: text}, nil)
	if p, is := errors.AsType[*cli.Problem](err); is {
		return p.JSON
	}
	if err != nil {
		t.Fatalf("%s: %v", call.Name, err)
	}
	return response.JSON()
}

// inAProgram calls the package and compares its result with the service's response.
func inAProgram(t *testing.T, call Call, rest []byte) {
	t.Helper()
	var want struct {
		Output     convertd.Artifact
		Outputs    map[string]convertd.Artifact
		Warnings   []string
		Provenance struct{ EngineVersion, Tool, Attribution, EditorURL string }

		Code                            convertd.Code
		Title, Detail, Hint, Path, Step string
	}
	check.JSON(t, rest, &want)
	got, err := program(t, call)
	if p, is := errors.AsType[*convertd.Problem](err); is {
		want.Hint = strings.TrimSuffix(want.Hint, contract.DoNotRetry) // only programs that call a service may repeat a call
		if p.Code != want.Code || p.Title != want.Title || p.Detail != want.Detail || p.Hint != want.Hint || p.Path != want.Path || p.Step != want.Step {
			t.Errorf("%s: the package says %+v, REST %s", call.Name, p, rest)
		}
		return
	}
	if err != nil {
		t.Fatalf("%s: %v", call.Name, err)
	}
	_, recipe, _ := strings.Cut(want.Provenance.EditorURL, "#")
	provenance := convertd.Provenance{EngineVersion: want.Provenance.EngineVersion, Tool: want.Provenance.Tool, Attribution: want.Provenance.Attribution, Recipe: recipe}
	if got.Output != want.Output || got.Provenance != provenance || strings.Join(got.Warnings, "\n") != strings.Join(want.Warnings, "\n") ||
		len(got.Outputs)+len(want.Outputs) > 0 && !reflect.DeepEqual(got.Outputs, want.Outputs) {
		t.Errorf("%s: the package says %.300v, REST %.300s", call.Name, got, rest)
	}
}

// program makes the call as a Go program would.
func program(t *testing.T, call Call) (*convertd.Result, error) {
	var body struct {
		Input   convertd.Artifact
		Options map[string]any
		Steps   []struct {
			ID, Tool string
			Options  map[string]any
		}
		ReturnStepIDs []string
	}
	text, _ := json.Marshal(call.Body)
	if err := json.Unmarshal(text, &body); err != nil {
		return nil, err
	}
	if call.Operation != contract.Pipeline {
		return runTool(t, call.Operation, body.Input, body.Options)
	}
	var steps []convertd.Step
	for _, step := range body.Steps {
		steps = append(steps, convertd.Step{ID: step.ID, Options: Options(t, step.Tool, step.Options), Return: slices.Contains(body.ReturnStepIDs, step.ID)})
	}
	return convertd.Pipeline(t.Context(), body.Input, steps)
}

// runTool calls a tool's function in the Go package.
func runTool(t *testing.T, tool string, input convertd.Artifact, given map[string]any) (*convertd.Result, error) {
	t.Helper()
	f, in := reflect.ValueOf(functions[tool]), reflect.ValueOf(input)
	if f.Type().In(1).Kind() == reflect.String { // the tool accepts one media type
		in = reflect.ValueOf(input.Value)
	}
	out := f.Call([]reflect.Value{reflect.ValueOf(t.Context()), in, reflect.ValueOf(Options(t, tool, given))})
	err, _ := out[1].Interface().(error)
	return out[0].Interface().(*convertd.Result), err
}
