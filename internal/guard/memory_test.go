package guard

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/convertd/convertd/internal/convert"
)

// from returns a request of a client that the quota knows by this address.
func from(t *testing.T, address, body string) *http.Request {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.RemoteAddr = address + ":1"
	r = passedOn(r)
	noteClient(nil)(r, r.Context().(*requestContext))
	return r
}

func TestMemoryBounds(t *testing.T) {
	const mib = 1 << 20
	for _, test := range []struct {
		name   string
		client func(i int) string // "" if clients are not distinguished
		bytes  int                // of each
		want   int                // how many find room in 16 MiB
	}{
		{"large ones of many clients: three quarters", func(i int) string { return "192.0.2." + string(rune('0'+i%10)) }, mib, 12},
		{"large ones of one client: a quarter", func(int) string { return "192.0.2.1" }, mib, 4},
		{"large ones of one network: a quarter", func(i int) string { return "[2001:db8::" + string(rune('0'+i%10)) + "]" }, mib, 4},
		{"large ones of nobody known: three quarters", func(int) string { return "" }, mib, 12},
		{"medium ones: all", func(int) string { return "" }, mib/32 + freeBytes, 16 * 32},
		{"small ones: no bound", func(int) string { return "" }, freeBytes, 1000},
	} {
		m := NewMemory(16 * mib)
		var holds []*Hold
		for i := range 1000 {
			r := httptest.NewRequest(http.MethodPost, "/", nil)
			if address := test.client(i); address != "" {
				r = from(t, address, "")
			}
			hold := m.Hold(r)
			if hold.Take(test.bytes) != nil {
				break
			}
			holds = append(holds, &hold)
		}
		if len(holds) != test.want {
			t.Errorf("%s: %d, want %d", test.name, len(holds), test.want)
		}
		for _, hold := range holds {
			hold.Release()
			hold.Release() // must not return anything twice
		}
		if m.held != 0 || len(m.client) != 0 {
			t.Errorf("%s: %d bytes of %d clients stay", test.name, m.held, len(m.client))
		}
	}
}

// TestLargeLeaveRoom checks that when large requests hold all that they may,
// small requests pass, and large ones are rejected at once.
func TestLargeLeaveRoom(t *testing.T) {
	m := NewMemory(4 << 20)
	body := Body{Limit: 1 << 20, Timeout: time.Minute, Memory: m}
	read := func(text string) (int, error) {
		r := from(t, "192.0.2.1", text)
		r = r.WithContext(context.Background()) // of an unknown client
		hold := m.Hold(r)
		got, err := body.Read(httptest.NewRecorder(), r, &hold)
		if err != nil && hold.bytes != 0 {
			t.Errorf("a refused body holds %d bytes", hold.bytes)
		}
		return len(got), err
	}
	for range 3 { // a first one each, so that none is charged to another
		hold := m.Hold(from(t, "192.0.2.1", "").WithContext(context.Background()))
		if f := hold.Take(1 << 20); f != nil {
			t.Fatal(f)
		}
	}
	for size, refused := range map[int]bool{1: false, freeBytes: false, 60_000: false, 70_000: true, 1 << 20: true} {
		n, err := read(strings.Repeat("x", size))
		var f *convert.Failure
		if refused != (errors.As(err, &f) && f.Code == convert.Overloaded) || !refused && (err != nil || n != size) {
			t.Errorf("a body of %d bytes: %d, %v", size, n, err)
		}
	}
}

// TestMemoryIsExact checks that whatever many concurrent requests read, Memory
// never holds too much, and nothing at the end.
func TestMemoryIsExact(t *testing.T) {
	m := NewMemory(3 << 20)
	body := Body{Limit: 1 << 20, Timeout: time.Minute, Memory: m}
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() {
			size := i * i * 30 // up to 1.2 MB
			var reader io.Reader = strings.NewReader(strings.Repeat("x", size))
			if i%2 == 0 {
				reader = io.MultiReader(reader) // hides the length, as chunked coding does
			}
			r := httptest.NewRequest(http.MethodPost, "/", reader)
			r.Header.Set("Content-Type", "application/json")
			hold := m.Hold(r)
			defer hold.Release()
			got, err := body.Read(httptest.NewRecorder(), r, &hold)
			if err == nil && (len(got) != size || hold.bytes < cap(got)) {
				t.Errorf("%d of %d bytes in %d, %d are counted", len(got), size, cap(got), hold.bytes)
			}
			m.mutex.Lock()
			defer m.mutex.Unlock()
			if m.held > m.limit || m.held < 0 {
				t.Errorf("%d bytes are held", m.held)
			}
		})
	}
	all.Wait()
	if m.held != 0 {
		t.Errorf("%d bytes stay", m.held)
	}
}
