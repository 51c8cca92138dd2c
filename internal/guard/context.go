package guard

import (
	"context"
	"net/http"
	"sync"

	"github.com/go-chi/chi/v5"

	"github.com/convertd/convertd/internal/convert"
)

// requestContext is a request's context, made once: what chi, the guards and the
// front doors know of a request is in it, so that no further copy of the
// request has to be made for that.
//
// net/http ends its own context when the client closes the sending direction,
// which is no reason to leave a complete request without its answer (RFC 9112,
// section 9.6); this one ends when the client is known to be gone.
type requestContext struct {
	context.Context                 // the connection's, or without one the request's
	values          context.Context // the request's

	conn   *conn        // nil without Connections
	code   string       // see NoteCode
	bytes  int          // of the body, as far as it was read
	client string       // the quota's key, "" for an unknown client
	route  *chi.Context // nil outside of Observe
	key    any          // see Keep
	value  any
}

// init makes c the context of a request that came by s, nil for none.
func (c *requestContext) init(r *http.Request, s *conn) {
	c.Context, c.values, c.conn = r.Context(), r.Context(), s
	if s != nil {
		c.Context = s.context
	}
}

// known returns the request's own context, which is made for a request that has
// not come through Observe: then the request is another one.
func known(r *http.Request) (*requestContext, *http.Request) {
	if c, ok := r.Context().(*requestContext); ok {
		return c, r
	}
	c := &requestContext{}
	c.init(r, nil)
	return c, r.WithContext(c)
}

// Keep keeps one value, which Value then finds, and reports whether there was
// room for it. Where the value has a method Release, that is called when the
// response begins. Only the goroutine that handles the request may call Keep, and
// before it shows the context to another.
func (c *requestContext) Keep(key, value any) bool {
	if c.key != nil {
		return false
	}
	c.key, c.value = key, value
	return true
}

// requestKey is the key by which a context finds the request's own.
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
	// The connection's first: package context asks so whom to tell of children.
	if value := c.Context.Value(key); value != nil {
		return value
	}
	return c.values.Value(key)
}

// NoteGone tells the request's record that nobody is there to be answered. The
// handler returns without an answer.
func NoteGone(ctx context.Context) { NoteCode(ctx, convert.ClientGone) }

// NoteCode tells the request's record the problem code it was answered with.
func NoteCode(ctx context.Context, code string) {
	if c, ok := ctx.Value(requestKey{}).(*requestContext); ok {
		c.code = code
	}
}

// noteBytes tells the request's record how much of its body was read.
func noteBytes(ctx context.Context, n int) {
	if c, ok := ctx.Value(requestKey{}).(*requestContext); ok {
		c.bytes = n
	}
}

// routes are chi's contexts. They are used again for other requests, as chi does
// with those that it makes itself.
var routes = sync.Pool{New: func() any { return chi.NewRouteContext() }}
