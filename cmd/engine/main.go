//go:build js && wasm

// Command engine runs the tools as WebAssembly for the editor's "Run in this page": one function in a worker does what
// a POST request does on the service. It makes no requests.
package main

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"syscall/js"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/engine"
	"github.com/convertd/convertd/internal/tools"
)

// A collection stops the only thread, so collections are rare while little memory is in use.
const (
	collectAt   = 800     // percent, see debug.SetGCPercent
	memoryLimit = 1 << 30 // beyond it, collections are as frequent as necessary
)

// The limits of a call; the memory of the tab is the only other bound.
const (
	maxInput  = 64 << 20  // characters of the input
	maxOutput = 256 << 20 // characters of an output, and bytes of a pipeline's together
)

// door handles calls like the service.
type door struct {
	contract *contract.Contract
	engine   *engine.Engine
	baseURL  string
}

// main sets the global function start(baseURL, provider, version), which returns the function call, and keeps running.
func main() {
	debug.SetGCPercent(collectAt)
	debug.SetMemoryLimit(memoryLimit)
	js.Global().Set("start", js.FuncOf(func(_ js.Value, args []js.Value) any {
		d, err := newDoor(args[0].String(), args[1].String(), args[2].String())
		if err != nil {
			panic(err)
		}
		return js.FuncOf(d.call)
	}))
	select {}
}

func newDoor(baseURL, provider, version string) (*door, error) {
	c, err := contract.Load()
	if err != nil {
		return nil, err
	}
	limits := c.Limits()
	limits.RequestBytes, limits.OutputCharacters, limits.PipelineBytes, limits.PipelineSeconds = maxInput, maxOutput, maxOutput, 0
	c = c.WithLimits(limits)
	e, err := engine.New(c, tools.All(), engine.Config{
		BaseURL: baseURL, Provider: provider, Version: version, Log: slog.Default(),
	})
	return &door{c, e, baseURL}, err
}

// call implements call(path, body). The body is a Uint8Array; the result is an
// object with the HTTP status and the body of the response, also a Uint8Array.
func (d *door) call(_ js.Value, args []js.Value) any {
	body := make([]byte, args[1].Get("length").Int())
	js.CopyBytesToGo(body, args[1])
	status, response := d.response(args[0].String(), convert.OwnedText(body))
	out := js.Global().Get("Uint8Array").New(len(response))
	js.CopyBytesToJS(out, response)
	return map[string]any{"status": status, "body": out}
}

// response returns the service's response to a POST request.
func (d *door) response(path, body string) (status int, response []byte) {
	operation := d.contract.OperationOf(path)
	if operation == "" {
		return d.reject(convert.Reject(convert.UnknownRoute,
			"There is no such route.",
			"The routes are listed in /v1/openapi.json; a tool is at /v1/tools/NAME."))
	}
	call, failure := d.contract.Decode(operation, body)
	if failure != nil {
		return d.reject(failure)
	}
	response, err := d.engine.AppendJSON(context.Background(), nil, call)
	switch {
	case errors.As(err, &failure):
		return d.reject(failure)
	case err != nil:
		return d.reject(convert.Internal())
	}
	return 200, response
}

func (d *door) reject(f *convert.Failure) (status int, response []byte) {
	return contract.Status(f.Code).Status, d.contract.AppendProblem(nil, d.baseURL, f)
}
