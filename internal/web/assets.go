package web

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"io"
	"io/fs"
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
var loadAssets = sync.OnceValues(func() (*assets, error) {
	a := &assets{byAddress: map[string]static{}}
	bodies := map[string][]byte{"editor.js": editor.Script, "editor.css": editor.Style}
	all := bytes.NewBuffer(slices.Concat(editor.Script, editor.Style))
	err := fs.WalkDir(ownFiles, "assets", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := ownFiles.ReadFile(name)
		relative := strings.TrimPrefix(name, "assets/")
		bodies[relative] = body
		fmt.Fprintf(all, "%s %d\n%s", relative, len(body), body)
		return err
	})
	if err != nil {
		return nil, err
	}
	a.root = "/assets/" + hash(all.Bytes())[:12]
	for name, body := range bodies {
		address := a.root + "/" + name
		a.byAddress[address] = newStatic(mediaTypeOf(name), immutable, body)
	}
	return a, a.loadSwagger()
})

// loadSwagger adds the files of Swagger UI, which are embedded compressed and read on their first request. The file sum
// has the start of the SHA-256 of all others in the order of their names.
func (a *assets) loadSwagger() error {
	entries, err := swaggerFiles.ReadDir("swaggerui")
	if err != nil {
		return err
	}
	a.swagger = "/assets/" + strings.TrimSpace(string(swaggerFile("sum")))
	for _, entry := range entries {
		name, isPacked := strings.CutSuffix(entry.Name(), ".gz")
		codings := []coding{once("", func() representation { return represent(swaggerFile(entry.Name())) })}
		if isPacked {
			codings[0].name = "gzip"
			codings = append(codings, once("", func() representation { return represent(unpack(swaggerFile(entry.Name()))) }))
		}
		if name != "sum" {
			a.byAddress[a.swagger+"/"+name] = static{mediaTypeOf(name), immutable, codings}
		}
	}
	return nil
}

func swaggerFile(name string) []byte {
	body, err := swaggerFiles.ReadFile("swaggerui/" + name)
	if err != nil {
		panic(err) // it is built in, and a test reads it
	}
	return body
}

func unpack(body []byte) []byte {
	r, err := gzip.NewReader(bytes.NewReader(body))
	if err == nil {
		body, err = io.ReadAll(r)
	}
	if err != nil {
		panic(err) // as above
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
