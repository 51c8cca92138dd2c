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

// The engine for "Run in this page": engine.js, which the editor loads, its worker.js, and the output of make engine:
// engine.wasm as Brotli, its size in bytes and its checksum, and Go's wasm_exec.js. A build without the output has no
// engine, and its editor no switch.
//
//go:embed engine
var engineFiles embed.FS

// enginePolicy is the worker's Content-Security-Policy: it allows compiling
// WebAssembly that this server sent, and nothing else.
const enginePolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"

// pageEngine is the engine's files at URLs that contain the hash of all of them.
type pageEngine struct {
	byAddress map[string]http.Handler
	root      string // URL path of the folder
	size      int    // of engine.wasm uncompressed, in bytes
	packed    int    // size as Brotli
}

// loadEngine returns nil if the build has no engine.
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

// packed is a body that is kept only as Brotli, in the executable: it is neither read at the start nor copied into
// memory. It never changes at its URL. Browsers accept Brotli over HTTPS and from localhost.
type packed struct {
	files fs.FS
	name  string // of the file
	sum   string // checksum
	// others serves the body to clients that don't accept Brotli, as gzip or, to
	// clients other than browsers, uncompressed. Both are created on the first such
	// request and kept, so that a small request does not unpack the body each time.
	others static
}

// ServeHTTP responds to GET and HEAD with the smallest coding that the client accepts.
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
	http.ServeContent(w, r, "", time.Time{}, file.(io.ReadSeeker)) // like every embedded file
}

// open panics if there is no file: it is embedded, and was there at the start.
func (p *packed) open() fs.File {
	file, err := p.files.Open(p.name)
	if err != nil {
		panic(err)
	}
	return file
}

// unpacked returns the uncompressed body.
func (p *packed) unpacked() representation {
	file := p.open()
	defer file.Close()
	body, err := io.ReadAll(brotli.NewReader(file))
	if err != nil {
		panic(err) // as above
	}
	return represent(bytes.Clone(body))
}

// gzipped returns the body as gzip, which takes a third of a second.
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
