package apiconvert

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"html"
	"maps"
	"math/rand/v2"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/convert/converttest"
)

// location is where a credential can be, with @@ for the credential.
type location struct {
	Name    string   `yaml:"name"`
	Kind    string   `yaml:"kind"`    // "": any value; token, prose, code: see fits
	As      []string `yaml:"as"`      // encodings, the innermost first
	Without string   `yaml:"without"` // characters that the place cannot hold

	Text string `yaml:"text"` // a script

	Top       string `yaml:"top"` // members of a document
	Item      string `yaml:"item"`
	Request   string `yaml:"request"`
	Operation string `yaml:"operation"`
	Version   int    `yaml:"version"`

	Value string `yaml:"value"` // the shape of the only secrets here
	URL   string `yaml:"url"`
	Body  string `yaml:"body"`

	mediaType string
}

type credentials struct {
	Shapes   []string   `yaml:"shapes"`
	Prefixes []string   `yaml:"prefixes"`
	Suffixes []string   `yaml:"suffixes"`
	Shell    []location `yaml:"shell"`
	Postman  []location `yaml:"postman"`
	OpenAPI  []location `yaml:"openapi"`
	Shaped   []location `yaml:"shaped"`
}

func loadCredentials(t *testing.T) (c credentials) {
	t.Helper()
	converttest.Data(t, "testdata/credentials.yaml", &c)
	return c
}

// locations returns all places, with whole sources as their text.
func (c credentials) locations() (all []location) {
	for _, p := range c.Shell {
		p.mediaType = "text/plain"
		all = append(all, p)
	}
	for _, p := range c.Postman {
		if p.Request == "" || !strings.Contains(p.Request, `"url"`) {
			p.Request = strings.TrimPrefix(p.Request+`,"url":"https://h.test/a"`, ",")
		}
		p.Text = fmt.Sprintf(`{"info":{"name":"c","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},%s"item":[{"name":"a",%s"request":{"method":"POST",%s}}]}`,
			member(p.Top), member(p.Item), p.Request)
		p.As, p.mediaType = append(p.As, "json"), "application/json"
		all = append(all, p)
	}
	for _, p := range c.OpenAPI {
		if !strings.Contains(p.Operation, `"responses"`) {
			p.Operation = strings.TrimPrefix(p.Operation+`,"responses":{"200":{"description":"ok"}}`, ",")
		}
		version := `"openapi":"3.1.0"`
		if p.Version == 2 {
			version = `"swagger":"2.0","host":"h.test"`
		}
		p.Text = fmt.Sprintf(`{%s,"info":{"title":"t","version":"1"},%s"paths":{"/a":{"post":{%s}}}}`, version, member(p.Top), p.Operation)
		p.As, p.mediaType = append(p.As, "json"), "application/yaml"
		all = append(all, p)
	}
	return all
}

func member(text string) string {
	if text == "" {
		return ""
	}
	return text + ","
}

// requests returns sources of each format that send a request with a secret in its URL or body.
func (p location) requests() (all []location) {
	add := func(mediaType, text string, as ...string) {
		p.mediaType, p.Text, p.As = mediaType, text, slices.Concat(p.As, as)
		all = append(all, p)
	}
	as := p.As
	if p.URL != "" {
		add("text/plain", "curl -d x=1 '"+p.URL+"'", "single")
		p.As = as
		add("text/plain", "# notify "+p.URL+"\ncurl https://h.test/a")
		p.As = as
		add("text/plain", "HOOK='"+p.URL+"'\ncurl -d x=1 \"$HOOK\"", "single")
		p.As = as
		for _, request := range []string{`"url":"` + p.URL + `"`, `"url":` + urlObject(p.URL), `"description":"see ` + p.URL + `","url":"https://h.test/a"`} {
			add("application/json", `{"info":{"name":"c","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},"item":[{"name":"a","request":{"method":"POST",`+request+`}}]}`)
			p.As = as
		}
		add("application/yaml", `{"openapi":"3.1.0","info":{"title":"t","version":"1","description":"see `+p.URL+`"},"paths":{"/a":{"get":{"responses":{"200":{"description":"ok"}}}}}}`)
		return all
	}
	add("text/plain", "curl --json '"+p.Body+"' https://h.test/a", "json", "single")
	p.As = as
	add("application/json", `{"info":{"name":"c","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},"item":[{"name":"a","request":{"method":"POST","url":"https://h.test/a","body":{"mode":"raw","raw":`+quoted(p.Body)+`}}}]}`, "json")
	p.As = as
	add("application/yaml", `{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/a":{"post":{"requestBody":{"content":{"application/json":{"example":`+p.Body+`}}},"responses":{"200":{"description":"ok"}}}}}}`, "json")
	return all
}

// urlObject returns a URL as Postman's object.
func urlObject(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		panic(err)
	}
	var query []string
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		if name, value, ok := strings.Cut(pair, "="); ok {
			query = append(query, `{"key":"`+name+`","value":"`+value+`"}`)
		}
	}
	list := func(text, separator string) string {
		return `["` + strings.ReplaceAll(text, separator, `","`) + `"]`
	}
	return `{"raw":"` + raw + `","protocol":"https","host":` + list(u.Host, ".") + `,"path":` + list(strings.TrimPrefix(u.Path, "/"), "/") +
		`,"query":[` + strings.Join(query, ",") + `]}`
}

// shape replaces the signs of a shape by random characters.
func (p *planter) shape(shape string) string {
	switch shape {
	case "iban":
		return p.iban()
	case "iban groups":
		return strings.TrimSpace(regexp.MustCompile(`.{4}`).ReplaceAllString(p.iban(), "$0 "))
	case "card":
		return p.card()
	}
	var b strings.Builder
	for _, c := range shape {
		switch c {
		case '₀':
			b.WriteString(p.random("23456789", 1))
		case 'ₐ':
			b.WriteString(p.random("abcdefghijkmnpqrstuvwyz", 1))
		case 'ᴬ':
			b.WriteString(p.random("ABCDEFGHJKLMNPQRSTUVWYZ", 1))
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// iban returns a German account number with its check digits (ISO 13616).
func (p *planter) iban() string {
	account := p.random("123456789", 18)
	rest := 0
	for _, c := range account + "131400" { // DE00
		rest = (rest*10 + int(c-'0')) % 97
	}
	return fmt.Sprintf("DE%02d%s", 98-rest, account)
}

// card returns a card number with its check digit.
func (p *planter) card() string {
	number := "4" + p.random("0123456789", 14)
	sum := 0
	for i, c := range number {
		digit := int(c - '0')
		if i%2 == 0 {
			digit = digit*2/10 + digit*2%10
		}
		sum += digit
	}
	return number + strconv.Itoa((10-sum%10)%10)
}

// credential returns a value for a place: one of the shapes, or a random secret between a prefix and a suffix.
func (c *credentials) credential(p *planter, at location) string {
	for {
		var value string
		switch {
		case at.Value != "":
			return p.shape(at.Value)
		case at.looksSecret():
			value = p.random(letters, 1) + p.random(letters+digits, 4) + p.random(digits, 2) + p.random(letters+digits, 3) + p.random(letters, 1)
		case p.IntN(2) == 0:
			value = p.shape(c.Shapes[p.IntN(len(c.Shapes))])
		default:
			value = c.Prefixes[p.IntN(len(c.Prefixes))] + p.shape("ᴬₐ₀ₐ") + p.random(letters+digits, 4) + c.Suffixes[p.IntN(len(c.Suffixes))]
		}
		if at.fits(value) {
			return value
		}
	}
}

func newPlanter(seed uint64, name string) *planter {
	return &planter{Rand: rand.New(rand.NewPCG(seed, uint64(crc32.ChecksumIEEE([]byte(name)))))}
}

// looksSecret reports whether only values that look like a secret are recognized in a location.
func (p location) looksSecret() bool { return p.Kind == "prose" || p.Kind == "code" }

// fits reports whether a place can hold a value, and whether it is a secret there: a token has at most two spaces.
func (p location) fits(value string) bool {
	if wholePlaceholder.MatchString(value) || strings.TrimSpace(value) != value && !slices.Contains(p.As, "json") {
		return false
	}
	if p.Kind == "token" && strings.Contains(value, " ") {
		return false
	}
	return !strings.ContainsAny(value, p.Without)
}

var wholePlaceholder = regexp.MustCompile(`^[\s"']*(?:\{\{[^{}]*\}\}|<redacted>)[\s"']*$`)

// encoders write a value inside a text.
var encoders = map[string]func(value string) string{
	"json":       func(v string) string { q := quoted(v); return q[1 : len(q)-1] },
	"units":      units,
	"xml":        html.EscapeString,
	"form":       url.QueryEscape,
	"percent":    func(v string) string { return strings.ReplaceAll(url.QueryEscape(v), "+", "%20") },
	"octets":     func(v string) string { return each(v, func(c byte) string { return fmt.Sprintf("%%%02x", c) }) },
	"basic":      func(v string) string { return base64.StdEncoding.EncodeToString([]byte("bob:" + v)) },
	"single":     func(v string) string { return strings.ReplaceAll(v, "'", `'\''`) },
	"double":     strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace,
	"ansi":       strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace,
	"cmd":        func(v string) string { return v },
	"powershell": func(v string) string { return strings.ReplaceAll(v, "'", "''") },
	"bare": func(v string) string {
		return each(v, func(c byte) string {
			if c >= 0x80 || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' {
				return string([]byte{c})
			}
			return `\` + string(c)
		})
	},
}

func each(text string, encode func(c byte) string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteString(encode(text[i]))
	}
	return b.String()
}

func units(text string) string {
	var b strings.Builder
	for _, c := range text {
		if c < 0x10000 {
			fmt.Fprintf(&b, `\u%04x`, c)
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}

// decoders undo encodings throughout a text, as far as possible.
var decoders = []func(text string) string{
	replaceAll(`%[0-9A-Fa-f]{2}`, func(code string) string {
		c, _ := strconv.ParseUint(code[1:], 16, 8)
		return string([]byte{byte(c)})
	}),
	strings.NewReplacer("+", " ").Replace,
	replaceAll(`(?:\\u[0-9A-Fa-f]{4})+|\\x[0-9A-Fa-f]{2}|\\[0-7]{3}|\\.`, func(escape string) string {
		var plain string
		if json.Unmarshal([]byte(`"`+escape+`"`), &plain) == nil {
			return plain
		}
		base, digits := 8, strings.TrimPrefix(escape[1:], "x")
		if len(digits) == 2 {
			base = 16
		}
		if c, err := strconv.ParseUint(digits, base, 8); err == nil && len(digits) > 1 {
			return string([]byte{byte(c)})
		}
		return escape[1:]
	}),
	html.UnescapeString,
	strings.NewReplacer(`'\''`, "'", `'"'"'`, "'", `''`, "'").Replace,
	replaceAll(`\\.`, func(escape string) string { return escape[1:] }),
	replaceAll(`[A-Za-z0-9+/_-]{8,}`, func(run string) string {
		run = strings.NewReplacer("-", "+", "_", "/").Replace(run)
		var b strings.Builder
		for shift := range 4 { // what precedes the text may belong to the alphabet
			whole := (len(run) - shift) / 4 * 4
			plain, _ := base64.RawStdEncoding.DecodeString(run[shift:])
			part, _ := base64.RawStdEncoding.DecodeString(run[shift : shift+whole])
			b.WriteString(string(plain) + "\n" + string(part) + "\n")
		}
		return b.String()
	}),
}

// replaceAll returns a decoder that replaces what a regular expression matches.
func replaceAll(expression string, with func(match string) string) func(text string) string {
	matches := regexp.MustCompile(expression)
	return func(text string) string { return matches.ReplaceAllStringFunc(text, with) }
}

// decoded returns a text in every combination of up to three decodings.
func decoded(text string) map[string]bool {
	all, last := map[string]bool{text: true}, []string{text}
	for range 3 {
		var next []string
		for _, from := range last {
			for _, decode := range decoders {
				if to := decode(from); !all[to] {
					all[to] = true
					next = append(next, to)
				}
			}
		}
		last = next
	}
	return all
}

// longestWord is the part of a value that a partial replacement would leave.
var longestWord = regexp.MustCompile(`[A-Za-z0-9]*[0-9][A-Za-z0-9]*`)

// revealing returns the value and the longest part of it that must not remain either.
func revealing(value string) []string {
	longest := ""
	for _, word := range longestWord.FindAllString(value, -1) {
		if len(word) >= 7 && len(word) > len(longest) {
			longest = word
		}
	}
	texts := []string{strings.TrimSpace(value)}
	if plain := strings.Trim(value, `"' `); plain != "" {
		texts = []string{plain}
	}
	if longest != "" {
		texts = append(texts, longest)
	}
	return texts
}

// leak returns what remains of a value in a text, or "".
func leak(text, value string) string {
	if value == "" {
		return ""
	}
	for plain := range decoded(text) {
		for _, rest := range revealing(value) {
			if strings.Contains(plain, rest) {
				return rest
			}
		}
	}
	return ""
}

// plant converts a source with a value in a place to targets and reports where it remains.
func (p location) plant(t *testing.T, seed uint64, value string, targets []string) {
	t.Helper()
	written := value
	for _, as := range p.As {
		written = encoders[as](written)
	}
	text := strings.ReplaceAll(p.Text, "@@", written)
	for _, target := range targets {
		result, err := tryCall(p.mediaType, text, target)
		if err != nil {
			t.Errorf("%s to %s: %v\n%s", p.Name, target, err, text)
			return
		}
		if rest := leak(result.Value+"\n"+strings.Join(result.Warnings, "\n"), value); rest != "" {
			t.Errorf("seed %d, %s (%s) to %s: %s remains of %s\n%s\n%s", seed, p.Name, p.mediaType, target, rest, value, text, result.Value)
			return
		}
	}
}

// TestCredentials plants secrets that resemble placeholders, words, dates and escapes in every place that a credential
// can be in, and looks for them in every target and warning, in every encoding.
func TestCredentials(t *testing.T) {
	c := loadCredentials(t)
	all := slices.Sorted(maps.Keys(targets))
	some := []string{"curl", "openapi-3.1-json", "postman-2.1"}
	rounds := uint64(20)
	if testing.Short() {
		rounds, all = 2, append(some, "openapi-3.0-yaml", "swagger-2.0-json")
	}
	for _, at := range c.locations() {
		t.Run(strings.ReplaceAll(at.mediaType, "/", " ")+"/"+at.Name, func(t *testing.T) {
			for seed := range rounds {
				at.plant(t, seed, c.credential(newPlanter(seed, at.Name), at), all)
			}
			for i, shape := range c.Shapes {
				if value := newPlanter(uint64(i), at.Name).shape(shape); !testing.Short() && !at.looksSecret() && at.fits(value) {
					at.plant(t, uint64(i), value, some)
				}
			}
		})
	}
	for _, shaped := range c.Shaped {
		t.Run(shaped.Name, func(t *testing.T) {
			for seed := range rounds {
				for _, at := range shaped.requests() {
					at.plant(t, seed, c.credential(newPlanter(seed, at.Name), at), some)
				}
			}
		})
	}
}
