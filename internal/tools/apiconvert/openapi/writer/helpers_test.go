package writer

import (
	"context"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// validate returns why kin-openapi rejects a document.
func validate(root *tree.Value) error {
	text, err := root.AppendJSON(nil, 64<<20)
	if err != nil {
		return err
	}
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		return err
	}
	return doc.Validate(context.Background())
}

// codes returns the codes of the warnings.
func codes(w *warning.List) (list []string) {
	for _, text := range w.Strings() {
		code, _, _ := strings.Cut(text, ":")
		list = append(list, code)
	}
	return list
}
