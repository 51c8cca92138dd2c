package guard

import (
	"fmt"
	"log/slog"
	"net/http"

	"github.com/convertd/convertd/internal/convert"
)

// Recover responds to a panic with internal_error. It logs the panic's type and
// stack, which contain nothing of the request but its id, if log is from WithID.
func Recover(log *slog.Logger, refuse Refuser) Middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			defer func() {
				switch p := recover(); p {
				case nil:
				case http.ErrAbortHandler:
					panic(p)
				default:
					log.ErrorContext(r.Context(), "a handler panicked", "type", fmt.Sprintf("%T", p), "stack", convert.Stack())
					refuse(w, r, convert.Internal())
				}
			}()
			next.ServeHTTP(w, r)
		})
	}
}
