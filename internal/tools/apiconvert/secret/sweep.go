package secret

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/percent"
	"github.com/convertd/convertd/internal/tools/apiconvert/site"
	"github.com/convertd/convertd/internal/tools/apiconvert/spans"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// minSwept is the length in bytes from which a secret is searched for everywhere: shorter ones occur in too
// many other words.
const minSwept = 6

// fullSweeper returns the sweeper for the secrets found so far. Secrets recognized only by name must look like
// secrets, unless they were substituted for a variable. Where both kinds match, certain ones win.
func (r *Redactor) fullSweeper() *sweeper {
	if r.sweeper == nil {
		var certain, named []*found
		for _, f := range r.secrets {
			switch {
			case f.certain && !isWeak(f.value):
				certain = append(certain, f)
			case !f.certain && (f.put && !isWeak(f.value) || looksSecret(f.value)):
				named = append(named, f)
			}
		}
		r.sweeper = r.newSweeper(append(certain, named...))
		r.sweeper.certain = len(certain) > 0
	}
	return r.sweeper
}

// minShort is the length in bytes from which a secret is searched for in the parts that a script is evaluated from.
const minShort = 3

// shortSweeper returns the sweeper for the parts that a script is evaluated from. It finds all secrets, but weak
// ones only if no letter or digit is next to them.
func (r *Redactor) shortSweeper() *sweeper {
	if r.short == nil {
		r.short = r.newSweeper(slices.DeleteFunc(slices.Clone(r.secrets), func(f *found) bool { return len(f.value) < minShort }))
		for _, p := range r.short.patterns {
			p.edged = p.edged || isWeak(p.text)
		}
	}
	return r.short
}

// isWeak reports whether a secret could also be a word or a small number: it is replaced where it was
// recognized, but not elsewhere.
func isWeak(value string) bool {
	switch {
	case len(value) < minSwept:
		return true
	case words.IsNumber(value):
		return len(value) < 10
	case isWords(value):
		return len(value) < 16 || noSecrets[value] || isDummy(strings.ToUpper(value))
	}
	return false
}

// isWords reports whether a text consists of words, the first perhaps capitalized.
func isWords(text string) bool {
	if text != "" && words.IsUpper(text[0]) {
		text = text[1:]
	}
	return strings.Trim(text, " abcdefghijklmnopqrstuvwxyz") == ""
}

// Properties of a value that looks like a secret: its length, its number of different characters, and the
// length of the words that random letters seem to consist of.
const (
	minSecret    = 8
	minDigits    = 12
	minDifferent = 5
	minRandom    = 20 // letters in a row
	maxWord      = 2.5
)

// looksSecret reports whether a value recognized only by name is unlikely to be an identifier, a word, a number
// or a URL.
func looksSecret(value string) bool {
	different := map[byte]bool{}
	for i := 0; i < len(value); i++ {
		different[value[i]] = true
	}
	switch {
	case len(value) < minSecret, len(different) < minDifferent, strings.Contains(value, "://"), strings.Contains(value, "{{"):
		return false
	case words.IsNumber(value):
		return len(value) >= minDigits
	case words.IsMixed(value), strings.ContainsAny(value, "!#$%^&*?~|=+@"):
		return true
	}
	parts := words.Parts(value)
	if len(parts) == 1 {
		return len(value) >= minRandom
	}
	return alnum.run(value) == len(value) && float64(len(value)) < maxWord*float64(len(parts))
}

// isCertain reports whether a value under a name of sensitivity s is a secret wherever it is. Under the name of a token
// it must be long and random, since an identifier may be there, too.
func (s sensitivity) isCertain(value string) bool {
	return looksSecret(value) && (s == passwordLike || len(value) >= minToken+minSwept && words.IsMixed(value) &&
		strings.ToUpper(value) != value && strings.ToLower(value) != value)
}

// newSweeper returns a sweeper for secrets, verbatim, decoded, and in the quotes of a shell.
func (r *Redactor) newSweeper(secrets []*found) *sweeper {
	s := &sweeper{budget: r.budget}
	for _, f := range secrets {
		s.insert(&pattern{of: f, text: f.value, edged: words.IsNumber(f.value)})
	}
	for _, f := range secrets {
		v := f.value
		for _, text := range []string{percent.DecodeQuery(v), strings.ReplaceAll(v, "'", `'\''`), inDoubleQuotes.Replace(v)} {
			if len(text) >= minSwept && text != v {
				s.insert(&pattern{of: f, text: text})
			}
		}
	}
	s.sort()
	return s
}

// inDoubleQuotes escapes what a shell would expand between double quotes (XCU 2.2.3).
var inDoubleQuotes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`")

// sweepSite replaces secrets that were found elsewhere. Identifiers and human-readable text are searched only
// for certain ones.
func (r *Redactor) sweepSite(s site.Site) {
	text := s.Text()
	r.budget.Pass(len(text))
	r.atCredential, r.place = holdsCredentials(s), s.Place()
	sweeper := r.fullSweeper()
	if s.Evaluated {
		sweeper = r.shortSweeper()
	} else if len(text) < minSwept {
		return
	}
	if s.IsNumber() {
		return
	}
	values := 0 // where values begin
	switch s.Role {
	case site.MemberName:
		return // swept in the output
	case site.Prose, site.Identifier, site.Path, site.Choice:
		values = len(text)
	case site.Address, site.Option:
		if s.Role == site.Address || s.Name == "url" {
			values = untilAny(text, "?#")
		}
	}
	role := s.Role
	if s.Templated {
		role = site.Field
	}
	edits := sweeper.find(text, func(f *found, from, to int) (string, bool) {
		switch {
		case !f.certain && from < values && !(f.put && s.Role == site.Path):
			return "", false
		case inBraces(text, from, to):
			return inName, true
		}
		return r.placeholder(f, role), true
	})
	if len(edits) > 0 {
		clean := spans.Apply(text, edits)
		r.budget.Bytes(len(clean))
		s.Set(clean)
	}
}

func asRedacted(*found, int, int) (string, bool) { return redacted, true }

// inBraces reports whether text[from:to] is inside {{name}}.
func inBraces(text string, from, to int) bool {
	before := text[max(0, from-200):from]
	open := strings.LastIndex(before, "{{")
	if open < 0 || strings.Contains(before[open:], "}}") {
		return false
	}
	after := text[to:min(len(text), to+200)]
	closing := strings.Index(after, "}}")
	return closing >= 0 && !strings.Contains(after[:closing], "{{")
}

// SweepTree replaces, in a tree that is about to be written, every certain secret that was replaced before, in
// any spelling, in any string or name that is not the format's own. The tree's structure stays the same.
func (r *Redactor) SweepTree(root *tree.Value) {
	if !r.fullSweeper().certain {
		return
	}
	t := treeSweep{r, root.Has("openapi") || root.Has("swagger")}
	t.value(root, "")
}

// treeSweep is the sweep of a tree: of a description or a collection.
type treeSweep struct {
	*Redactor
	description bool
}

// value replaces the secrets in a value under a name.
func (t treeSweep) value(v *tree.Value, name string) {
	switch v.Kind() {
	case tree.String:
		if !t.description && name == "schema" || name == "openapi" || name == "swagger" {
			return // a name of the format
		}
		bare := name == "$ref" || name == "operationId" || name == "url" && t.description
		if clean := t.text(v.Text(), bare); clean != v.Text() {
			v.Become(tree.NewString(clean))
		}
	case tree.Array:
		for _, element := range v.Elements() {
			t.value(element, name)
		}
	case tree.Object:
		for member, value := range v.Members() {
			t.value(value, member)
		}
		for _, member := range v.Names() {
			if !formatNames[member] {
				if clean := t.text(member, true); clean != member {
					site.Rename(v, member, clean)
				}
			}
		}
	}
}

// text replaces the secrets in a text. bare says that braces and angle brackets are not allowed there.
func (t treeSweep) text(text string, bare bool) string {
	t.budget.Pass(len(text))
	return spans.Apply(text, t.fullSweeper().find(text, func(f *found, from, to int) (string, bool) {
		switch {
		case bare || inBraces(text, from, to):
			return inName, f.certain
		case t.description || f.name == "":
			return redacted, f.certain
		}
		return "{{" + f.name + "}}", f.certain
	}))
}

// formatNames are names of the formats that look like secrets.
var formatNames = words.Set(`protocolProfileBehavior originalRequest operationId securitySchemes requestBody requestBodies
	externalDocs additionalProperties openIdConnectUrl authorizationUrl bearerFormat termsOfService`)

// SweepText is like SweepTree for a shell script.
func (r *Redactor) SweepText(text []byte) []byte {
	edits := r.fullSweeper().find(string(text), func(f *found, _, _ int) (string, bool) { return inName, f.certain })
	if len(edits) > 0 {
		return []byte(spans.Apply(string(text), edits))
	}
	return text
}

// Clean removes the secrets that were replaced, and anything that looks like one, from a text shown next to the
// output, such as a name or an option. It records nothing.
func (r *Redactor) Clean(text string) string {
	r.budget.Pass(len(text))
	var edits []spans.Edit
	for _, m := range r.findShapes(text, asProse) {
		edits = append(edits, spans.Edit{From: m.from, To: m.to, With: redacted})
	}
	text = spans.Apply(text, edits)
	return spans.Apply(text, r.fullSweeper().find(text, asRedacted))
}
