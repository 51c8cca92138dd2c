package secret

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// API replaces the secrets in a model, in place. A secret that is a value
// becomes the variable {{name}}, and api.Variables gets that variable, with
// Secret set; writers then write it as their target does. In descriptions,
// names and keys a secret becomes <redacted>.
func (r *Redactor) API(api *request.API) {
	uses := modelUses{r: r, credentials: map[string]bool{}}
	visitModel(api, uses.text, uses.tree)
	r.variables(api, uses.credentials)
	r.webhooks(api.Requests)
	visitModel(api, r.judge, r.judgeTree)
	r.sweepModel(api)
	for _, f := range r.secrets {
		if f.name != "" && !f.own {
			api.Variables = append(api.Variables, &request.Variable{Name: f.name, Secret: true})
			f.own = true
		}
	}
}

// modelUses collects which variables a model uses, and which of them as
// credentials.
type modelUses struct {
	r           *Redactor
	credentials map[string]bool
}

func (u *modelUses) text(role role, name string, text *string) {
	if !strings.Contains(*text, "{{") {
		return
	}
	secret := role == credential ||
		(role == header || role == field || role == query) && u.r.sensitivity(name, anywhere) != harmless
	u.r.budget.Pass(len(*text))
	for _, part := range request.Split(*text) {
		u.r.budget.Pass(0)
		if part.Kind == request.VariablePart {
			u.r.taken[part.Text] = true
			if secret {
				u.credentials[part.Text] = true
			}
		}
	}
}

func (u *modelUses) tree(string, *tree.Value, bool) {}

// variables empties the variables that are secrets, so that others with the
// same value become them.
func (r *Redactor) variables(api *request.API, credentials map[string]bool) {
	for _, v := range api.Variables {
		r.taken[v.Name] = true
	}
	for _, s := range api.Servers {
		for _, v := range s.Variables {
			r.taken[v.Name] = true
		}
	}
	for _, v := range api.Variables {
		r.variable(v, credentials[v.Name], true)
	}
	for _, s := range api.Servers {
		for _, v := range s.Variables {
			r.variable(v, credentials[v.Name], false)
		}
	}
	for _, v := range api.Resolved {
		if r.isSecretVariable(v.Name, v.Value, false, false) {
			r.note(v.Value, v.Name)
		}
	}
}

// webhooks replaces the secrets in paths that only the whole address shows:
// those of webhooks, behind the names of their hosts.
func (r *Redactor) webhooks(requests []*request.Request) {
	for _, q := range requests {
		if q == nil || q.Server == nil {
			continue
		}
		r.budget.Bytes(len(q.Server.URL))
		if whole := r.address(q.Server.URL + q.Path); strings.HasPrefix(whole, q.Server.URL) {
			q.Path = whole[len(q.Server.URL):]
		}
		for _, response := range q.Responses {
			r.webhooks([]*request.Request{response.Original})
		}
	}
}

// variable empties one if it is a secret. shared says that its name can be
// used for the same secret elsewhere.
func (r *Redactor) variable(v *request.Variable, isCredential, shared bool) {
	if !r.isSecretVariable(v.Name, v.Value, v.Secret, isCredential) {
		return
	}
	f := r.note(v.Value, v.Name)
	if f.name == "" && shared {
		f.name, f.own = v.Name, true
	}
	v.Value, v.Enum, v.Secret = "", nil, true
}

func (r *Redactor) isSecretVariable(name, value string, marked, isCredential bool) bool {
	if value == "" || isPlaceholder(value) {
		return false
	}
	if marked || isCredential && passwordLike.accepts(value) || r.sensitivity(name, anywhere).judges(value) {
		return true
	}
	// A token of a known issuer, and nothing else.
	matches := r.findShapes(value, asData)
	return len(matches) == 1 && matches[0].from == 0 && matches[0].to == len(value)
}

// judges reports whether a value is a secret under a name of this kind.
func (s sensitivity) judges(value string) bool { return s != harmless && s.accepts(value) }

// judge replaces the secrets in one text of a model.
func (r *Redactor) judge(role role, name string, text *string) {
	if *text == "" {
		return
	}
	r.budget.Pass(len(*text))
	switch role {
	case prose:
		*text = r.prose(*text)
	case identifier:
		*text = r.identifier(*text)
	case address:
		*text = r.address(*text)
	case credential:
		*text = r.credential(*text, name)
	case header:
		*text = r.header(name, *text)
	case query:
		*text = r.query(name, *text)
	case cookie:
		*text = r.cookie(name, *text)
	case field:
		if placeholder, ok := r.named(name, *text, anywhere); ok {
			*text = placeholder
		} else {
			*text = r.payload(*text, 0)
		}
	case body:
		*text = r.body(*text)
	case option:
		*text = r.option(name, *text)
	}
}

// longBody is the length in bytes from which a body is remembered: references
// put the same example into many requests.
const longBody = 1024

// body replaces the secrets in a body's text, in a long one once.
func (r *Redactor) body(text string) string {
	if len(text) < longBody {
		return r.payload(text, 0)
	}
	clean, known := r.bodies[text]
	if !known {
		clean = r.payload(text, 0)
		r.bodies[text] = clean
	}
	return clean
}

func (r *Redactor) judgeTree(name string, v *tree.Value, isSchema bool) {
	if isSchema { // it describes, nothing is sent from it
		fixed := r.fixed
		r.fixed = true
		r.schema(v, name)
		r.fixed = fixed
	} else {
		r.tree(v, name, anywhere)
	}
}

// option replaces the secrets in an option of curl.
func (r *Redactor) option(name, value string) string {
	switch name {
	case "proxy-user", "user":
		if user, password, ok := strings.Cut(value, ":"); ok {
			return user + ":" + r.credential(password, "password")
		}
		return value
	case "pass", "proxy-pass", "tlspassword", "proxy-tlspassword", "oauth2-bearer", "key-pass":
		return r.credential(value, "password")
	case "cert", "proxy-cert":
		// A drive letter's colon is no password's.
		if i := strings.LastIndexByte(value, ':'); i > 1 && !strings.HasPrefix(value, "pkcs11:") {
			return value[:i+1] + r.credential(value[i+1:], "password")
		}
		return value
	case "proxy-header":
		if h, v, ok := strings.Cut(value, ":"); ok {
			trimmed := strings.TrimLeft(v, " ")
			return h + ":" + v[:len(v)-len(trimmed)] + r.header(h, trimmed)
		}
	}
	if placeholder, ok := r.named(name, value, anywhere); ok && name != "location-trusted" {
		return placeholder
	}
	return r.address(value)
}

// sweepModel replaces every secret that was found wherever else it stands.
func (r *Redactor) sweepModel(api *request.API) {
	s := r.swept()
	seen := map[*tree.Value]bool{}
	visitModel(api, func(role role, name string, text *string) {
		r.budget.Pass(len(*text))
		*text = s.sweep(*text, func(f *found, inBraces bool) string {
			switch {
			case inBraces || role == identifier:
				return inName
			case role == prose:
				return redacted
			}
			return "{{" + r.nameOf(f) + "}}"
		})
	}, func(_ string, v *tree.Value, isSchema bool) {
		sweepValues(v, seen, func(text string) string {
			return s.sweep(text, func(f *found, inBraces bool) string {
				if inBraces {
					return inName
				}
				if isSchema {
					return redacted
				}
				return "{{" + r.nameOf(f) + "}}"
			})
		})
	})
}
