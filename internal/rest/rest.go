// Package rest is the service's front door over HTTP: it reads a request,
// hands the call to the engine and writes the answer or the problem. What a
// tool does is not its business.
package rest

import (
	"context"
	"net/http"
	"slices"
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
var _ gen.ServerInterface = API{}

// Routes mounts the document's operations on router. Behind each route the
// body is read and checked against the document before the method runs.
func (a API) Routes(router chi.Router) {
	gen.HandlerWithOptions(a, gen.ChiServerOptions{
		BaseRouter:  router,
		Middlewares: []gen.MiddlewareFunc{a.validate},
	})
}

// JWTDecode handles POST /v1/tools/jwt_decode.
func (a API) JWTDecode(w http.ResponseWriter, r *http.Request) { a.run(w, r) }

// JSONFormat handles POST /v1/tools/json_format.
func (a API) JSONFormat(w http.ResponseWriter, r *http.Request) { a.run(w, r) }

// JSONToYAML handles POST /v1/tools/json_to_yaml.
func (a API) JSONToYAML(w http.ResponseWriter, r *http.Request) { a.run(w, r) }

// TimestampToISO handles POST /v1/tools/timestamp_to_iso.
func (a API) TimestampToISO(w http.ResponseWriter, r *http.Request) { a.run(w, r) }

// APIConvert handles POST /v1/tools/api_convert.
func (a API) APIConvert(w http.ResponseWriter, r *http.Request) { a.run(w, r) }

// Pipeline handles POST /v1/pipeline.
func (a API) Pipeline(w http.ResponseWriter, r *http.Request) { a.run(w, r) }

// accepted is a call that validate has accepted, and its turn.
type accepted struct {
	call contract.Call
	turn *engine.Turn
}

type acceptedKey struct{}

// validate is the request-validation middleware: it reads the body, enforces
// the document's schema and leaves the call in the context.
func (a API) validate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, turn := a.Engine.Turn(r.Context())
		defer turn.End()
		var c accepted
		c.turn = turn
		r = r.WithContext(context.WithValue(ctx, acceptedKey{}, &c))
		hold := a.Body.Memory.Hold(r)
		defer hold.Release()
		body, err := a.Body.Read(w, r, &hold)
		if err == nil {
			err = turn.Begin(r.Context(), len(body))
		}
		if err != nil {
			a.fail(w, r, err)
			return
		}
		operation := a.Contract.OperationOf(chi.RouteContext(r.Context()).RoutePattern())
		var failure *convert.Failure
		if c.call, failure = a.Contract.Decode(operation, convert.OwnedText(body)); failure != nil {
			a.Refuse(w, r, failure)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// run hands the call that validate left to the engine and writes the answer.
func (a API) run(w http.ResponseWriter, r *http.Request) {
	c := r.Context().Value(acceptedKey{}).(*accepted)
	answer, err := a.Engine.Run(r.Context(), c.call)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	buffer := buffers.Get().(*[]byte)
	body := answer.AppendJSON(slices.Grow((*buffer)[:0], answer.Size()))
	c.turn.End()                  // what is left to do depends on the client
	hold := a.Body.Memory.Hold(r) // for as long as the client reads
	defer hold.Release()
	if f := hold.Take(len(body)); f != nil {
		a.Refuse(w, r, f)
	} else {
		write(w, http.StatusOK, jsonType, body)
	}
	if cap(body) <= keptBuffer {
		*buffer = body
	}
	buffers.Put(buffer)
}

// buffers holds bodies of answers for the next ones, up to a size that all but
// the largest need. A ResponseWriter does not keep what it is given.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

const keptBuffer = 4 << 20 // bytes

// The values of headers that every answer has; made once, never changed. The
// capacity is the length, so whoever adds to one gets a copy.
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
	header["Content-Length"] = []string{strconv.Itoa(len(body))}
	header["Cache-Control"] = noStore
	header["X-Content-Type-Options"] = noSniff
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may be gone; there is nobody to tell
}
