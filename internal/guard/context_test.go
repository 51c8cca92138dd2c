package guard

import (
	"context"
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"

	"github.com/go-chi/chi/v5"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/record"
)

// TestOneContext checks that the context that Observe creates holds everything
// known about a request, so that no handler after it copies the request.
func TestOneContext(t *testing.T) {
	type key struct{ name string }
	quota := check.Value(NewQuota(60, nil))(t)
	var noted record.Record
	var seen []*http.Request
	router := chi.NewRouter()
	remember := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			seen = append(seen, r)
			next.ServeHTTP(w, r)
		})
	}
	router.Use(remember, quota.Limit(nil, nil), remember)
	router.Post("/a/{b}", func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r)
		keeps := r.Context().(*requestContext)
		if !keeps.Keep(key{"kept"}, 1) || keeps.Keep(key{"no more"}, 2) {
			t.Error("one value is kept, and no second one")
		}
		child, cancel := context.WithCancel(r.Context())
		defer cancel()
		for name, want := range map[string]any{"kept": 1, "no more": nil, "outer": "o"} {
			if got := child.Value(key{name}); got != want {
				t.Errorf("%s: want %v, got %v", name, want, got)
			}
		}
		if keeps.client != "192.0.2.1" {
			t.Errorf("the client is %q", keeps.client)
		}
		NoteCode(child, "noted")
		w.WriteHeader(http.StatusTeapot)
	})
	handler := Observe(func(_ context.Context, r record.Record) { noted = r })(router)
	r := httptest.NewRequest(http.MethodPost, "/a/1", nil) // of 192.0.2.1
	r = r.WithContext(context.WithValue(r.Context(), key{"outer"}, "o"))
	handler.ServeHTTP(httptest.NewRecorder(), r)
	if len(seen) != 3 || seen[0] != seen[1] || seen[1] != seen[2] {
		t.Errorf("not one request: %p", seen)
	}
	if noted.Route != "/a/{b}" || noted.Code != "noted" || noted.Status != http.StatusTeapot {
		t.Errorf("the record is %+v", noted)
	}
}

// TestSetHeader checks that appending to one header does not overwrite the next.
func TestSetHeader(t *testing.T) {
	recorder := httptest.NewRecorder()
	x := &exchange{ResponseWriter: recorder}
	want := http.Header{}
	for _, name := range []string{"A", "B", "C", "D", "E", "A"} {
		SetHeader(x, name, "value of "+name)
		want.Set(name, "value of "+name)
	}
	x.Header().Add("A", "another")
	want.Add("A", "another")
	if got := recorder.Header(); !reflect.DeepEqual(got, want) {
		t.Errorf("want %v, got %v", want, got)
	}
}
