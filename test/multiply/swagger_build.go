package multiply

import "strings"

func swagger() []Document {
	var all []Document
	for _, mediaType := range []string{jsonType, yamlType} {
		format, front := "swagger-2.0", ""
		if mediaType == yamlType {
			format, front = "swagger-2.0-yaml", "--- "
		}
		for _, s := range swaggerShares {
			for _, r := range swaggerReferrers {
				if r.item != (s.refer == "~") {
					continue
				}
				all = append(all, Document{format, s.name, r.name, mediaType, func(shared, refers int) string {
					paths, root := part{r.head, r.piece, r.tail}, r.root
					paths.head = strings.ReplaceAll(paths.head, "{refer}", s.refer)
					paths.piece = strings.ReplaceAll(paths.piece, "{refer}", s.refer)
					text := front + `{"swagger":"2.0","info":{"title":"a","version":"1"},` + s.text(shared)
					for _, more := range []string{s.also, root} {
						if more != "" {
							text += "," + strings.ReplaceAll(more, "{refer}", s.refer)
						}
					}
					return text + `,"paths":{` + paths.text(refers) + `}}`
				}})
			}
		}
	}
	return all
}
