package secret

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/postman"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/site"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

func TestNames(t *testing.T) {
	var names struct{ Password, Token, Card, Session, List, Harmless []string }
	converttest.Data(t, "testdata/names.yaml", &names)
	for want, list := range map[sensitivity][]string{
		passwordLike: names.Password, tokenLike: names.Token, cardLike: names.Card, sessionLike: names.Session,
		listLike: names.List,
		harmless: names.Harmless,
	} {
		if len(list) == 0 {
			t.Fatal("an empty list")
		}
		for _, name := range list {
			if got := sensitivityOf(name); got != want {
				t.Errorf("%s: %d, want %d", name, got, want)
			}
		}
	}
}

func TestCredentialHeaders(t *testing.T) {
	for header, want := range map[string]string{
		"X-Edge-Token": "edgeToken", "PB-Token": "pbToken", "AccessKey": "accessKey", "x-deploy-token": "deployToken",
		"X-Acme-Client-Secret": "acmeClientSecret", "X-Auth": "auth",
		"X-CSRFToken": "", "X-XSRF-TOKEN": "", "RequestVerificationToken": "", "Idempotency-Key": "", "X-Nonce": "",
		"X-Request-Id": "", "X-Amz-Security-Token": "", "X-Hub-Signature": "", "X-GitHub-OTP": "", "Cookie": "",
		"Authorization": "", "Proxy-Authorization": "", "X-Page-Token": "", "Sec-WebSocket-Key": "", "": "", "X": "",
	} {
		if got := Credential(header); got != want {
			t.Errorf("%s: %q, want %q", header, got, want)
		}
	}
}

// TestCookies: a cookie is a secret unless it can only be a setting.
func TestCookies(t *testing.T) {
	var cookies struct{ Kept, Secret []string }
	converttest.Data(t, "testdata/cookies.yaml", &cookies)
	for _, pair := range cookies.Kept {
		name, _, _ := strings.Cut(pair, "=")
		for _, as := range []site.Site{{Role: site.Header, Name: "Cookie"}, {Role: site.Header, Name: "set-cookie"}} {
			if got := redactText(NewRedactor(nil), as, pair); got != pair {
				t.Errorf("%s: %s", name, got)
			}
		}
	}
	for _, pair := range cookies.Secret {
		_, value, _ := strings.Cut(pair, "=")
		if got := redactText(NewRedactor(nil), site.Site{Role: site.Header, Name: "Cookie"}, pair); strings.Contains(got, value) {
			t.Errorf("%s is kept", got)
		}
	}
}

func TestTexts(t *testing.T)   { checkTexts(t, "testdata/texts.yaml", site.Prose) }
func TestPayload(t *testing.T) { checkTexts(t, "testdata/payloads.yaml", site.Body) }

func checkTexts(t *testing.T, file string, role site.Role) {
	t.Helper()
	var cases []struct{ Text, Want string }
	converttest.Data(t, file, &cases)
	for _, c := range cases {
		if c.Want == "" {
			c.Want = c.Text
		}
		if diff := cmp.Diff(c.Want, redactText(NewRedactor(nil), site.Site{Role: role}, c.Text)); diff != "" {
			t.Errorf("%s\n%s", c.Text, diff)
		}
	}
}

func TestPlaceholders(t *testing.T) {
	var lists struct{ Kept, Replaced, Expanded, Literal []string }
	converttest.Data(t, "testdata/placeholders.yaml", &lists)
	for _, text := range lists.Kept {
		if !isPlaceholder(text) {
			t.Errorf("%q is a placeholder", text)
		}
	}
	for _, text := range lists.Replaced {
		if isPlaceholder(text) {
			t.Errorf("%q is no placeholder", text)
		}
	}
	for _, text := range lists.Expanded {
		if !isExpansion(text) {
			t.Errorf("%q is an expansion", text)
		}
	}
	for _, text := range lists.Literal {
		if isExpansion(text) {
			t.Errorf("%q is no expansion", text)
		}
	}
}

// A secret recognized in one location is gone from all.
func TestModel(t *testing.T) {
	const secret = "Zx9-plant?ed"
	api := &request.API{
		Title:       "about Zx9-plant?ed",
		Description: "base64: eDpaeDktcGxhbnQ/ZWQ=", // x:Zx9-plant?ed
		Servers:     []*request.Server{{URL: "https://u:Zx9-plant?ed@h"}},
		Variables:   []*request.Variable{{Name: "token", Value: "{{other}}"}},
		Requests: []*request.Request{{
			Path:     "/a/Zx9-plant%3Fed",
			Query:    []*request.Parameter{{Name: "q", Value: "Zx9-plant%3fed"}},
			Headers:  []*request.Parameter{{Name: "X-Trace", Value: "is " + secret}},
			Security: &request.Security{Alternatives: [][]*request.Auth{{{Kind: request.Bearer, Token: secret}}}},
			Bodies:   []*request.Body{{Text: `{ "x" : "Zx9-plant?ed" , "n":1.0}`}},
		}},
	}
	r := NewRedactor(nil)
	declare(api, r.Redact(api.Sites))
	got := api.Requests[0]
	if diff := cmp.Diff([]string{"{{token2}}", "/a/{{token2}}", "{{token2}}", "is {{token2}}", `{ "x" : "{{token2}}" , "n":1.0}`, "about <redacted>", "base64: <redacted>"},
		[]string{got.Security.First()[0].Token, got.Path, got.Query[0].Value, got.Headers[0].Value, got.Bodies[0].Text, api.Title, api.Description}); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(&request.Variable{Name: "token2", Secret: true}, api.Variables[len(api.Variables)-1]); diff != "" {
		t.Error(diff)
	}
	if strings.Contains(api.Servers[0].URL, "plant") || len(r.Replaced(false)) != 1 {
		t.Errorf("%s, %d secrets", api.Servers[0].URL, len(r.Replaced(false)))
	}
}

func TestCollection(t *testing.T) {
	testTree(t, "collection.yaml", func(r *Redactor, root *tree.Value) {
		postman.Declare(root, r.Redact(func(emit func(site.Site)) { postman.Sites(root, emit) }))
	})
}

func TestDescription(t *testing.T) {
	testTree(t, "description.yaml", func(r *Redactor, root *tree.Value) {
		r.Described = true
		r.Redact(func(emit func(site.Site)) { site.Document(root, emit) })
	})
}

// redactText redacts a single text.
func redactText(r *Redactor, as site.Site, text string) string {
	r.judgeSite(as.In(&text))
	return text
}

func declare(api *request.API, names []string) {
	for _, name := range names {
		api.Variables = append(api.Variables, &request.Variable{Name: name, Secret: true})
	}
}

func testTree(t *testing.T, file string, redact func(*Redactor, *tree.Value)) {
	var cases []struct{ Name, Text, Want string }
	converttest.Data(t, "testdata/"+file, &cases)
	for _, c := range cases {
		doc, err := tree.ReadJSON(c.Text, nil)
		if err != nil {
			t.Fatal(c.Name, err)
		}
		want, err := tree.ReadJSON(c.Want, nil)
		if err != nil {
			t.Fatal(c.Name, err)
		}
		r := NewRedactor(nil)
		redact(r, doc.Root)
		r.SweepTree(doc.Root)
		got, _ := doc.Root.AppendJSON(nil, 1<<20)
		wanted, _ := want.Root.AppendJSON(nil, 1<<20)
		if diff := cmp.Diff(string(wanted), string(got)); diff != "" {
			t.Errorf("%s: %s", c.Name, diff)
		}
	}
}

// maxScanned is how often a byte may be read: up to maxAssigned bytes after each of a few characters.
const maxScanned = 1100

// TestLinear searches texts in which a secret seems to begin at every position.
func TestLinear(t *testing.T) {
	var texts []converttest.Growing
	prefixes := []string{"", "{", "<a>"}[:check.Sample(1, 1, 3)]
	for _, piece := range []string{
		"sk-", "eyJ-", "eyJa.", "token=", "token:", `token="`, "token='", "<token>", "://", "://a:b", "-----BEGIN ", "-----BEGIN PRIVATE KEY----",
		"basic ", "bearer ", "bot123456789:", "?key=", "&token=a", "a=", `{"`, `{"a":`, "[", `"{\"`, "{{", "\\", "'", "secret\"\\", "ghp_", "=", ":", ">",
		`("token",`, `"token",'`, "{value:", `{value:"`, "{key:'a',value:'b'", `a["token"]='`, ",", "-u a:", "<token>a", "?token=***",
		"-p a ", "--token a1b2c3 ", "sshpass -p ", "password is a1b2c3d4 ", "as bob/a1b2c3d4", "DE00", "DE44 5001 ", "hc-ping.com/", "?code=", `{"value":`, "HmacMD5(", "JWS.sign(a,", "jwt.sign(a,'b'",
		"user=", "\nuser=a:b", "password: a ", "# password: a1b2c3d4\n", "bob:a1B2c3d4\n", "--a=", "auth=(", "token=[",
		"| token | a1B2c3d4 |\n", "|---|\n", "%3Ftoken%3Da", "%3Ftoken", "<b>token</b>: ", "a,token\n", "BEGIN PRIVATE KEY\n",
		"a:%20", "%22a1%22:", "a1B:", "a1/", "token:a1b2",
	} {
		for _, prefix := range prefixes {
			texts = append(texts, converttest.Growing{prefix, piece})
		}
	}
	converttest.Linear(t, texts, func(text string) int {
		redactText(NewRedactor(nil), site.Site{Role: site.Body}, text)
		redactText(NewRedactor(nil), site.Site{Role: site.Prose}, text)
		f := finder{r: NewRedactor(nil), text: text, strict: asData}
		f.search()
		if f.scanned > maxScanned*len(text) {
			t.Errorf("%.20q…: %d bytes are read for %d", text, f.scanned, len(text))
		}
		return f.scanned
	})
}

// TestSearchStops searches for longer than its deadline.
func TestSearchStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	text := strings.Repeat("a1B:", 1<<18)
	f := finder{r: NewRedactor(budget.New(ctx, len(text), 1<<10)), text: text, strict: asData}
	var err error
	func() {
		defer budget.Catch(&err)
		f.search()
	}()
	if err == nil || f.scanned > 2*chargeEvery {
		t.Errorf("%v after %d bytes", err, f.scanned)
	}
}

// TestSweepIsLinear searches for secrets that are slow to find, and counts how often one is compared.
func TestSweepIsLinear(t *testing.T) {
	for _, kind := range []string{"aaaaaa1", "ab12", "A1!x"} {
		r := NewRedactor(nil)
		for n := 8; n < 600; n++ {
			r.note(strings.Repeat(kind, n)[:n*2], "x", true)
		}
		for _, piece := range []string{kind, kind[:len(kind)-1] + "_"} {
			text := strings.Repeat(piece, 1<<16/len(piece))
			r.fullSweeper().find(text, asRedacted)
			compared := 0
			r.fullSweeper().find(text, func(*found, int, int) (string, bool) { compared++; return "", false })
			if compared > maxPattern*len(text) {
				t.Errorf("%q: %d comparisons in %d bytes", piece, compared, len(text))
			}
		}
	}
}

// TestSweepIsBounded searches a text in which every match extends far and is rejected.
func TestSweepIsBounded(t *testing.T) {
	const secret = "xK9vQ2mLr7Tz"
	text := strings.Repeat(secret, 1<<16/len(secret))
	var err error
	func() {
		defer budget.Catch(&err)
		r := NewRedactor(budget.New(t.Context(), len(text), 1<<10))
		r.note(strings.Repeat(secret, 5000), "password", false)
		r.fullSweeper().find(text, func(*found, int, int) (string, bool) { return "", false })
	}()
	if err == nil {
		t.Errorf("%d bytes were searched within the budget", len(text))
	}
}

// The last pass finds the secrets found before in what is about to be written.
func TestFinalSweep(t *testing.T) {
	r := NewRedactor(nil)
	r.nameOf(r.note("Zx9-plant?ed", "token", true))
	r.note("password", "password", true) // a word: not searched for
	text := "curl 'h/Zx9-plant%3Fed' -H 'A: eDpaeDktcGxhbnQ/ZWQ=' # password"
	if got, want := string(r.SweepText([]byte(text))), "curl 'h/redacted' -H 'A: redacted' # password"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for text, want := range map[string]string{
		`{"openapi":"3.1.0","x":["Zx9-plant?ed {{Zx9-plant?ed}}"],"$ref":"#/Zx9-plant?ed","Zx9-plant?ed":1}`:       `{"openapi":"3.1.0","x":["<redacted> {{redacted}}"],"$ref":"#/redacted","redacted":1}`,
		`{"info":{"schema":"Zx9-plant?ed"},"item":[{"name":"Zx9-plant?ed","k":"password"}],"n":0,"b":[null,true]}`: `{"info":{"schema":"Zx9-plant?ed"},"item":[{"name":"{{token}}","k":"password"}],"n":0,"b":[null,true]}`,
	} {
		doc := check.Value(tree.ReadJSON(text, nil))(t)
		r.SweepTree(doc.Root)
		got, _ := doc.Root.AppendJSON(nil, 1<<20)
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Error(diff)
		}
	}
}
