package web

import (
	"embed"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"sync"

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
var loadEngine = sync.OnceValue(func() *pageEngine { return readEngine(engineFiles) })

func readEngine(files fs.FS) *pageEngine {
	const folder, module = "engine/", "engine.wasm.br"
	read := map[string][]byte{}
	var all []byte
	for _, name := range []string{"engine.js", "worker.js", "wasm_exec.js", "engine.wasm.size"} {
		body, err := fs.ReadFile(files, folder+name)
		if err != nil {
			return nil
		}
		read[name] = body
		all = append(all, body...)
	}
	e := &pageEngine{root: "/assets/" + hash(all)[:12]}
	about, err := fs.Stat(files, folder+module)
	if _, errSize := fmt.Sscan(string(read["engine.wasm.size"]), &e.size); err != nil || errSize != nil {
		return nil
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
		e.root + "/engine.wasm":  packed(files, folder+module, read["engine.wasm.size"]),
	}
	return e
}

// packed serves a body that is kept only as Brotli, in the executable: it is neither read at the start nor copied into
// memory. It never changes at its URL. Browsers accept Brotli over HTTPS and from localhost. For clients that don't, gzip
// and, for those other than browsers, the body itself are made on the first such request and kept.
func packed(files fs.FS, name string, sum []byte) static {
	open := func() io.ReadSeeker {
		file, err := files.Open(name)
		if err != nil {
			panic(err) // it is embedded, and was there at the start
		}
		return file.(io.ReadSeeker) // like every embedded file
	}
	return static{"application/wasm", immutable, []coding{
		{"br", func() representation { return representation{open, `"` + hash(sum) + `"`} }},
		once("gzip", func() representation { return represent(compress(brotli.NewReader(open()))) }),
		once("", func() representation {
			body, err := io.ReadAll(brotli.NewReader(open()))
			if err != nil {
				panic(err) // as above
			}
			return represent(body)
		}),
	}}
}
