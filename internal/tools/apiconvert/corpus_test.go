package apiconvert

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/curl"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/reader"
	postmanreader "github.com/convertd/convertd/internal/tools/apiconvert/postman/reader"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/source"
)

// file is a source of the corpus.
type file struct{ name, mediaType, text string }

func corpusFiles(tb testing.TB, kind string) []file {
	tb.Helper()
	var files []file
	texts := converttest.CorpusTexts(tb, "apiconvert/"+kind+"/*")
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		f := file{kind + "/" + name, "application/yaml", texts[name]}
		switch filepath.Ext(name) {
		case ".json":
			f.mediaType = "application/json"
		case ".txt":
			f.mediaType = "text/plain"
		}
		files = append(files, f)
	}
	return files
}

// call converts a source as the service does.
func call(t testing.TB, mediaType, text, target string) convert.Result {
	t.Helper()
	result, err := tryCall(mediaType, text, target)
	if err != nil {
		t.Fatalf("to %s: %v", target, err)
	}
	return result
}

func tryCall(mediaType, text, target string) (convert.Result, error) {
	return Tool.Convert(context.Background(), convert.Input{
		Artifact: convert.Artifact{MediaType: mediaType, Value: text},
		Options:  convert.Options{"target": target},
		Limit:    convert.NewOutputLimit(convert.MaxOutputCharacters, 4*convert.MaxOutputCharacters),
	})
}

func mediaTypeOf(target string) string {
	switch {
	case target == "curl":
		return "text/plain"
	case strings.HasSuffix(target, "yaml"):
		return "application/yaml"
	}
	return "application/json"
}

// model reads a source as the tool does.
func model(t testing.TB, mediaType, text string) *request.API {
	t.Helper()
	src, err := source.Detect(mediaType, text, nil)
	check.OK(t, err)
	var api *request.API
	switch src.Format {
	case source.Shell:
		api, err = curl.Read(src.Script, false, nil, nil)
	case source.Postman:
		api, err = postmanreader.Read(src.Doc, nil, nil)
	default:
		api, err = reader.Read(src.Doc, src.Version, nil, nil)
	}
	check.OK(t, err)
	return api
}

// Every target that lists requests contains every request of a source, with the same method, path, names, media
// type and authentication.
func TestRequestsSurvive(t *testing.T) {
	for _, kind := range []string{"openapi", "postman", "curl"} {
		for _, f := range corpusFiles(t, kind) {
			t.Run(f.name, func(t *testing.T) {
				for target, v := range map[string]view{"curl": {values: true}, "postman-2.1": {disabled: true, signed: true}} {
					api := model(t, f.mediaType, f.text)
					if kind == "curl" {
						curl.Portable(api, nil)
					}
					if kind == "curl" && target == "postman-2.1" { // xxxxx in a path is a variable
						templates(&conversion{target: targets[target]}, api)
					}
					output := model(t, mediaTypeOf(target), call(t, f.mediaType, f.text, target).Value)
					if target == "curl" {
						curl.Portable(output, nil)
					}
					check.Equal(t, requestsOf(api, v), requestsOf(output, v), target)
				}
			})
		}
	}
}
