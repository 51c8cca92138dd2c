package guard

import (
	"net/http"
	"sync"

	"github.com/convertd/convertd/internal/convert"
)

const (
	// freeBytes of each request do not count: nearly all bodies and many responses
	// are no larger, nor are net/http's own buffers for a connection.
	freeBytes = 4 << 10

	// largeBytes is from how many bytes on a request is large.
	largeBytes = 64 << 10
)

// Memory bounds the bytes that requests hold while they depend on their clients: bodies that arrive, until the
// response, and responses that are being read. A request that finds no room is rejected at once rather than queued.
// Large requests get at most three quarters of the memory, so that clients that stop in the middle of a large request
// do not keep small ones out. One address gets at most a quarter, where the quota distinguishes addresses. The work
// slots bound what tools need while they run.
type Memory struct {
	limit  int
	mutex  sync.Mutex
	held   int
	client map[string]int // bytes by the quota's key

	kernel      map[string]int // what the kernel held at the last look, by the quota's key
	kernelTotal int
}

// NewMemory returns a Memory of this many bytes.
func NewMemory(bytes int) *Memory {
	return &Memory{limit: bytes, client: map[string]int{}}
}

// Hold is one request's part of a Memory. One goroutine uses it.
type Hold struct {
	memory  *Memory // nil means unbounded
	request *http.Request
	client  string
	bytes   int // all bytes taken; the first freeBytes do not count
}

// Hold returns an empty Hold for a request. A nil Memory is unbounded.
func (m *Memory) Hold(r *http.Request) Hold { return Hold{memory: m, request: r} }

// Take adds bytes to the hold. It returns a failure if there is no room; what was taken before stays.
func (h *Hold) Take(bytes int) *convert.Failure {
	all := h.bytes + bytes
	if h.memory == nil || all <= freeBytes {
		h.bytes = all
		return nil
	}
	if h.client == "" {
		if c, ok := h.request.Context().Value(requestKey{}).(*requestContext); ok {
			h.client = c.client
		}
	}
	if !h.memory.take(h.client, counted(all)-counted(h.bytes), all >= largeBytes) {
		return convert.Reject(convert.Overloaded,
			"The server has no memory left for large requests and responses.",
			"Wait for the number of seconds in Retry-After, then try again. The server still accepts small requests.")
	}
	h.bytes = all
	return nil
}

// Release returns all that was taken.
func (h *Hold) Release() {
	if n := counted(h.bytes); n > 0 && h.memory != nil {
		h.memory.release(h.client, n)
	}
	h.bytes = 0
}

// counted returns how many of a request's bytes count.
func counted(bytes int) int { return max(0, bytes-freeBytes) }

func (m *Memory) take(client string, bytes int, large bool) bool {
	limit := m.limit
	if large {
		limit = m.limit / 4 * 3
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.held+m.kernelTotal+bytes > limit || client != "" && m.client[client]+m.kernel[client]+bytes > m.limit/4 {
		return false
	}
	m.held += bytes
	if client != "" {
		m.client[client] += bytes
	}
	return true
}

// inKernel records what the kernel holds, by the quota's key.
func (m *Memory) inKernel(held map[string]int) {
	if m == nil {
		return
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.kernel, m.kernelTotal = held, 0
	for _, bytes := range held {
		m.kernelTotal += bytes
	}
}

// tooMuch reports whether the kernel holds too many bytes for a client, or in total.
func (m *Memory) tooMuch(client string, bytes, total int) bool {
	return m != nil && (total > m.limit || client != "" && bytes > m.limit/4)
}

func (m *Memory) release(client string, bytes int) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.held -= bytes
	if client == "" {
		return
	}
	if m.client[client] -= bytes; m.client[client] == 0 {
		delete(m.client, client)
	}
}
