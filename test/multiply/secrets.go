package multiply

import "strings"

// secretShares are secrets: the piece for each secret, and how the texts contain it.
var secretShares = []struct {
	name string
	long bool // a single one of all shared bytes, otherwise many short ones
	text string
}{
	{"a long secret", true, `{whole}`},
	{"the beginning of a long secret", true, `{begin}`},
	{"beginnings of a long secret in a row", true, `{begin}{begin}{begin}x`},
	{"many secrets", false, `Zk9v{n}Qx7Lw2`},
	{"many secrets, nearly held", false, `Zk9v{n}Qx7Lw`},
	{"many secrets, in a row", false, `Zk9v{n}Qx7Lw2Zk9v{n}Qx7Lw2`},
	{"many secrets of one beginning", false, `Zk9vZk9vZk9vZk9vZk9v{n}Q`},
}

// secretFormats are how each format contains a secret ({secret}, with {n} if there are many) and texts ({text}).
var secretFormats = []struct {
	name, mediaType string
	frame           string // contains {secrets} and {texts}
	secret, text    string
}{
	{"openapi-3.1", jsonType, `{"openapi":"3.1.0","info":{"title":"a","version":"1"},"paths":{"/a":{"post":{"requestBody":{"content":{"application/json":{"example":[{secrets}]}}}}},{texts}}}`,
		`{"password":"{secret}"},`, `"/p{n}":{"get":{"description":"{text}"}},`},
	{"postman-2.1", jsonType, `{"info":{"name":"a","schema":"` + schema21 + `"},"item":[{secrets},{texts}]}`,
		`{"request":{"url":"http://a","auth":{"type":"bearer","bearer":[{"key":"token","value":"{secret}"}]}}},`, `{"name":"{text}","request":"http://a/{n}?b={text}"},`},
	{"shell", shellType, "{secrets}{texts}", "curl http://a -H 'Authorization: Bearer {secret}'\n", "curl http://a/{n} -d '{text}'\n"},
	{"shell basic", shellType, "{secrets}{texts}", "curl http://a -u 'u{n}:{secret}'\n", "# {text}\ncurl http://a/{n}\n"},
}

const secretPiece = "Zk9vQx7Lw2"

func secrets() []Document {
	var all []Document
	for _, f := range secretFormats {
		for _, s := range secretShares {
			all = append(all, Document{f.name, s.name, "texts", f.mediaType, func(shared, refers int) string {
				secrets, text := fill(strings.ReplaceAll(f.secret, "{secret}", strings.TrimSuffix(s.text, "x")), shared), s.text
				if s.long {
					secret := strings.Repeat(secretPiece, max(1, shared/len(secretPiece)))
					secrets = fill(strings.ReplaceAll(f.secret, "{secret}", secret), 0)
					whole := min(len(secret), max(64, refers/32)) // so that it appears many times
					text = strings.NewReplacer("{whole}", secret[:whole], "{begin}", secret[:min(len(secret), 63)]).Replace(text)
				}
				texts := fill(strings.ReplaceAll(f.text, "{text}", text), refers)
				return strings.NewReplacer("{secrets}", secrets, "{texts}", texts).Replace(f.frame)
			}})
		}
	}
	return all
}
