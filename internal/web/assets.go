package web

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/convertd/convertd/gen/editor"
)

//go:embed assets
var ownFiles embed.FS

// Swagger UI, its distribution compressed by test/browser/swagger-ui.sh, with its licence.
//
//go:embed swaggerui
var swaggerFiles embed.FS

// assets are the files that pages load. Their URLs contain the hash of all of them,
// so that a page never mixes two versions.
type assets struct {
	byAddress map[string]static
	root      string // folder of our own files
	swagger   string // folder of Swagger UI
}

// loadAssets runs once; compression takes some milliseconds.
var loadAssets = sync.OnceValue(func() *assets {
	bodies := map[string][]byte{"editor.js": editor.Script, "editor.css": editor.Style}
	for _, name := range namesIn(ownFiles, "assets") {
		bodies[name] = embedded(ownFiles, "assets/"+name)
	}
	var all bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(bodies)) {
		fmt.Fprintf(&all, "%s %d\n%s", name, len(bodies[name]), bodies[name])
	}
	// Swagger UI's file sum has the start of the SHA-256 of all others in the order of their names.
	a := &assets{
		byAddress: map[string]static{},
		root:      "/assets/" + hash(all.Bytes())[:12],
		swagger:   "/assets/" + strings.TrimSpace(string(embedded(swaggerFiles, "swaggerui/sum"))),
	}
	for name, body := range bodies {
		a.byAddress[a.root+"/"+name] = newStatic(mediaTypeOf(name), immutable, body)
	}
	for _, file := range namesIn(swaggerFiles, "swaggerui") { // read on their first request
		name, isPacked := strings.CutSuffix(file, ".gz")
		codings := []coding{once("", func() representation { return represent(embedded(swaggerFiles, "swaggerui/"+file)) })}
		if isPacked {
			codings[0].name = "gzip"
			codings = append(codings, once("", func() representation { return represent(unpack(embedded(swaggerFiles, "swaggerui/"+file))) }))
		}
		if name != "sum" {
			a.byAddress[a.swagger+"/"+name] = static{mediaTypeOf(name), immutable, codings}
		}
	}
	return a
})

// namesIn returns the names of the files in a folder, which is built in.
func namesIn(files embed.FS, folder string) (names []string) {
	entries, err := files.ReadDir(folder)
	if err != nil {
		panic(err)
	}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func unpack(body []byte) []byte {
	r, err := gzip.NewReader(bytes.NewReader(body))
	if err == nil {
		body, err = io.ReadAll(r)
	}
	if err != nil {
		panic(err) // it is built in, and a test unpacks it
	}
	return body
}

func mediaTypeOf(name string) string {
	switch path.Ext(name) {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	return "text/plain; charset=utf-8"
}
