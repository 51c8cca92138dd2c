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

// Swagger UI, its distribution compressed by test/browser/swagger-ui.sh, with
// its licence.
//
//go:embed swaggerui
var swaggerFiles embed.FS

// assets are the files that pages load, each at an address that holds the hash
// of all of them, so that a page never mixes two versions.
type assets struct {
	byAddress map[string]static
	root      string // address of the folder of our own files
	swagger   string // address of the folder of Swagger UI
}

// loadAssets is done once in a process; compressing takes some milliseconds.
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

// loadSwagger adds Swagger UI's files, which are embedded compressed.
func (a *assets) loadSwagger() error {
	entries, err := swaggerFiles.ReadDir("swaggerui")
	if err != nil {
		return err
	}
	var all []byte
	packed := map[string][]byte{}
	for _, entry := range entries {
		body, err := swaggerFiles.ReadFile("swaggerui/" + entry.Name())
		if err != nil {
			return err
		}
		packed[entry.Name()] = body
		all = append(all, body...)
	}
	a.swagger = "/assets/" + hash(all)[:12]
	for name, body := range packed {
		s := static{mediaType: mediaTypeOf(name), cacheControl: immutable, plain: represent(body)}
		if unpackedName, isPacked := strings.CutSuffix(name, ".gz"); isPacked {
			unpacked, err := unpack(body)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			name = unpackedName
			packed := represent(body)
			s = static{mediaType: mediaTypeOf(name), cacheControl: immutable, plain: represent(unpacked), gzipped: func() representation { return packed }}
		}
		a.byAddress[a.swagger+"/"+name] = s
	}
	return nil
}

func unpack(body []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
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
