package guard

import (
	"context"
	crypto "crypto/rand"
	"log/slog"
	"math/rand/v2"
	"sync"
)

// idLength is the number of characters in an id: 5 bits each, 130 bits in all, like crypto/rand.Text.
const idLength = 26

// idLetters is the alphabet of RFC 4648, section 6.
const idLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

// newID returns an id that cannot be guessed, not even from other ids. ChaCha8 is a cryptographically strong generator
// (C2SP's chacha8rand), its seed is 256 bits from the system's random source, and no output reveals another one. A read
// from the system for each id would cost several times as much.
func newID() string {
	generator := generators.Get().(*rand.ChaCha8)
	var id [idLength]byte
	_, _ = generator.Read(id[:]) // never fails
	generators.Put(generator)
	for i := range id {
		id[i] = idLetters[id[i]%32]
	}
	return string(id[:])
}

// generators are used by one goroutine at a time. The pool drops them now and then.
var generators = sync.Pool{New: func() any {
	var seed [32]byte
	_, _ = crypto.Read(seed[:]) // never fails: a system without randomness ends the program
	return rand.NewChaCha8(seed)
}}

// WithID returns a logger that adds the id of the request, if the context has one, to the lines of log.
func WithID(log *slog.Logger) *slog.Logger { return slog.New(idHandler{log.Handler()}) }

type idHandler struct{ slog.Handler }

// Handle implements slog.Handler.
func (h idHandler) Handle(ctx context.Context, line slog.Record) error {
	if c, ok := ctx.Value(requestKey{}).(*requestContext); ok {
		line.AddAttrs(slog.String("id", c.id))
	}
	return h.Handler.Handle(ctx, line)
}
