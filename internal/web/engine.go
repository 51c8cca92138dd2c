package web

import (
	"compress/gzip"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"sync"
	"time"
)

// The engine for "Run in this page": engine.js, which the editor loads, its
// worker.js, and what make engine writes beside them: engine.wasm as Brotli and as
// gzip, its size in bytes and the sum of both, and Go's wasm_exec.js. A build
// without those has no engine, and its editor no switch.
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
	files, err := fs.Sub(files, "engine")
	if err != nil {
		return nil, err
	}
	read := map[string][]byte{}
	var all []byte
	for _, name := range []string{"engine.js", "worker.js", "wasm_exec.js", "engine.wasm.size"} {
		body, err := fs.ReadFile(files, name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		read[name] = body
		all = append(all, body...)
	}
	module := packed{"application/wasm", files, "engine.wasm", ""}
	e := &pageEngine{root: "/assets/" + hash(all)[:12]}
	if _, err := fmt.Sscanf(string(read["engine.wasm.size"]), "%d %64x", &e.size, &module.sum); err != nil {
		return nil, err
	}
	for _, suffix := range []string{".br", ".gz"} {
		about, err := fs.Stat(files, module.name+suffix)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		if suffix == ".br" {
			e.packed = int(about.Size())
		}
	}
	worker := newStatic(mediaTypeOf("worker.js"), immutable, read["worker.js"])
	e.byAddress = map[string]http.Handler{
		e.root + "/worker.js": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Security-Policy", enginePolicy)
			worker.ServeHTTP(w, r)
		}),
		e.root + "/engine.js":    newStatic(mediaTypeOf("engine.js"), immutable, read["engine.js"]),
		e.root + "/wasm_exec.js": newStatic(mediaTypeOf("wasm_exec.js"), immutable, read["wasm_exec.js"]),
		e.root + "/engine.wasm":  module,
	}
	return e, nil
}

// packed is a body that is kept compressed only, in the program's file: neither
// is it read at the start, nor is there a copy in memory. It never changes at its
// address; who takes neither coding, which no browser does, gets it unpacked.
type packed struct {
	mediaType string
	files     fs.FS
	name      string // of the file, without .br or .gz
	sum       string // of both
}

// ServeHTTP answers GET and HEAD with the smallest coding that the client takes.
func (p packed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Type", p.mediaType)
	header.Set("Cache-Control", immutable)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Add("Vary", "Accept-Encoding")
	codings := r.Header.Values("Accept-Encoding")
	switch {
	case takes(codings, "br"):
		p.serve(w, r, ".br", "br")
	case takes(codings, "gzip"):
		p.serve(w, r, ".gz", "gzip")
	default:
		p.unpacked(w, r)
	}
}

func (p packed) serve(w http.ResponseWriter, r *http.Request, suffix, coding string) {
	file, err := p.files.Open(p.name + suffix)
	if err != nil {
		panic(err) // it is built in, and was there at the start
	}
	defer file.Close()
	w.Header().Set("Content-Encoding", coding)
	w.Header().Set("ETag", `"`+hash([]byte(p.sum+suffix))+`"`)
	http.ServeContent(w, r, "", time.Time{}, file.(io.ReadSeeker)) // as every file that is built in
}

func (p packed) unpacked(w http.ResponseWriter, r *http.Request) {
	file, err := p.files.Open(p.name + ".gz")
	if err != nil {
		panic(err) // as above
	}
	defer file.Close()
	body, err := gzip.NewReader(file)
	if err != nil || r.Method == http.MethodHead {
		return
	}
	_, _ = io.Copy(w, body) // the client may be gone; there is nobody to tell
}
