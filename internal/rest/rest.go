// Package rest is the service's front door over HTTP: it reads a request,
// hands the call to the engine and writes the answer or the problem. What a
// tool does is not its business.
package rest

import (
	"net/http"
	"strconv"
	"sync"

	"github.com/go-chi/chi/v5"

	"github.com/convertd/convertd/gen"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/engine"
	"github.com/convertd/convertd/internal/guard"
)

// API answers the operations of the document.
type API struct {
	Contract *contract.Contract
	Engine   *engine.Engine
	BaseURL  string // public address, without a final slash
	Root     string // the path of BaseURL, "" for none
	Body     guard.Body
}

// The generated interface demands one method for each operation.
var _ gen.ServerInterface = &API{}

// Routes mounts the document's operations on router.
func (a API) Routes(router chi.Router) {
	gen.HandlerWithOptions(&a, gen.ChiServerOptions{BaseRouter: router})
}

// run answers an operation: it reads the body, checks it against the document,
// hands the call to the engine and writes the answer.
func (a *API) run(w http.ResponseWriter, r *http.Request) {
	ctx, slot := a.Engine.Slot(r.Context())
	defer slot.Release()
	if ctx != r.Context() {
		r = r.WithContext(ctx)
	}
	hold := a.Body.Memory.Hold(r)
	defer hold.Release() // the body, once it is answered
	body, err := a.Body.Read(w, r, &hold)
	if err == nil {
		err = slot.Acquire(ctx, len(body))
	}
	if err != nil {
		a.fail(w, r, err)
		return
	}
	operation := a.Contract.OperationOf(chi.RouteContext(ctx).RoutePattern())
	call, failure := a.Contract.Decode(operation, convert.OwnedText(body))
	if failure != nil {
		a.Refuse(w, r, failure)
		return
	}
	defer call.Release() // once it is answered
	a.answer(w, r, call)
}

// answer runs a call and writes its response.
func (a *API) answer(w http.ResponseWriter, r *http.Request, call contract.Call) {
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
	hold := a.Body.Memory.Hold(r) // for as long as the client reads
	defer hold.Release()
	if f := hold.Take(len(body)); f != nil {
		a.Refuse(w, r, f)
		return
	}
	write(w, http.StatusOK, jsonType, body)
}

// buffers holds bodies of answers for the next ones, up to a size that all but
// the largest need. A ResponseWriter does not keep what it is given.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

const keptBuffer = 4 << 20 // bytes

// The values of headers that every answer has; made once, never changed. The
// capacity is the length, so appending to one makes a copy.
var (
	jsonType    = []string{"application/json"}
	problemType = []string{"application/problem+json"}
	noStore     = []string{"no-store"}
	noSniff     = []string{"nosniff"}
)

// write sends a whole body with its exact length. Answers hold input and are
// not for caches. The names of the headers are in their canonical form.
func write(w http.ResponseWriter, status int, mediaType []string, body []byte) {
	header := w.Header()
	header["Content-Type"] = mediaType
	guard.SetHeader(w, "Content-Length", strconv.Itoa(len(body)))
	header["Cache-Control"] = noStore
	header["X-Content-Type-Options"] = noSniff
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may be gone; there is nobody to tell
}
