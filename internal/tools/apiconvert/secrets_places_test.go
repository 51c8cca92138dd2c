package apiconvert

import (
	"fmt"
	"hash/crc32"
	"maps"
	"math/rand/v2"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert/converttest"
)

// location is where a credential can be, with @@ for the credential.
type location struct {
	Name    string   `yaml:"name"`
	Kind    string   `yaml:"kind"`    // "": any value; otherwise see fits and looksSecret
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

	MediaType string `yaml:"mediaType"` // of a text
}

type credentials struct {
	Shapes       []string   `yaml:"shapes"`
	Prefixes     []string   `yaml:"prefixes"`
	Placeholders []string   `yaml:"placeholders"`
	Suffixes     []string   `yaml:"suffixes"`
	Shell        []location `yaml:"shell"`
	Postman      []location `yaml:"postman"`
	OpenAPI      []location `yaml:"openapi"`
	Copies       []location `yaml:"copies"`
	Shaped       []location `yaml:"shaped"`
}

func loadCredentials(t *testing.T) (c credentials) {
	t.Helper()
	converttest.Data(t, "testdata/credentials.yaml", &c)
	return c
}

// locations returns all places, with whole sources as their text.
func (c credentials) locations() (all []location) {
	for _, p := range c.Shell {
		p.MediaType = "text/plain"
		all = append(all, p)
	}
	for _, p := range c.Postman {
		if p.Request == "" || !strings.Contains(p.Request, `"url"`) {
			p.Request = strings.TrimPrefix(p.Request+`,"url":"https://h.test/a"`, ",")
		}
		p.Text = fmt.Sprintf(`{"info":{"name":"c","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},%s"item":[{"name":"a",%s"request":{"method":"POST",%s}}]}`,
			member(p.Top), member(p.Item), p.Request)
		p.As, p.MediaType = append(p.As, "json"), "application/json"
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
		p.As, p.MediaType = append(p.As, "json"), "application/yaml"
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
		p.MediaType, p.Text, p.As = mediaType, text, slices.Concat(p.As, as)
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

// fits reports whether a place can hold a value, and whether it is a secret there: a token has no spaces.
func (p location) fits(value string) bool {
	if wholePlaceholder.MatchString(value) || strings.TrimSpace(value) != value && !slices.Contains(p.As, "json") {
		return false
	}
	if p.Kind != "" && strings.Contains(value, " ") || p.Kind == "bearer" && len(value) < 8 {
		return false
	}
	return !strings.ContainsAny(value, p.Without)
}

var wholePlaceholder = regexp.MustCompile(`^[\s"']*(?:\{\{[^{}]*\}\}|<redacted>)[\s"']*$`)

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

// source returns the source with a value in the location.
func (p location) source(value string) string {
	for _, as := range p.As {
		value = encoders[as](value)
	}
	return strings.ReplaceAll(p.Text, "@@", value)
}

// plant converts a source with a value in a place to targets and reports where it remains.
func (p location) plant(t *testing.T, seed uint64, value string, targets []string) {
	t.Helper()
	text := p.source(value)
	for _, target := range targets {
		result, err := tryCall(p.MediaType, text, target)
		if err != nil {
			t.Errorf("%s to %s: %v\n%s", p.Name, target, err, text)
			return
		}
		if rest := leak(result.Value+"\n"+strings.Join(result.Warnings, "\n"), value); rest != "" {
			t.Errorf("seed %d, %s (%s) to %s: %s remains of %s\n%s\n%s", seed, p.Name, p.MediaType, target, rest, value, text, result.Value)
			return
		}
	}
}

// TestCredentials plants secrets that resemble placeholders, words, dates and escapes in every place that a credential
// can be in, and looks for them in every target and warning, in every encoding.
func TestCredentials(t *testing.T) {
	t.Parallel()
	c := loadCredentials(t)
	all := slices.Sorted(maps.Keys(targets))
	some := []string{"curl", "openapi-3.1-json", "postman-2.1"}
	rounds := check.Sample[uint64](2, 3, 20)
	if testing.Short() {
		all = append(some, "openapi-3.0-yaml", "swagger-2.0-json")
	}
	for _, at := range c.locations() {
		t.Run(strings.ReplaceAll(at.MediaType, "/", " ")+"/"+at.Name, func(t *testing.T) {
			t.Parallel()
			for seed := range rounds {
				at.plant(t, seed, c.credential(newPlanter(seed, at.Name), at), all)
			}
			for i, shape := range c.Shapes {
				if value := newPlanter(uint64(i), at.Name).shape(shape); !testing.Short() && at.Value == "" && !at.looksSecret() && at.fits(value) {
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

// TestCopies checks that a secret that is found once is replaced wherever it is, in every encoding.
func TestCopies(t *testing.T) {
	c := loadCredentials(t)
	marks := regexp.MustCompile(`@([a-z,]*)@`)
	for _, source := range c.Copies {
		for seed := range uint64(12) {
			value := c.credential(newPlanter(seed, source.MediaType), location{Kind: "token"})
			if len(revealing(value)) < 2 || strings.Trim(value, digits) == "" {
				continue // a word or a number may be in a text by chance
			}
			at := source
			at.Text = marks.ReplaceAllStringFunc(source.Text, func(mark string) string {
				return location{Text: "@@", As: strings.FieldsFunc(mark, func(c rune) bool { return c == '@' || c == ',' })}.source(value)
			})
			at.plant(t, seed, value, []string{"curl", "openapi-3.1-json", "postman-2.1"})
		}
	}
}

// TestWholePlaceholders checks that what authors write instead of a credential counts as no secret anywhere.
func TestWholePlaceholders(t *testing.T) {
	c := loadCredentials(t)
	for _, at := range c.locations() {
		// A placeholder is not recognized in these encodings, and not after a user's name in a variable.
		encoded := at.Kind == "code" || at.Name == "link to documents" || at.Name == "assignment of user and password" ||
			slices.Contains(at.As, "percent") || slices.Contains(at.As, "basic")
		for _, value := range c.Placeholders {
			if encoded || strings.ContainsAny(value, at.Without) {
				continue
			}
			for _, target := range []string{"curl", "openapi-3.1-json", "postman-2.1"} {
				text := at.source(value)
				result := call(t, at.MediaType, text, target)
				for _, warning := range result.Warnings {
					if strings.HasPrefix(warning, "secrets_replaced: ") && strings.Contains(warning, "placeholder") {
						t.Errorf("%s (%s) to %s: %s is replaced\n%s\n%s", at.Name, at.MediaType, target, value, text, result.Value)
					}
				}
			}
		}
	}
}

// TestStatements plants secrets after names, in the markup and the layout that authors use in prose, and looks for them in
// every target.
func TestStatements(t *testing.T) {
	t.Parallel()
	targets := []string{"curl", "openapi-3.1-json", "postman-2.1"}
	for seed := range uint64(100) {
		p := newPlanter(seed, t.Name())
		value := p.random(letters, 3) + p.random(digits, 2) + p.random(letters, 4)
		name := p.pick("", "The ", "Your ", "Admin ") + p.pick("password", "Password", "API key", "access token", "Client secret", "api_key", "Passwort")
		mark := p.pick("", "", "**", "`", "_")
		text := mark + name + mark + p.pick(": ", ":", " = ", " -> ", " is ", ":\n\n", " (staging): ", " for tests: ") + p.pick("@@", "`@@`", "**@@**", `"@@"`)
		text = p.pick("", "- ", "* ", "1. ", "> ", "- User: bob\n- ") + text + p.pick("", "\n- Region: eu", "\n\nSee below.")
		switch p.IntN(4) {
		case 0:
			text = "| Name | Value |\n|---|---|\n| User | bob |\n| " + mark + name + mark + " | @@ |"
		case 1:
			text = "| User | " + name + " | Region |\n| --- | --- | --- |\n| bob | `@@` | eu |"
		case 2:
			text = "<b>" + name + "</b>" + p.pick(": ", "</td><td>", "<br>") + "<code>@@</code>"
		}
		inJSON := quoted(text)
		inJSON = inJSON[1 : len(inJSON)-1]
		for _, at := range []location{
			{MediaType: "text/plain", Text: "# " + strings.ReplaceAll(text, "\n", "\n# ") + "\ncurl https://h.test/a"},
			{MediaType: "application/json", Text: `{"info":{"name":"c","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},"item":[{"name":"a","request":{"url":"https://h.test/a","description":"` + inJSON + `"}}]}`},
			{MediaType: "application/yaml", Text: `{"openapi":"3.1.0","info":{"title":"t","version":"1","description":"` + inJSON + `"},"paths":{"/a":{"get":{"responses":{"200":{"description":"ok"}}}}}}`},
		} {
			if at.MediaType == "text/plain" && strings.Contains(text, "\n") {
				continue // the lines of a comment become titles and descriptions
			}
			at.Name = "statement"
			at.plant(t, seed, value, targets)
		}
	}
}
