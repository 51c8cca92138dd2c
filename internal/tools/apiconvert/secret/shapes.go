package secret

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// alphabet is a set of bytes.
type alphabet [256]bool

func newAlphabet(members string) *alphabet {
	var a alphabet
	for _, c := range []byte(members) {
		a[c] = true
	}
	return &a
}

// complement returns the other bytes.
func (a *alphabet) complement() *alphabet {
	var others alphabet
	for c := range others {
		others[c] = !a[c]
	}
	return &others
}

const (
	digits  = "0123456789"
	letters = alpha + digits
	alpha   = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

var (
	alnum      = newAlphabet(letters)
	word       = newAlphabet(letters + "_-")
	blob       = newAlphabet(letters + "_-.~+/=")
	hex        = newAlphabet(digits + "abcdefABCDEF")
	b64        = newAlphabet(letters + "+/=_-")
	inURL      = newAlphabet(letters + "/_-@%.~")
	dotted     = newAlphabet(letters + "_-.")
	decimal    = newAlphabet(digits)
	inVariable = newAlphabet(letters + "_-.:")
	assigned   = newAlphabet(letters + "_-.[]")
	letter     = newAlphabet(alpha)
	inPlain    = newAlphabet(":=>-{[<\"").complement()
)

const unbounded = 1 << 20

// run returns how many bytes at the start of text are in the alphabet.
func (a *alphabet) run(text string) int {
	n := 0
	for n < len(text) && a[text[n]] {
		n++
	}
	return n
}

// pairs is a set of two bytes in a row: most texts have none of those that a search looks for.
type pairs [256][4]uint64

func (p *pairs) add(a, b byte)      { p[a][b/64] |= 1 << (b % 64) }
func (p *pairs) has(a, b byte) bool { return p[a][b/64]&(1<<(b%64)) != 0 }

// addAll adds a byte followed by each of some others.
func (p *pairs) addAll(a byte, others string) {
	for _, b := range []byte(others) {
		p.add(a, b)
	}
}

// in reports whether a text has one of the pairs.
func (p *pairs) in(text string) bool {
	for i := 1; i < len(text); i++ {
		if p.has(text[i-1], text[i]) {
			return true
		}
	}
	return false
}

// maxLook is how far a run is followed before it is a known secret, so that a text with many possible starts
// costs no more than its length.
const maxLook = 160

// shape describes the tokens of an issuer: one of several prefixes, separated by spaces, then min to max bytes
// of an alphabet, including a digit unless plain.
type shape struct {
	prefix   string
	of       *alphabet
	min, max int
	plain    bool
	name     string // of the variable
}

// shapes are those published by the issuers, and those that secret scanners agree on. Prefixes of public values
// (pk_live_, AC…) are not listed.
var shapes = []shape{
	{"AKIA ASIA ABIA", alnum, 16, 16, true, "awsAccessKey"},
	{"AIza", word, 35, 35, true, "googleApiKey"},
	{"ya29.", dotted, 20, unbounded, true, "googleToken"},
	{"GOCSPX-", word, 20, unbounded, true, "googleClientSecret"},
	{"ghp_ gho_ ghu_ ghs_ ghr_", alnum, 30, unbounded, true, "githubToken"},
	{"github_pat_", word, 22, unbounded, true, "githubToken"},
	{"glpat- gldt- glptt- glrt-", word, 16, unbounded, true, "gitlabToken"},
	{"xoxa- xoxb- xoxc- xoxd- xoxe- xoxp- xoxr- xoxs- xapp-", word, 10, unbounded, false, "slackToken"},
	{"xoxe.", dotted, 10, unbounded, false, "slackToken"},
	{"sk-", word, 20, unbounded, false, "apiKey"},
	{"sk_live_ sk_test_ rk_live_ rk_test_", word, 10, unbounded, true, "stripeKey"},
	{"whsec_", b64, 16, unbounded, true, "webhookSecret"},
	{"SG.", dotted, 36, unbounded, true, "sendgridKey"},
	{"npm_", alnum, 30, unbounded, true, "npmToken"},
	{"pypi-", word, 40, unbounded, true, "pypiToken"},
	{"hf_", alnum, 30, unbounded, true, "huggingFaceToken"},
	{"dop_v1_ doo_v1_ dor_v1_", hex, 40, unbounded, true, "digitalOceanToken"},
	{"shpat_ shpca_ shppa_ shpss_", hex, 24, unbounded, true, "shopifyToken"},
	{"PMAK-", word, 24, unbounded, true, "postmanKey"},
	{"PMAT-", word, 20, unbounded, true, "postmanKey"},
	{"dckr_pat_", word, 20, unbounded, true, "dockerToken"},
	{"lin_api_", alnum, 30, unbounded, true, "linearKey"},
	{"figd_", word, 30, unbounded, true, "figmaToken"},
	{"glsa_", word, 30, unbounded, true, "grafanaToken"},
	{"xkeysib-", word, 40, unbounded, true, "brevoKey"},
	{"NRAK-", alnum, 20, unbounded, true, "newRelicKey"},
	{"ATATT3", b64, 30, unbounded, true, "atlassianToken"},
	{"hvs.", word, 20, unbounded, true, "vaultToken"},
	{"dapi", hex, 32, 34, true, "databricksToken"},
	{"ntn_", alnum, 40, unbounded, true, "notionToken"},
	{"sbp_", hex, 40, unbounded, true, "supabaseToken"},
	{"gsk_", alnum, 40, unbounded, true, "apiKey"},
	{"r8_", alnum, 30, unbounded, true, "apiKey"},
	{"rubygems_", hex, 40, unbounded, true, "rubygemsKey"},
	{"sq0atp-", word, 20, unbounded, true, "squareToken"},
	{"sq0csp-", word, 40, unbounded, true, "squareSecret"},
	{"EAAA", word, 56, unbounded, false, "squareToken"},
	{"AGE-SECRET-KEY-1", alnum, 50, unbounded, true, "ageKey"},
	// The base64 of private keys: -----BEGIN, the kind if any, and PRIVATE.
	{"LS0tLS1CRUdJTiBQUklWQVRF LS0tLS1CRUdJTiBSU0EgUFJJVkFURS LS0tLS1CRUdJTiBFQyBQUklWQVRF LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVEUg " +
		"LS0tLS1CRUdJTiBFTkNSWVBURUQgUFJJVkFURS LS0tLS1CRUdJTiBQR1AgUFJJVkFURS", b64, 30, unbounded, true, "privateKey"},
	// URLs whose holder may call them.
	{"hooks.slack.com/services/ hooks.slack.com/triggers/ hooks.slack.com/workflows/", inURL, 20, unbounded, true, "slackWebhook"},
	{"discord.com/api/webhooks/ discordapp.com/api/webhooks/", inURL, 40, unbounded, true, "discordWebhook"},
	{"infura.io/v3/ alchemy.com/v2/ alchemyapi.io/v2/", inURL, 20, unbounded, true, "apiKey"},
	{"hooks.zapier.com/hooks/catch/", inURL, 10, unbounded, true, "zapierWebhook"},
	{"webhook.office.com/webhookb2/ outlook.office.com/webhook/ outlook.office365.com/webhook/", inURL, 16, unbounded, true, "teamsWebhook"},
	{"maker.ifttt.com/trigger/ maker.ifttt.com/use/", inURL, 16, unbounded, true, "iftttKey"},
	{"hook.make.com/ hook.integromat.com/ hook.eu1.make.com/ hook.eu2.make.com/ hook.us1.make.com/ hook.us2.make.com/", inURL, 16, unbounded, true, "makeWebhook"},
	{"hc-ping.com/ healthchecks.io/ping/ cronitor.link/ nosnch.in/ webhook.site/ uptime.betterstack.com/api/v1/heartbeat/ " +
		"uptime.betteruptime.com/api/v1/heartbeat/", inURL, 10, unbounded, true, "pingKey"},
	{"api.netlify.com/build_hooks/ api.vercel.com/v1/integrations/deploy/ hooks.airtable.com/workflows/ " +
		"connect.pabbly.com/workflow/sendwebhookdata/ open.feishu.cn/open-apis/bot/ open.larksuite.com/open-apis/bot/ " +
		"api.day.app/ sctapi.ftqq.com/", inURL, 16, unbounded, true, "webhookKey"},
}

// shapesBy indexes shapes by their first byte.
var shapesBy = func() (by [256][]*shape) {
	for _, s := range shapes {
		for prefix := range strings.SplitSeq(s.prefix, " ") {
			one := s
			one.prefix = prefix
			by[prefix[0]] = append(by[prefix[0]], &one)
		}
	}
	return by
}()

// match returns how many bytes at the start of text match the shape, or 0.
func (s *shape) match(text string) int {
	if !strings.HasPrefix(text, s.prefix) {
		return 0
	}
	rest := text[len(s.prefix):]
	n := s.of.run(rest[:min(len(rest), maxLook)])
	if n < s.min || n > s.max || !s.plain && !words.IsMixed(rest[:n]) {
		return 0
	}
	return len(s.prefix) + s.of.run(rest)
}

// secretsIn yields the bounds of the secrets in a match. In a URL they are the longest segment, which is often after
// the numbers of a team and a channel; for Zapier the last, and for Teams all but words and numbers.
func (s *shape) secretsIn(match string) (bounds [][2]int) {
	if !strings.HasSuffix(s.prefix, "/") {
		return [][2]int{{0, len(match)}}
	}
	at, length := len(s.prefix), 0
	for segment := range strings.SplitSeq(match[at:], "/") {
		switch n := len(segment); {
		case s.name == "teamsWebhook":
			if words.IsMixed(segment) {
				bounds = append(bounds, [2]int{at, at + n})
			}
		case n > length || n > 0 && s.name == "zapierWebhook":
			bounds, length = [][2]int{{at, at + n}}, n
		}
		at += len(segment) + 1
	}
	return bounds
}

// issued finds the tokens of a known issuer at the start of text, which has at least minToken bytes. It doesn't
// look for JSON web tokens. digits reports whether a digit follows soon.
func issued(text string, digits bool) (bounds [][2]int, name string) {
	for _, s := range shapesBy[text[0]] {
		if text[1] != s.prefix[1] || !s.plain && !digits {
			continue
		}
		if n := s.match(text); n > 0 {
			return s.secretsIn(text[:n]), s.name
		}
	}
	switch text[0] {
	case 'b', 'B', 't', 'T':
		if from, to := schemed(text); to > 0 {
			return [][2]int{{from, to}}, "token"
		}
		if from, to := telegram(text); to > 0 {
			return [][2]int{{from, to}}, "telegramToken"
		}
	}
	if n := bankAccount(text); n > 0 {
		return [][2]int{{0, n}}, "iban"
	}
	return nil, ""
}

// jsonWebToken returns the length of a compact JWS or JWE: eyJ is the base64 of {". If there is no token,
// barren is the length in which none begins.
func jsonWebToken(text string) (n, barren int) {
	if !strings.HasPrefix(text, "eyJ") {
		return 0, 0
	}
	n = word.run(text)
	if n < 8 || n+4 > len(text) || text[n] != '.' || !word[text[n+1]] {
		return 0, n
	}
	for dots := 0; n < len(text) && text[n] == '.' && dots < 4; dots++ {
		n += 1 + word.run(text[n+1:])
	}
	return n, 0
}

// schemed finds the credentials after the word Bearer, Basic or Token: for Basic only base64 of a name and a
// password, for the others only what doesn't look like a word of prose.
func schemed(text string) (from, to int) {
	for _, scheme := range []string{"bearer", "basic", "token"} {
		n := len(scheme)
		if len(text) <= n+8 || !strings.EqualFold(text[:n], scheme) || text[n] != ' ' {
			continue
		}
		m := blob.run(text[n+1:])
		credentials := strings.TrimRight(text[n+1:n+1+m], ".")
		if m = len(credentials); m < 8 || isPlaceholder(credentials) {
			return 0, 0
		}
		if scheme == "basic" {
			if _, _, ok := request.DecodeBasic(credentials); ok {
				return n + 1, n + 1 + m
			}
			return 0, 0
		}
		if words.IsMixed(credentials) && (scheme == "bearer" || m >= 20) || m >= 32 {
			return n + 1, n + 1 + m
		}
		return 0, 0
	}
	return 0, 0
}

// telegram finds a bot's token: bot, its number, a colon and 35 characters.
func telegram(text string) (from, to int) {
	if !strings.HasPrefix(text, "bot") {
		return 0, 0
	}
	n := 3 + decimal.run(text[3:min(len(text), 14)])
	if n < 11 || n >= len(text) || text[n] != ':' {
		return 0, 0
	}
	if m := word.run(text[n+1:]); m >= 34 {
		return 3, n + 1 + m
	}
	return 0, 0
}

// privateKey finds the PEM block (RFC 7468) with a private key at i. An unterminated block extends to the end of the text.
// If its first line has lost its dashes, as in a comment, it must be terminated before another block begins.
func (f *finder) privateKey(i int) {
	text := f.text[i:]
	label, ok := strings.CutPrefix(strings.TrimLeft(text[:min(len(text), maxPEMLabel)], "-"), "BEGIN ")
	if !ok {
		return
	}
	label = label[:untilAny(label, "-\r\n")]
	if !strings.HasSuffix(label, "PRIVATE KEY") && !strings.HasSuffix(label, "PRIVATE KEY BLOCK") {
		return
	}
	dashed := text[0] == '-'
	if !dashed {
		inner, _, _ := strings.Cut(text[1:], "BEGIN ")
		text = text[:1+len(inner)]
	}
	_, rest, terminated := strings.Cut(text, "END "+label)
	n := len(text) - len(strings.TrimLeft(rest, "-"))
	f.scanned += n
	if dashed || terminated {
		f.add(i, i+n, "privateKey")
	}
}

// maxPEMLabel is how many bytes of the first line of a PEM block are read.
const maxPEMLabel = 80

// bankAccounts are the countries with international bank account numbers, each with the length of theirs (ISO 13616).
const bankAccounts = "AD24AE23AL28AT20AZ28BA20BE16BG22BH22BI27BR29BY28CH21CR22CY28CZ24DE22DJ27DK18DO28EE20EG29ES24FI18FK18FO18" +
	"FR27GB22GE22GI23GL18GR27GT28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22MK19" +
	"MN20MR27MT31MU30NI28NL18NO15OM23PK24PL28PS29PT25QA29RO24RS22RU33SA24SC31SD18SE24SI19SK24SM27SO23ST25SV28TL23TN24" +
	"TR26UA29VA22VG24XK20"

// bankAccount returns the length of the account number at the start of text, in groups or not, or 0 if the check digits
// are wrong.
func bankAccount(text string) int {
	if len(text) < 15 || !words.IsUpper(text[1]) || !words.IsDigit(text[2]) || !words.IsDigit(text[3]) {
		return 0
	}
	country := strings.Index(bankAccounts, text[:2])
	if country < 0 || country%4 != 0 {
		return 0
	}
	length := int(bankAccounts[country+2]-'0')*10 + int(bankAccounts[country+3]-'0')
	var number []byte
	n := 0
	for ; n < len(text) && len(number) < length; n++ {
		if c := text[n]; words.IsUpper(c) || words.IsDigit(c) {
			number = append(number, c)
		} else if c != ' ' || len(number)%4 != 0 {
			return 0
		}
	}
	if len(number) < length || n < len(text) && words.IsAlnum(text[n]) {
		return 0
	}
	rest := 0
	for _, c := range append(number[4:], number[:4]...) {
		if words.IsDigit(c) {
			rest = (rest*10 + int(c-'0')) % 97
		} else {
			rest = (rest*100 + int(c-'A') + 10) % 97
		}
	}
	if rest != 1 {
		return 0
	}
	return n
}
