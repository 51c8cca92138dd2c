// Package rest is the service's HTTP front door: it reads a request, passes the call to the engine and writes the
// response or the problem. It does not know what a tool does.
package rest

import (
	"net/http"
	"sync"

	"github.com/go-chi/chi/v5"

	"github.com/convertd/convertd/gen"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/engine"
	"github.com/convertd/convertd/internal/guard"
)

// API implements the operations of the document.
type API struct {
	Contract *contract.Contract
	Engine   *engine.Engine
	BaseURL  string // public URL, without a trailing slash
	Root     string // the path of BaseURL, "" if none
	Body     guard.Body
}

// The generated interface requires one method per operation.
var _ gen.ServerInterface = &API{}

// Routes mounts the document's operations on router.
func (a API) Routes(router chi.Router) {
	gen.HandlerWithOptions(&a, gen.ChiServerOptions{BaseRouter: router})
}

// run handles an operation: it reads the body, validates it against the document,
// passes the call to the engine and writes the response.
func (a *API) run(w http.ResponseWriter, r *http.Request) {
	ctx, slot := a.Engine.Slot(r.Context())
	defer slot.Release()
	if ctx != r.Context() {
		r = r.WithContext(ctx)
	}
	hold := a.Body.Memory.Hold(r)
	defer hold.Release() // the body, after the response
	body, err := a.Body.Read(w, r, &hold)
	if err == nil {
		err = slot.Acquire(ctx, len(body))
	}
	if err != nil {
		a.fail(w, r, err)
		return
	}
	if r.URL.RawQuery != "" {
		a.Reject(w, r, convert.Reject(convert.SchemaViolation,
			"The URL has query parameters, but operations have none.",
			"Remove the question mark and what follows it. Send a tool's options in the body, as the property options."))
		return
	}
	operation := a.Contract.OperationOf(chi.RouteContext(ctx).RoutePattern())
	call, failure := a.Contract.Decode(operation, convert.OwnedText(body))
	if failure != nil {
		a.Reject(w, r, failure)
		return
	}
	defer call.Release() // after the response
	a.serve(w, r, call)
}

// serve runs a call and writes its response.
func (a *API) serve(w http.ResponseWriter, r *http.Request, call contract.Call) {
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	body, err := a.Engine.AppendJSON(r.Context(), (*buffer)[:0], call)
	if cap(body) <= keptBuffer {
		*buffer = body
	}
	if err != nil {
		a.fail(w, r, err)
		return
	}
	hold := a.Body.Memory.Hold(r) // until the client has read it
	defer hold.Release()
	if f := hold.Take(len(body)); f != nil {
		a.Reject(w, r, f)
		return
	}
	guard.WriteBody(w, http.StatusOK, guard.JSONType, body)
}

// buffers holds response bodies for reuse, up to a size that suffices for all but
// the largest. A ResponseWriter does not retain the slice that it writes.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

const keptBuffer = 4 << 20 // bytes
