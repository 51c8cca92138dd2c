package rest

import (
	"errors"
	"net/http"

	"github.com/go-chi/chi/v5"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/guard"
)

// fail responds with an error of the engine or of Body.Read. If it is not a
// failure, the client went away or it is an internal error.
func (a *API) fail(w http.ResponseWriter, r *http.Request, err error) {
	var failure *convert.Failure
	switch {
	case errors.As(err, &failure):
		a.Reject(w, r, failure)
	case r.Context().Err() != nil:
		guard.NoteGone(r.Context())
	default:
		a.Reject(w, r, malformedTransfer())
	}
}

// malformedTransfer is the failure of a body that could not be read although the client is still connected: a broken
// chunked coding, or a body shorter than its Content-Length.
func malformedTransfer() *convert.Failure {
	return convert.Reject(convert.MalformedJSON,
		"The request body is incomplete or its transfer coding is broken.",
		"Send the whole body, with a correct Content-Length or chunked coding.")
}

// Reject responds with a problem document (RFC 9457).
func (a *API) Reject(w http.ResponseWriter, r *http.Request, f *convert.Failure) {
	guard.NoteCode(r.Context(), string(f.Code))
	status := contract.Status(f.Code).Status
	guard.AdviseRetry(w.Header(), status)
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	*buffer = a.Contract.AppendProblem((*buffer)[:0], a.BaseURL, f)
	guard.WriteBody(w, status, guard.ProblemType, *buffer)
}

// NotFound responds to requests for routes that do not exist.
func (a *API) NotFound(w http.ResponseWriter, r *http.Request) {
	a.Reject(w, r, a.Contract.UnknownRoute(r.URL.Path).Below(a.Root))
}

// MethodNotAllowed responds to requests whose route exists, but not for their
// method. chi leaves Allow to a handler that replaces its own.
func (a *API) MethodNotAllowed(routes chi.Routes) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodDelete} {
			if routes.Match(chi.NewRouteContext(), method, r.URL.Path) {
				w.Header().Add("Allow", method)
			}
		}
		if w.Header()["Allow"] == nil { // chi rejects unknown methods before it looks up the route
			a.NotFound(w, r)
			return
		}
		a.Reject(w, r, convert.Reject(convert.MethodNotAllowed,
			"The route exists, but not for this method.",
			"Use a method that the Allow header lists; tools and the pipeline accept POST."))
	}
}
