package verify

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
)

// breakage is a single defect of a deployment: one mutation of the request, of
// the response, of its headers, or of the OpenAPI document.
type breakage struct {
	Name  string
	Where where  // which requests it affects; empty means all
	Cases string // a regular expression for the names of cases that report it
	Says  string // a regular expression for one of their messages
	Flags flags

	// The request, on its way in.
	Request *edit
	Path    string // the path that is requested instead
	// The response.
	Response *edit
	Status   int
	Cached   bool // the first response to each body is repeated
	Hangs    bool
	Cut      int // this many bytes at the end of the body are not sent
}

// where selects the requests that a breakage affects.
type where struct {
	Path   string // a regular expression
	Method string
	Status []int  // of the original response
	Body   string // a regular expression for the request body
	Every  int    // only every n-th of them
}

// flags are how the service and the verification are started.
type flags struct {
	RateLimit int `yaml:"rateLimit"`
	Exhaust   bool
	Public    string // the base URL that the service is started with
}

// edit is a change of a message.
type edit struct {
	Replace   []replacement     // in the body
	Transform string            // of the whole body, see transforms
	Set       map[string]string // headers
	Add       map[string]string
	Drop      []string
	At        string // a JSON Pointer into the body …
	To        any    // … the new value; absent is null
	Remove    bool   // whether to remove it instead
	Body      *string
}

type replacement struct{ From, To string } // From is a regular expression

// hop is the proxy that alters what goes through it.
type hop struct {
	breakage
	next  http.Handler
	mutex sync.Mutex
	seen  int
	cache map[string]*httptest.ResponseRecorder
}

func (h *hop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 4<<20))
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	key := r.Method + r.URL.Path + r.Header.Get("Origin") + string(body)
	hit := h.hits(r, body)
	r.Header.Del("Accept-Encoding") // what is altered below is not compressed
	sent := body
	if hit && h.Request != nil {
		sent = h.Request.apply(r.Header, body)
		if host := h.Request.Set["Host"]; host != "" {
			r.Host = host
		}
	}
	if hit && h.Path != "" {
		r.URL.Path = h.Path
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(sent)), int64(len(sent))
	r.Header.Set("Content-Length", strconv.Itoa(len(sent)))
	got := httptest.NewRecorder()
	h.next.ServeHTTP(got, r)
	if hit && h.struck(got.Code) {
		got = h.alter(r, got, key)
	}
	maps.Copy(w.Header(), got.Header())
	w.Header().Del("Content-Length")
	out := got.Body.Bytes()
	if hit && h.Cut > 0 && h.struck(got.Code) {
		w.Header().Set("Content-Length", fmt.Sprint(len(out)))
		out = out[:max(0, len(out)-h.Cut)]
	}
	w.WriteHeader(got.Code)
	_, _ = w.Write(out)
}

// hits reports whether the breakage affects a request.
func (h *hop) hits(r *http.Request, body []byte) bool {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	path := h.Where.Path
	if path == "" {
		path = `^/v1/(tools|pipeline)`
	}
	if !regexp.MustCompile(path).MatchString(r.URL.Path) || h.Where.Method != "" && h.Where.Method != r.Method ||
		!regexp.MustCompile(h.Where.Body).Match(body) {
		return false
	}
	h.seen++
	return h.Where.Every == 0 || h.seen%h.Where.Every == 0
}

func (h *hop) struck(status int) bool {
	if slices.Contains(h.Where.Status, status) {
		return true
	}
	return len(h.Where.Status) == 0
}

// alter mutates a response.
func (h *hop) alter(r *http.Request, got *httptest.ResponseRecorder, key string) *httptest.ResponseRecorder {
	if h.Hangs {
		<-r.Context().Done() // the client gives up
	}
	if h.Status != 0 {
		got.Code = h.Status
	}
	if h.Response != nil {
		changed := h.Response.apply(got.Header(), got.Body.Bytes())
		got.Body = bytes.NewBuffer(changed)
	}
	if h.Cached {
		h.mutex.Lock()
		defer h.mutex.Unlock()
		if kept := h.cache[key]; kept != nil {
			return kept
		}
		h.cache[key] = got
	}
	return got
}

// apply changes headers in place and returns the changed body.
func (e *edit) apply(header http.Header, body []byte) []byte {
	for name, value := range e.Set {
		header.Set(name, value)
	}
	for name, value := range e.Add {
		header.Add(name, value)
	}
	for _, name := range e.Drop {
		header.Del(name)
	}
	if e.Body != nil {
		return []byte(*e.Body)
	}
	for _, r := range e.Replace {
		body = regexp.MustCompile(r.From).ReplaceAll(body, []byte(r.To))
	}
	if e.At != "" {
		body = setAt(body, e.At, e.To, e.Remove)
	}
	if e.Transform != "" {
		body = transforms[e.Transform](body)
	}
	return body
}

// transforms are changes of a whole body by proxies and gateways.
var transforms = map[string]func([]byte) []byte{
	"lower":  bytes.ToLower,
	"upper":  bytes.ToUpper,
	"nfc":    norm.NFC.Bytes,
	"nfd":    norm.NFD.Bytes,
	"bom":    func(b []byte) []byte { return append([]byte("\ufeff"), b...) },
	"empty":  func([]byte) []byte { return nil },
	"twice":  func(b []byte) []byte { return append(b, b...) },
	"half":   func(b []byte) []byte { return b[:len(b)/2] },
	"line":   func(b []byte) []byte { return append(b, '\n') },
	"array":  func(b []byte) []byte { return []byte("[" + string(b) + "]") },
	"crlf":   func(b []byte) []byte { return bytes.ReplaceAll(b, []byte(`\n`), []byte(`\r\n`)) },
	"lf":     func(b []byte) []byte { return bytes.ReplaceAll(b, []byte(`\r\n`), []byte(`\n`)) },
	"sorted": rewrite,
	"pretty": func(b []byte) []byte {
		var out bytes.Buffer
		_ = json.Indent(&out, b, "", "  ")
		return out.Bytes()
	},
	"ascii":  ascii,
	"string": func(b []byte) []byte { text, _ := json.Marshal(string(b)); return text },
	"gzip": func(b []byte) []byte {
		var out bytes.Buffer
		w := gzip.NewWriter(&out)
		_, _ = w.Write(b)
		_ = w.Close()
		return out.Bytes()
	},
	// UTF-8 decoded as Latin-1 and encoded again.
	"mojibake": func(b []byte) []byte { text, _ := charmap.ISO8859_1.NewDecoder().Bytes(b); return text },
	"latin1":   func(b []byte) []byte { text, _ := charmap.ISO8859_1.NewEncoder().Bytes(b); return text },
	// Trims every string of one line, as some frameworks do.
	"trim": func(b []byte) []byte { return regexp.MustCompile(`(\\n)+"`).ReplaceAll(b, []byte(`"`)) },
}

// rewrite does what a gateway does that reads JSON into maps with double-precision numbers and writes it again.
func rewrite(body []byte) []byte {
	var value any
	if json.Unmarshal(body, &value) != nil {
		return body
	}
	text, _ := json.Marshal(value)
	return text
}

// ascii replaces non-ASCII characters by question marks.
func ascii(body []byte) []byte {
	return []byte(strings.Map(func(r rune) rune {
		if r > 127 {
			return '?'
		}
		return r
	}, string(body)))
}

// setAt changes a JSON document at a JSON Pointer (RFC 6901), whose index may be "-" for the position after the last.
func setAt(body []byte, pointer string, to any, remove bool) []byte {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return body
	}
	value = put(value, strings.Split(pointer, "/")[1:], to, remove)
	text, _ := json.Marshal(value)
	return text
}

func put(value any, names []string, to any, remove bool) any {
	if len(names) == 0 {
		return to
	}
	name := strings.NewReplacer("~1", "/", "~0", "~").Replace(names[0])
	switch value := value.(type) {
	case map[string]any:
		if remove && len(names) == 1 {
			delete(value, name)
		} else {
			value[name] = put(value[name], names[1:], to, remove)
		}
		return value
	case []any:
		i := len(value)
		if name != "-" {
			_, _ = fmt.Sscan(name, &i)
		} else {
			value = append(value, nil)
		}
		if i >= len(value) {
			return value
		}
		if remove && len(names) == 1 {
			return append(value[:i], value[i+1:]...)
		}
		value[i] = put(value[i], names[1:], to, remove)
		return value
	}
	return value
}
