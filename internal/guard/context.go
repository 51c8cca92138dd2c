package guard

import (
	"context"
	"net/http"
	"sync"

	"github.com/go-chi/chi/v5"

	"github.com/convertd/convertd/internal/convert"
)

// requestContext is a request's context, allocated once. It holds what chi, the guards and the front doors know about a
// request, so that none of them has to copy the request again.
//
// net/http cancels its own context when the client closes the sending direction, but a complete request still needs its
// response (RFC 9112, section 9.6). This context ends when the client is known to be gone.
type requestContext struct {
	context.Context                 // the connection's, or the request's if there is no connection
	values          context.Context // the request's

	id     string       // see WithID
	conn   *conn        // nil without Connections
	code   string       // see NoteCode
	bytes  int          // of the body, as far as it was read
	client string       // the quota's key, "" for an unknown client
	route  *chi.Context // nil outside Observe
	key    any          // see Keep
	value  any
}

// init makes c the context of a request that arrived on s, which may be nil.
func (c *requestContext) init(r *http.Request, s *conn) {
	c.Context, c.values, c.conn = r.Context(), r.Context(), s
	if s != nil {
		c.Context = s.context
	}
}

// Keep stores one value for Value to find and reports whether there was room for it. If the value has a method Release,
// that method is called when the response begins. Only the goroutine that handles the request may call Keep, before it
// shares the context.
func (c *requestContext) Keep(key, value any) bool {
	if c.key != nil {
		return false
	}
	c.key, c.value = key, value
	return true
}

// requestKey is the key for a context's requestContext.
type requestKey struct{}

// Value implements context.Context.
func (c *requestContext) Value(key any) any {
	switch {
	case key == requestKey{}:
		return c
	case key == chi.RouteCtxKey && c.route != nil:
		return c.route
	case c.key != nil && key == c.key:
		return c.value
	}
	// The connection's first: package context uses this to find the parent to notify.
	if value := c.Context.Value(key); value != nil {
		return value
	}
	return c.values.Value(key)
}

// NoteGone records that the client is gone. The handler returns without a response.
func NoteGone(ctx context.Context) { NoteCode(ctx, convert.ClientGone) }

// NoteCode records the problem code of the response.
func NoteCode(ctx context.Context, code string) {
	if c, ok := ctx.Value(requestKey{}).(*requestContext); ok {
		c.code = code
	}
}

// noteBytes records how much of the request's body was read.
func noteBytes(ctx context.Context, n int) {
	if c, ok := ctx.Value(requestKey{}).(*requestContext); ok {
		c.bytes = n
	}
}

// routes are chi's contexts, reused for other requests as chi does with its own.
var routes = sync.Pool{New: func() any { return chi.NewRouteContext() }}
