package web

import (
	"bytes"
	"compress/gzip"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"sync"
	"time"

	"github.com/andybalholm/brotli"
)

// The engine for "Run in this page": engine.js, which the editor loads, its
// worker.js, and what make engine writes beside them: engine.wasm as Brotli, its
// size in bytes and its sum, and Go's wasm_exec.js. A build without those has no
// engine, and its editor no switch.
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
	module := &packed{files: files, name: "engine.wasm.br"}
	module.others = static{
		mediaType: "application/wasm", cacheControl: immutable,
		plain: sync.OnceValue(module.unpacked), gzipped: sync.OnceValue(module.gzipped),
	}
	e := &pageEngine{root: "/assets/" + hash(all)[:12]}
	if _, err := fmt.Sscanf(string(read["engine.wasm.size"]), "%d %64x", &e.size, &module.sum); err != nil {
		return nil, err
	}
	about, err := fs.Stat(files, module.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	e.packed = int(about.Size())
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

// packed is a body that is kept as Brotli only, in the program's file: neither is
// it read at the start, nor is there a copy in memory. It never changes at its
// address. Browsers take Brotli over HTTPS and from the own machine.
type packed struct {
	files fs.FS
	name  string // of the file
	sum   string // of it, as bytes
	// others is the body for who does not take Brotli, as gzip or, for what is no
	// browser, as it is. Both are made when the first one asks, and kept: a small
	// request must not have it unpacked each time.
	others static
}

// ServeHTTP answers GET and HEAD with the smallest coding that the client takes.
func (p *packed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !takes(r.Header.Values("Accept-Encoding"), "br") {
		p.others.ServeHTTP(w, r)
		return
	}
	file := p.open()
	defer file.Close()
	header := w.Header()
	p.others.describe(header)
	header.Add("Vary", "Accept-Encoding")
	header.Set("Content-Encoding", "br")
	header.Set("ETag", `"`+hash([]byte(p.sum))+`"`)
	http.ServeContent(w, r, "", time.Time{}, file.(io.ReadSeeker)) // as every file that is built in
}

// open panics where there is no file: it is built in, and was there at the start.
func (p *packed) open() fs.File {
	file, err := p.files.Open(p.name)
	if err != nil {
		panic(err)
	}
	return file
}

// unpacked returns the body as it is.
func (p *packed) unpacked() representation {
	file := p.open()
	defer file.Close()
	body, err := io.ReadAll(brotli.NewReader(file))
	if err != nil {
		panic(err) // as above
	}
	return represent(bytes.Clone(body))
}

// gzipped returns the body as gzip: a third of a second of work.
func (p *packed) gzipped() representation {
	file := p.open()
	defer file.Close()
	var body bytes.Buffer
	w := gzip.NewWriter(&body)
	if _, err := io.Copy(w, brotli.NewReader(file)); err != nil {
		panic(err) // as above
	}
	_ = w.Close()
	return represent(bytes.Clone(body.Bytes()))
}
