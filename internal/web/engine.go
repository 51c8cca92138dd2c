package web

import (
	"bytes"
	"compress/gzip"
	"embed"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The engine for "Run in this page": engine.js, which the editor loads, its
// worker.js, and what make engine writes beside them, engine.wasm as Brotli and as gzip, its size in bytes, and Go's
// wasm_exec.js. A build without those has no engine, and its editor no switch.
//
//go:embed engine
var engineFiles embed.FS

// enginePolicy is the worker's Content-Security-Policy: it compiles WebAssembly
// that this server gave it, and reaches nothing else.
const enginePolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"

// pageEngine is the engine's files at addresses that hold the hash of all.
type pageEngine struct {
	byAddress map[string]http.Handler
	root      string // address of the folder
	size      int    // of engine.wasm as it is, in bytes
	packed    int    // as Brotli
}

// loadEngine returns nil when the build has no engine.
var loadEngine = sync.OnceValues(func() (*pageEngine, error) { return readEngine(engineFiles) })

func readEngine(files fs.FS) (*pageEngine, error) {
	read := map[string][]byte{}
	var all []byte
	for _, name := range []string{"engine.js", "worker.js", "wasm_exec.js", "engine.wasm.br", "engine.wasm.gz", "engine.wasm.size"} {
		body, err := fs.ReadFile(files, "engine/"+name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		read[name] = body
		all = append(all, body...)
	}
	e := &pageEngine{root: "/assets/" + hash(all)[:12]}
	var err error
	if e.size, err = strconv.Atoi(strings.TrimSpace(string(read["engine.wasm.size"]))); err != nil {
		return nil, err
	}
	e.packed = len(read["engine.wasm.br"])
	worker := newStatic(mediaTypeOf("worker.js"), immutable, read["worker.js"])
	e.byAddress = map[string]http.Handler{
		e.root + "/worker.js": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Security-Policy", enginePolicy)
			worker.ServeHTTP(w, r)
		}),
		e.root + "/engine.js":    newStatic(mediaTypeOf("engine.js"), immutable, read["engine.js"]),
		e.root + "/wasm_exec.js": newStatic(mediaTypeOf("wasm_exec.js"), immutable, read["wasm_exec.js"]),
		e.root + "/engine.wasm":  packed{"application/wasm", represent(read["engine.wasm.br"]), represent(read["engine.wasm.gz"])},
	}
	return e, nil
}

// packed is a body that is kept compressed only. It never changes at its
// address; who takes neither coding, which no browser does, gets it unpacked.
type packed struct {
	mediaType    string
	brotli, gzip representation
}

// ServeHTTP answers GET and HEAD with the smallest coding that the client takes.
func (p packed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Type", p.mediaType)
	header.Set("Cache-Control", immutable)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Add("Vary", "Accept-Encoding")
	codings := r.Header.Values("Accept-Encoding")
	chosen := p.gzip
	switch {
	case takes(codings, "br"):
		chosen = p.brotli
		header.Set("Content-Encoding", "br")
	case takes(codings, "gzip"):
		header.Set("Content-Encoding", "gzip")
	default:
		p.unpacked(w, r)
		return
	}
	header.Set("ETag", chosen.etag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(chosen.body))
}

func (p packed) unpacked(w http.ResponseWriter, r *http.Request) {
	body, err := gzip.NewReader(bytes.NewReader(p.gzip.body))
	if err != nil || r.Method == http.MethodHead {
		return
	}
	_, _ = io.Copy(w, body) // the client may be gone; there is nobody to tell
}
