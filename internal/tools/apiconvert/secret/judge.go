package secret

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/site"
	"github.com/convertd/convertd/internal/tools/apiconvert/spans"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// value is a span of a text, or a whole text, to judge.
type value struct {
	spans.Span
	depth int // the number of enclosing encoded texts
}

// judgeSite replaces the secrets at one site.
func (r *Redactor) judgeSite(s site.Site) {
	text := s.Text()
	r.budget.Pass(len(text))
	r.atCredential, r.place = holdsCredentials(s), s.Place()
	key := siteText{s.Role, s.IsNumber(), s.Name, s.MediaType, text}
	if text == "" || r.clean[key] {
		return
	}
	whole := value{Span: spans.Span{
		To: len(text), Role: s.Role, Name: s.Name, MediaType: s.MediaType, Number: s.IsNumber(),
	}}
	if s.Role == site.Query {
		whole.Name, whole.Written = spans.Percent.Decode(s.Name), &spans.Percent
	}
	if edits := r.inner(text, whole); len(edits) > 0 {
		clean := spans.Apply(text, edits)
		r.budget.Bytes(len(clean))
		s.Set(clean)
	} else if r.Recorded && len(r.clean) < maxClean {
		r.clean[key] = true
	}
}

// maxClean is how many sites without secrets are remembered.
const maxClean = 1 << 14

// siteText identifies a site by what its judgement depends on.
type siteText struct {
	role                  site.Role
	isNumber              bool
	name, mediaType, text string
}

// judge returns the edits that replace the secrets in a text with the properties v.
func (r *Redactor) judge(text string, v value) []spans.Edit {
	if v.Number {
		return r.number(text, v)
	}
	switch v.Role {
	case site.Prose, site.Identifier, site.MemberName, site.Path:
		return r.search(text, asProse, v)
	case site.Address:
		return r.parts(text, v, spans.Address)
	case site.Credential:
		if v.Name == site.Authorization {
			return r.authorization(text, v)
		}
		return r.credential(text, v)
	case site.Header:
		return r.header(text, v)
	case site.Cookie:
		s := r.sensitivity(v.Name, v.Role)
		if !passwordLike.accepts(text) || !s.isSecret() && (!tokenLike.accepts(text) || isSetting(v.Name, text)) {
			return nil
		}
		return r.all(text, v, s.isSecret())
	case site.Body:
		return r.body(text, v)
	case site.Option:
		return r.option(text, v)
	case site.Variable, site.LocalVariable, site.AssignedVariable: // already judged by name before all other sites
		v.Role = site.Field
		return r.open(text, v)
	}
	if v.Role == site.Query && v.Name == "code" && isCode(text) {
		v.Name = "authorization code"
	}
	if s := r.sensitivity(v.Name, v.Role); s.accepts(text) {
		return r.all(text, v, s.isCertain(text))
	}
	return r.open(text, v)
}

// all replaces a whole text.
func (r *Redactor) all(text string, v value, certain bool) []spans.Edit {
	return []spans.Edit{{To: len(text), With: r.placeholder(r.note(text, v.Name, certain), v.Role)}}
}

// parameter matches credentials that consist of one parameter (RFC 9110, section 11.4): token="value".
var parameter = expression.Lazy(`^([A-Za-z][\w-]*) *= *"?([^" ,=][^",]*)"?$`)

// authorization replaces the credentials after a scheme, or the value of their only parameter.
func (r *Redactor) authorization(text string, v value) []spans.Edit {
	v.Name = "token"
	if m := parameter().FindStringSubmatchIndex(text); m != nil {
		v.Name = text[m[2]:m[3]]
		return shift(r.credential(text[m[4]:m[5]], v), m[4])
	}
	return r.credential(text, v)
}

// credential replaces a text that is a secret by its position.
func (r *Redactor) credential(text string, v value) []spans.Edit {
	if text == "" || isPlaceholder(text) {
		r.noteDummy(text, v.Name)
		return nil
	}
	return r.all(text, v, true)
}

// shift moves edits of a part of a text to the text, in which the part begins at from.
func shift(edits []spans.Edit, from int) []spans.Edit {
	for i := range edits {
		edits[i].From += from
		edits[i].To += from
	}
	return edits
}

// noteDummy records a credential that keeps its value because it looks like a placeholder: a word, not a variable.
func (r *Redactor) noteDummy(value, name string) {
	value = strings.TrimSpace(value)
	if len(r.Dummies) == maxDummies || request.HasVariable(value) || !isDummy(value) {
		return
	}
	if dummy := name + " (" + value + ")"; !slices.Contains(r.Dummies, dummy) {
		r.Dummies = append(r.Dummies, dummy)
	}
}

// maxDummies is how many placeholders Dummies has.
const maxDummies = 10

// Filled removes a value that was replaced by a variable from Dummies.
func (r *Redactor) Filled(value string) {
	r.Dummies = slices.DeleteFunc(r.Dummies, func(dummy string) bool { return strings.HasSuffix(dummy, " ("+value+")") })
}

// number replaces a JSON number that is a secret by its name, such as a PIN.
func (r *Redactor) number(digits string, v value) []spans.Edit {
	s := r.sensitivity(v.Name, v.Role)
	if v.Role == site.Credential {
		s = passwordLike
	}
	if !s.acceptsNumber(digits) {
		return nil
	}
	edits := r.all(digits, v, false)
	if r.Described {
		edits[0].With = "0"
	}
	return edits
}

// search replaces the secrets that findShapes finds.
func (r *Redactor) search(text string, strict strictness, v value) []spans.Edit {
	return r.replaceAll(text, r.findShapes(text, strict), v)
}

// replaceAll returns the edits that replace the matches in a text.
func (r *Redactor) replaceAll(text string, matches []match, v value) []spans.Edit {
	if len(matches) == 0 {
		return nil
	}
	edits := make([]spans.Edit, 0, len(matches))
	for _, m := range matches {
		secret := text[m.from:m.to]
		if isPlaceholder(secret) || isExpansion(secret) {
			continue
		}
		r.noteBasic(secret)
		f := r.note(secret, m.hint, m.certain)
		edits = append(edits, spans.Edit{From: m.from, To: m.to, With: r.placeholder(f, v.Role)})
	}
	return edits
}

// noteBasic records the password in Basic credentials, so that it is also found on its own.
func (r *Redactor) noteBasic(credentials string) {
	if _, password, ok := request.DecodeBasic(credentials); ok && len(password) >= minSwept {
		r.note(password, "password", true)
	}
}

// header replaces the secrets in a header's value.
func (r *Redactor) header(text string, v value) []spans.Edit {
	switch strings.ToLower(v.Name) {
	case "authorization", "proxy-authorization":
		scheme, credentials, ok := strings.Cut(text, " ")
		if !ok {
			v.Name = "authorization"
			return r.credential(text, v)
		}
		if strings.EqualFold(scheme, "basic") {
			r.noteBasic(credentials)
		}
		return shift(r.authorization(credentials, v), len(scheme)+1)
	case "cookie":
		return r.parts(text, v, spans.Cookies)
	case "set-cookie":
		pair, _, _ := strings.Cut(text, ";")
		return r.parts(pair, v, spans.Cookies)
	}
	v.Role = site.Field
	return r.judge(text, v)
}

// longBody is the length in bytes from which the edits of a body are cached: references put the same example
// into many requests.
const longBody = 64

type bodyText struct{ mediaType, text string }

func (r *Redactor) body(text string, v value) []spans.Edit {
	if len(text) < longBody || r.Described {
		return r.open(text, v)
	}
	key := bodyText{v.MediaType, text}
	edits, known := r.bodies[key]
	if !known {
		edits = r.open(text, v)
		r.bodies[key] = edits
	}
	return edits
}

// option replaces the secrets in the argument of an option of curl.
func (r *Redactor) option(text string, v value) []spans.Edit {
	name := v.Name
	v.Role = site.Field
	if open := spans.Options[name]; open != nil {
		return r.parts(text, v, open)
	}
	if name != "location-trusted" && r.sensitivity(name, v.Role).accepts(text) {
		return r.all(text, v, false)
	}
	v.Role = site.Address
	return r.parts(text, v, spans.Address)
}

// maxDepth limits the nesting of encoded texts.
const maxDepth = 8

// open judges the spans of a text in a known encoding, and searches any other text.
func (r *Redactor) open(text string, v value) []spans.Edit {
	if v.depth < maxDepth && !isPlain(text) {
		if opener := spans.OpenerOf(text, v.MediaType); opener != nil {
			return r.parts(text, v, opener)
		}
	}
	if edits := r.labelled(text, v); edits != nil {
		return edits
	}
	return r.search(text, asData, v)
}

// label matches what may come before a value that is the rest of a text: the option of a command, the name of a setting,
// or the scheme of a credential.
var label = expression.Lazy(`^(?:(--[\w-]+)=|([A-Za-z][\w -]{0,40}): ?|(?i:bearer) )`)

// maxLabel is the length of the longest name of a setting with its colon, in bytes.
const maxLabel = 42

// labelled returns the edits for a text in a single line that consists of a label and a value.
func (r *Redactor) labelled(text string, v value) []spans.Edit {
	if text == "" || strings.IndexByte("-bB", text[0]) < 0 && strings.IndexByte(text[:min(len(text), maxLabel)], ':') < 0 {
		return nil
	}
	m := label().FindStringSubmatchIndex(text)
	if m == nil || strings.ContainsAny(text, "\r\n") {
		return nil
	}
	rest := text[m[1]:]
	switch {
	case m[2] >= 0:
		v.Name = strings.TrimLeft(text[m[2]:m[3]], "-")
	case m[4] >= 0:
		if v.Name = text[m[4]:m[5]]; strings.EqualFold(v.Name, "authorization") {
			return shift(r.header(rest, v), m[1])
		}
	case strings.Contains(rest, " ") || len(rest) < minSecret || !words.IsMixed(rest) || isPlaceholder(rest):
		return nil
	default:
		v.Name = "token"
	}
	if s := r.sensitivity(v.Name, site.Field); m[4] >= 0 && s != passwordLike || !s.accepts(rest) {
		return nil
	}
	return shift(r.all(rest, v, true), m[1])
}

// Text between spans is searched if it has at least minGap bytes and isn't just JSON punctuation.
const minGap, between = 8, " \t\r\n\",:{}[]"

// parts judges each span that an opener yields for a text, and searches the text between them.
func (r *Redactor) parts(text string, v value, open spans.Opener) []spans.Edit {
	var edits []spans.Edit
	last := 0
	span := func(s spans.Span) {
		r.budget.Pass(s.To - s.From)
		if s.From-last >= minGap && strings.Trim(text[last:s.From], between) != "" {
			edits = append(edits, shift(r.search(text[last:s.From], asData, v), last)...)
		}
		edits = append(edits, r.inner(text, value{s, v.depth + 1})...)
		last = s.To
	}
	open(text, v.MediaType, span)
	span(spans.Span{From: len(text), To: len(text)})
	return edits
}

// inner judges one span of a text and returns its edits with offsets in the text.
func (r *Redactor) inner(text string, v value) []spans.Edit {
	raw := text[v.From:v.To]
	plain := v.Written.Decode(raw)
	v.Name = r.mostSensitive(v.Name, v.Role)
	edits := r.judge(plain, v)
	if len(edits) == 0 {
		return nil
	}
	edits = slices.Clone(edits) // the edits of long bodies are cached
	v.Written.Locate(raw, edits)
	for i := range edits {
		edits[i].With = v.Written.Quote(edits[i].With)
	}
	return shift(edits, v.From)
}
