//go:build unix

package guard

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert/converttest"
)

// TestSharedQuotaSettings checks that a URL that can never work is reported at the start as an error that names the
// flag and quotes nothing of the URL. Meanwhile requests are counted locally.
func TestSharedQuotaSettings(t *testing.T) {
	server := startRedis(t)
	client := server.client()
	defer client.Close()
	for _, user := range [][]any{{"acl", "setuser", "able", "on", ">right", "~*", "+@all"}, {"acl", "setuser", "weak", "on", ">right", "~*", "+@connection"}, {"acl", "setuser", "default", "off"}} {
		check.OK(t, client.Do(t.Context(), user...).Err())
	}
	noRedis := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	secure, plain := httptest.NewUnstartedServer(noRedis), httptest.NewServer(noRedis)
	secure.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0)
	secure.StartTLS()
	defer secure.Close()
	defer plain.Close()
	for _, test := range []struct{ name, address, message string }{
		{"a wrong password", "redis://able:hunter2@" + server.address, "Redis rejects the user or password"},
		{"an unknown user", "redis://hunter2:right@" + server.address, "Redis rejects the user or password"},
		{"no password", "redis://" + server.address, "or requires one"},
		{"a user without rights", "redis://weak:right@" + server.address, "Redis does not allow this user"},
		{"an unknown certificate", "rediss://able:right@" + secure.Listener.Addr().String(), "is not trusted"},
		{"no TLS", "rediss://able:right@" + plain.Listener.Addr().String(), "does not speak TLS"},
	} {
		t.Run(test.name, func(t *testing.T) {
			log := &converttest.Log{}
			shared := check.Value(NewShared(test.address, 60, slog.New(slog.NewTextHandler(log, nil))))(t)
			defer shared.Close()
			eventually(t, "the log says so", func() bool { return log.Has("level=ERROR msg=\"--redis-url: ") && log.Has(test.message) })
			if log.Has("hunter2") || log.Has("right") {
				t.Error("the log repeats the address")
			}
			if _, ok := shared.take("192.0.2.1"); ok || shared.Up() {
				t.Error("it counts nevertheless")
			}
		})
	}
	shared := check.Value(NewShared("redis://able:right@"+server.address, 60, slog.New(slog.DiscardHandler)))(t)
	defer shared.Close()
	eventually(t, "the right password is accepted", shared.Up)
}
